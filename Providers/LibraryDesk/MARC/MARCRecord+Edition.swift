import Circulation
import ProviderKit

extension MARCRecord {
  /// What a catalogue of ours has room for, under the name that the library's system gives the
  /// record. Nil where it has no title.
  func edition(named item: ItemID) -> Edition? {
    guard let heading = first("245"), let title = heading["a"] else { return nil }
    let parts = [title] + heading.all("n") + heading.all("p")
    var edition = Edition(
      item: item,
      title: parts.map(\.withoutLeadingMark).filter { !$0.isEmpty }.joined(separator: ". "))
    guard !edition.title.isEmpty else { return nil }
    edition.subtitle = heading["b"].map(\.withoutLeadingMark)
    if let skipped = Int(heading.indicators.1), skipped > 0, skipped < edition.title.count {
      edition.sortTitle = String(edition.title.dropFirst(skipped))
    }
    edition.contributors = contributors
    edition.languages = languages
    edition.isbns = isbns
    edition.identifiers = identifiers
    let imprint = all("264").first { $0.indicators.1 == "1" } ?? first("260")
    edition.publisher = imprint?["b"].map(\.withoutLeadingMark)
    edition.published = imprint?["c"].flatMap(Self.year).map { PartialDate(year: $0) }
    edition.medium = medium
    edition.formats = [.paper]
    edition.subjects = all("650").compactMap { $0["a"].map(\.withoutLeadingMark) }.distinct
    return edition
  }

  /// `978-0-14-143960-0 (pbk.)` is the number before the words.
  var isbns: [ISBN] {
    all("020").flatMap { $0.all("a") }.compactMap { text in
      ISBN(String(text.prefix { $0 != "(" && $0 != ":" }).trimmingBlanks)
        ?? ISBN(String(text.prefix { $0 != " " }))
    }.distinct
  }

  private var identifiers: [ForeignIdentifier] {
    let systems = all("035").flatMap { $0.all("a") }.compactMap { text -> ForeignIdentifier? in
      guard text.hasPrefix("(OCoLC)") else { return nil }
      let digits = String(text.dropFirst(7).drop { !$0.isNumber })
      return digits.isEmpty ? nil : ForeignIdentifier(scheme: "oclc", value: digits)
    }
    let congress = all("010").compactMap { $0["a"] }.map {
      ForeignIdentifier(scheme: "lccn", value: $0)
    }
    return (systems + congress).distinct
  }

  private var contributors: [Contributor] {
    var found: [Contributor] = []
    for (tag, usual) in [
      ("100", Contributor.Role.author), ("110", .author), ("700", .contributor),
    ] {
      // With a title it speaks of another work.
      for field in all(tag) where field["t"] == nil {
        guard let filed = field["a"].map(\.withoutLeadingMark), !filed.isEmpty else { continue }
        let isPerson = tag != "110"
        let person = Contributor(
          name: isPerson ? PersonName.spoken(filed) : filed, sortName: isPerson ? filed : nil,
          role: Self.role(field["4"] ?? field["e"]) ?? usual)
        if !found.contains(where: { $0.name == person.name && $0.role == person.role }) {
          found.append(person)
        }
      }
    }
    return found
  }

  private static func role(_ word: String?) -> Contributor.Role? {
    switch word.map({ $0.withoutLeadingMark.lowercased() }) {
    case "aut", "author", "joint author": .author
    case "edt", "ed", "editor": .editor
    case "ill", "illustrator": .illustrator
    case "trl", "translator": .translator
    case "nrt", "narrator": .narrator
    default: nil
    }
  }

  private var languages: [String] {
    let fixed = Array((first("008")?.text ?? "").utf8)
    let own = fixed.count >= 38 ? [String(decoding: fixed[35..<38], as: UTF8.self)] : []
    let more = all("041").flatMap { $0.all("a") }.filter { $0.utf8.count == 3 }
    return (own + more).compactMap { LanguageTag.primary(of: $0) }.distinct
  }

  /// The seventh sign of the leader says what kind of thing it is.
  private var medium: Medium {
    let signs = Array(leader.utf8)
    guard signs.count > 7 else { return .book }
    switch signs[6] {
    case UInt8(ascii: "i"): return .audiobook
    case UInt8(ascii: "j"), UInt8(ascii: "c"), UInt8(ascii: "d"): return .music
    case UInt8(ascii: "g"): return .video
    case UInt8(ascii: "a"), UInt8(ascii: "t"):
      return signs[7] == UInt8(ascii: "s") ? .magazine : .book
    default: return .other
    }
  }

  /// `[1966]`, `c1901.`
  private static func year(_ text: String) -> Int? {
    text.split { !$0.isASCII || !$0.isNumber }.lazy.compactMap { $0.count == 4 ? Int($0) : nil }
      .first { (1000...2200).contains($0) }
  }
}
