import Circulation
import HTTP
import ProviderKit

// Texts of this service made plain: escaped twice or thrice, inverted, punctuated for cards.

enum Plain {
  /// What a parser left of entities, through all the layers that were put around a text.
  static func text(_ text: String) -> String {
    var text = text
    for _ in 0..<3 where text.utf8.contains(UInt8(ascii: "&")) { text = Entities.decoded(text) }
    // Texts with nothing but single blanks are the rule.
    if isPlain(text) { return text }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// ASCII, with no blank at either end and no two in a row.
  private static func isPlain(_ text: String) -> Bool {
    var wasBlank = true
    for byte in text.utf8 {
      let isBlank = byte == UInt8(ascii: " ")
      guard byte >= 0x20, byte < 0x7F, !(isBlank && wasBlank) else { return false }
      wasBlank = isBlank
    }
    return !wasBlank
  }

  /// Without the signs by which cataloguers part one field from the next.
  static func withoutPunctuation(_ text: String) -> String {
    var rest = Substring(text)
    while let last = rest.last, " :/;,=".contains(last) { rest.removeLast() }
    return String(rest)
  }
}

enum People {
  /// From `Rowland, Laura Joh (Full Name)`; nil where there is no name.
  static func contributor(_ text: String, _ role: Contributor.Role) -> Contributor? {
    let isBare = !text.utf8.contains(UInt8(ascii: "("))
    let name = isBare ? text.trimmingBlanks : String(text.prefix { $0 != "(" }).trimmingBlanks
    guard !name.isEmpty else { return nil }
    // Dates of a life tell namesakes apart on cards.
    let filed = name.words(at: ",").filter { !$0.utf8.contains { (0x30...0x39).contains($0) } }
      .joined(separator: ", ")
    let spoken = PersonName.spoken(filed.isEmpty ? name : filed)
    return Contributor(name: spoken, sortName: spoken == filed ? nil : filed, role: role)
  }

  /// The stop that ends a field, and not the one that ends an initial.
  static func withoutStop(_ text: String) -> String {
    let name = Plain.withoutPunctuation(text)
    guard name.hasSuffix("."), let last = name.split(separator: " ").last else { return name }
    let isShort = last.count <= 2 || last.dropLast().contains(".") || ["Jr.", "Sr."].contains(last)
    return isShort ? name : String(name.dropLast())
  }

  /// By the relator codes of MARC.
  static func role(_ code: String?) -> Contributor.Role {
    switch code?.lowercased().prefix(3) {
    case nil, "aut": .author
    case "nrt": .narrator
    case "edt": .editor
    case "ill": .illustrator
    case "trl": .translator
    case "pht": .photographer
    case "aui": .authorOfIntroduction
    default: .contributor
    }
  }
}

enum Subjects {
  /// §10: parted by commas, with one at the end. A heading such as `FICTION|Crime, True|` may hold a
  /// comma and ends in a bar.
  static func list(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    var (all, open): ([String], String?) = ([], nil)
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let joined = open.map { "\($0),\(piece)" } ?? String(piece)
      let isWhole = !joined.utf8.contains(UInt8(ascii: "|")) || joined.trimmingBlanks.hasSuffix("|")
      if isWhole { all.append(joined) }
      open = isWhole ? nil : joined
    }
    // One that never ended was none, or was cut off: its parts are words all the same.
    if let open { all.append(open) }
    return all.map(heading).filter { !$0.isEmpty }.distinct
  }

  /// `YOUNG ADULT FICTION|Fantasy|` as librarians print it.
  static func heading(_ text: String) -> String {
    Plain.text(text).words(at: "|").joined(separator: " / ")
  }

  /// There is no field for it; the heads of the headings tell.
  static func audience(of subjects: [String]) -> Audience? {
    let heads = subjects.map { $0.uppercased() }
    if heads.contains(where: { $0.hasPrefix("JUVENILE") }) { return .children }
    if heads.contains(where: { $0.hasPrefix("YOUNG ADULT") }) { return .youngAdult }
    return heads.contains { $0.contains(" / ") } ? .adult : nil
  }
}

enum Links {
  /// Escaped once more than a parser undoes, and on plain `http` where the service has moved on.
  static func clean(_ href: String) -> String {
    let href = Address.escaped(Plain.text(href))
    let host = href.dropFirst(7).prefix { $0 != "/" && $0 != ":" }
    guard href.hasPrefix("http://"), host.hasSuffix(".com") else { return href }
    return "https://" + href.dropFirst(7)
  }

  /// One address leads to two sizes, where it leads to the service itself (§8).
  static func covers(_ href: String?) -> Covers {
    guard let large = href.map(clean) else { return Covers() }
    let isOwn = large.holds("/delivery/img")
    return Covers(large: large, small: isOwn ? "\(large)&size=NORMAL" : large)
  }
}
