import Circulation
import Machine
import ProviderKit
import SIP2

/// The lines of a Millennium answer, `LABEL[code]=value<BR>`. Labels are the site's own, so the
/// code in brackets alone counts.
struct PatronDump: Sendable {
  private var values: [String: [String]] = [:]

  /// Codes that are not kept for a moment: the PIN, hashed or not, and private notes.
  private static let neverKept: Set<String> = ["=", "p=", "px"]
  private static let mostLines = 2000

  /// Nil where no line is one of a patron.
  init?(_ page: String) {
    for line in MillenniumPage.lines(in: page).prefix(Self.mostLines) {
      guard let open = line.firstIndex(of: "["), let close = line[open...].firstRange(of: "]=")
      else { continue }
      let code = String(line[line.index(after: open)..<close.lowerBound])
      guard !code.isEmpty, code.utf8.count <= 8, !Self.neverKept.contains(code) else { continue }
      values[code, default: []].append(
        MillenniumPage.plain(String(line[close.upperBound...])))
    }
    guard !barcodes.isEmpty || record != nil else { return nil }
  }

  private func first(_ code: String) -> String? {
    values[code]?.first.flatMap { $0.isEmpty ? nil : $0 }
  }

  var record: String? { first("p81") }
  var barcodes: [String] { (values["pb"] ?? []).filter { !$0.isEmpty } }
  var names: [String] { (values["pu"] ?? []).filter { !$0.isEmpty } }
  /// `LAST, FIRST`
  var filedName: String? { first("pn") }
  var familyName: String? { filedName?.parts(at: ",").first }
  var email: String? { first("pz") }
  var kind: String? { first("p47") }
  var home: String? { first("p53") }
  var owed: Amount? { first("p96").flatMap { Amount($0) } }
  /// Nil where nothing blocks; else the library's letter.
  var block: String? { first("p56").flatMap { $0 == "-" ? nil : $0 } }
  var lastDay: CivilDate? { first("p43").flatMap(Self.day) }
  var born: CivilDate? { first("p51").flatMap(Self.birthDay) }
  private var hasUnreadableEnd: Bool {
    first("p43").map { $0.contains(where: \.isNumber) && Self.day($0) == nil } ?? false
  }

  /// `04-01-59` is a day of 2059: cards run out in the future.
  static func day(_ text: String) -> CivilDate? { day(text, century: 2000) }

  /// With a year of four digits only: of two nobody can tell the century of a birth.
  private static func birthDay(_ text: String) -> CivilDate? { day(text, century: nil) }

  private static func day(_ text: String, century: Int?) -> CivilDate? {
    let parts = text.parts(at: "-")
    guard parts.count == 3,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let month = Int(parts[0]), let day = Int(parts[1]), var year = Int(parts[2])
    else { return nil }
    if parts[2].utf8.count == 2 {
      guard let century else { return nil }
      year += century
    } else if parts[2].utf8.count != 4 {
      return nil
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Nil where there is neither a number of the record nor a barcode.
  func reader(signedInBy card: String, harmless: Set<String>) -> DeskReader? {
    // Barcodes may be printed in groups: with blanks and without are one.
    func bare(_ text: String) -> String { text.filter { $0 != " " } }
    let shown = barcodes.first { bare($0) == bare(card) } ?? barcodes.last ?? card
    guard let id = record ?? barcodes.last else { return nil }
    var reader = DeskReader(id: id, card: shown)
    reader.name = filedName.map(PersonName.spoken)
    (reader.home, reader.kind, reader.owed) = (home, kind, owed)
    (reader.lastDay, reader.born) = (lastDay, born)
    if let block, !harmless.contains(block) {
      reader.blocks.append(
        AccountBlock(.unknown, "The library has blocked the card (\(block.prefix(8)))."))
    }
    // A day that cannot be read is no good day.
    if hasUnreadableEnd {
      reader.blocks.append(
        AccountBlock(.expired, "The library does not say when the card expires."))
    }
    return reader
  }
}

/// Whether a PIN is a card's.
enum PINTest: Sendable, Hashable {
  case right, wrong, unclear

  /// Only a `RETCOD` of nought is a yes.
  init(_ page: String) {
    var values: [String: String] = [:]
    for line in MillenniumPage.lines(in: page).prefix(50) {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let name = line[..<equals].filter { $0.isLetter && $0.isASCII }.uppercased()
      // A control character has been seen behind the number.
      values[name] =
        String(
          line[line.index(after: equals)...].unicodeScalars.filter {
            $0.properties.generalCategory != .control
          }.map(Character.init)
        ).trimmingBlanks
    }
    switch (values["RETCOD"], values["ERRNUM"]) {
    case ("0"?, nil): self = .right
    case (_, "1"?), (_, "4"?), ("1"?, nil): self = .wrong
    default: self = .unclear
    }
  }

  /// What a question about a patron is answered with where there is none.
  static func isUnknownCard(_ page: String) -> Bool {
    !page.contains("]=") && PINTest(page) == .wrong
  }
}

enum MillenniumPage {
  /// What stands before a `<BR>` that ends a line: values hold markup of their own, that one among
  /// it.
  static func lines(in page: String) -> [String] {
    var lines: [String] = []
    for raw in page.split(whereSeparator: \.isNewline) {
      let line = String(raw).trimmingBlanks
      guard line.utf8.count <= 16_384, line.suffix(4).lowercased() == "<br>" else { continue }
      var text = String(line.dropLast(4))
      // The first line may begin with the page itself.
      while text.hasPrefix("<"), let end = text.firstIndex(of: ">") {
        text = String(text[text.index(after: end)...])
      }
      lines.append(text)
    }
    return lines
  }

  /// Without tags and the blanks around it.
  static func plain(_ text: String) -> String {
    var (plain, isTag) = ("", false)
    for sign in text.unicodeScalars {
      switch sign {
      case "<": isTag = true
      case ">" where isTag:
        isTag = false
        plain.append(" ")
      case _ where isTag || sign.properties.generalCategory == .control: break
      default: plain.unicodeScalars.append(sign)
      }
    }
    return plain.split(separator: " ").joined(separator: " ")
  }
}
