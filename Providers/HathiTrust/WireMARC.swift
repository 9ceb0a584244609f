import Circulation
import ProviderKit
import XML

/// §1.1: the whole description, MARC in XML, of which we take what a catalogue of ours has room for.
struct WireMARC: Sendable {
  private let root: WireXML

  /// Nil for what is no record.
  init?(_ text: String) {
    guard let root = try? WireXML(parsing: Array(text.utf8)) else { return nil }
    guard let record = root.isNamed("record") ? root : root.everywhere("record").first else {
      return nil
    }
    self.root = record
  }

  func describe(_ edition: inout Edition) {
    if let field = fields("245").first {
      edition.title =
        ([field["a"], field["n"], field["p"]].compactMap { $0 }
        .map(\.withoutLeadingMark)).joined(separator: ". ")
      edition.subtitle = field["b"].map(\.withoutLeadingMark)
      if let skipped = field.skipped, skipped > 0, skipped < edition.title.count {
        edition.sortTitle = String(edition.title.dropFirst(skipped))
      }
    }
    edition.contributors = contributors
    edition.languages = languages
    edition.subjects = subjects
    let imprint = fields("264").first { $0.second == "1" } ?? fields("260").first
    edition.publisher = imprint?["b"].map(\.withoutLeadingMark)
    // The third sign of what a serial's leader says.
    let kind = Array(root["leader"]?.text.utf8 ?? "".utf8)
    if kind.count > 7, kind[7] == UInt8(ascii: "s") { edition.medium = .magazine }
  }

  // MARK: - Who and what

  private var contributors: [Contributor] {
    var found: [Contributor] = []
    for (tag, usual) in [
      ("100", Contributor.Role.author), ("110", .author), ("700", .contributor),
    ] {
      // With a title it speaks of another work.
      for field in fields(tag) where field["t"] == nil {
        guard let filed = field["a"].map(\.withoutLeadingMark), !filed.isEmpty else { continue }
        let role = Self.role(field["4"] ?? field["e"]) ?? usual
        let isPerson = tag != "110"
        let person = Contributor(
          name: isPerson ? PersonName.spoken(filed) : filed, sortName: isPerson ? filed : nil,
          role: role)
        if !found.contains(where: { $0.name == person.name && $0.role == role }) {
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
    case "ill", "illus", "illustrator": .illustrator
    case "trl", "tr", "translator": .translator
    case "com", "comp", "compiler": .compiler
    default: nil
    }
  }

  private var languages: [String] {
    let fixed = root.all("controlfield").first { $0.attribute("tag") == "008" }?.text ?? ""
    let units = Array(fixed.utf8)
    let first = units.count >= 38 ? [String(decoding: units[35..<38], as: UTF8.self)] : []
    let more = fields("041").flatMap { $0.all("a") }.filter { $0.count == 3 }
    var seen: Set<String> = []
    return (first + more).compactMap { LanguageTag.primary(of: $0) }
      .filter { seen.insert($0).inserted }
  }

  private var subjects: [String] {
    var seen: Set<String> = []
    return (fields("650") + fields("655")).compactMap { $0["a"].map(\.withoutLeadingMark) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  // MARK: - Fields

  private func fields(_ tag: String) -> [Field] {
    root.all("datafield").filter { $0.attribute("tag") == tag }.map { Field(xml: $0) }
  }

  private struct Field {
    let xml: WireXML

    subscript(code: String) -> String? { all(code).first }

    func all(_ code: String) -> [String] {
      xml.all("subfield").filter { $0.attribute("code") == code }.compactMap(\.words)
    }

    var second: String? { xml.attribute("ind2") }
    /// Signs that sorting leaves out.
    var skipped: Int? { second.flatMap { Int($0) } }
  }
}
