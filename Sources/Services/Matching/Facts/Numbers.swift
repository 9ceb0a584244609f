package import Circulation

extension ISBN {
  /// Reads what lists really hold: `="0451526538"`, `[2070291340]`, `0375503129 (hbk.)`,
  /// `urn:isbn:…`; a number whose leading zero a spreadsheet ate is mended when the check then fits.
  package init?(listed raw: String) {
    var text = ""
    for character in raw.prefix(80) {
      // What follows is a remark or a price.
      if character == "(", !text.isEmpty { break }
      if character == ":", text.contains(where: \.isNumber) { break }
      if "=\"'[]()".contains(character) { continue }
      if let digit = character.wholeNumberValue, character.isNumber, digit < 10 {
        text += String(digit)
      } else {
        text.append(character == "\u{425}" || character == "\u{445}" ? "X" : character)
      }
    }
    if text.lowercased().hasPrefix("urn:") { text = String(text.dropFirst(4)) }
    let digits = text.filter { $0.isNumber || $0 == "X" || $0 == "x" }
    guard Set(digits).count > 1, !"01234567890123".contains(digits) else { return nil }
    guard let isbn = ISBN(text) ?? (digits.count == 9 ? ISBN("0" + digits) : nil),
      isbn.isBook
    else { return nil }
    self = isbn
  }

  /// Printed music has numbers of the same make under 979-0; some are filled in to have any.
  var isBook: Bool { !digits.hasPrefix("9790") && Set(digits.dropFirst(3)).count > 2 }
}

/// Names of the work or of the edition in schemes that are the same everywhere.
struct Numbers {
  let isbns: Set<ISBN>
  /// `scheme:value`, of the work as a whole.
  let works: Set<String>
  /// Of one edition.
  let editions: Set<String>

  init(_ candidate: Candidate) {
    isbns = Set(candidate.isbns.prefix(Candidate.mostNumbers).filter(\.isBook))
    var works: Set<String> = []
    var editions: Set<String> = []
    for identifier in candidate.identifiers.prefix(Candidate.mostNumbers) {
      let scheme = String(identifier.scheme.lowercased().filter { $0.isLetter })
      let value = identifier.value.prefix(64).uppercased().filter { $0.isLetter || $0.isNumber }
      guard value.count > 1 else { continue }
      if let number = Self.openNumber(value) {
        if number.last == "W" { works.insert(number) } else { editions.insert(number) }
      } else if ["oclc", "ocolc", "worldcat"].contains(scheme) {
        let digits = value.filter(\.isNumber).drop { $0 == "0" }
        if digits.count > 3 { editions.insert("oclc:\(digits)") }
      } else if scheme.hasSuffix("work") || ["owi", "wikidata"].contains(scheme) {
        works.insert("\(scheme):\(value)")
      } else if ["asin", "lccn", "doi"].contains(scheme) {
        editions.insert("\(scheme):\(value)")
      }
    }
    (self.works, self.editions) = (works, editions)
  }

  func isDisjoint(with other: Numbers) -> Bool {
    isbns.isDisjoint(with: other.isbns) && works.isDisjoint(with: other.works)
      && editions.isDisjoint(with: other.editions)
  }

  /// `OL45804W` is a work and `OL7353617M` an edition, by whatever name the scheme goes and with
  /// whatever path in front.
  private static func openNumber(_ value: String) -> String? {
    guard let last = value.last, last == "W" || last == "M",
      let start = value.ranges(of: "OL").last
    else { return nil }
    let digits = value[start.upperBound...].dropLast()
    return !digits.isEmpty && digits.allSatisfy(\.isNumber)
      ? String(value[start.lowerBound...]) : nil
  }
}
