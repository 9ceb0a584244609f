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
      guard let name = NumberName(identifier) else { continue }
      switch name.reach {
      case .work: works.insert(name.text)
      case .edition: editions.insert(name.text)
      case .other: break
      }
    }
    (self.works, self.editions) = (works, editions)
  }

  func isDisjoint(with other: Numbers) -> Bool {
    isbns.isDisjoint(with: other.isbns) && works.isDisjoint(with: other.works)
      && editions.isDisjoint(with: other.editions)
  }
}

/// A number in a scheme, in the one spelling by which it is compared and looked for.
package struct NumberName: Sendable, Hashable {
  /// What goes by it.
  package enum Reach: Sendable, Hashable {
    case work, edition
    /// A series, or something that only one library knows.
    case other
  }

  /// `oclc:424023`, `OL45804W`.
  package let text: String
  package let reach: Reach

  /// Nil for what is none.
  package init?(_ identifier: ForeignIdentifier) {
    let scheme = String(identifier.scheme.lowercased().filter { $0.isLetter })
    let value = identifier.value.prefix(64).uppercased().filter { $0.isLetter || $0.isNumber }
    guard value.count > 1 else { return nil }
    if let number = Self.openNumber(value) {
      (text, reach) = (number, number.last == "W" ? .work : .edition)
    } else if ["oclc", "ocolc", "worldcat"].contains(scheme) {
      let digits = value.filter(\.isNumber).drop { $0 == "0" }
      guard digits.count > 3 else { return nil }
      (text, reach) = ("oclc:\(digits)", .edition)
    } else if scheme.hasSuffix("work") || ["owi", "wikidata"].contains(scheme) {
      (text, reach) = ("\(scheme):\(value)", .work)
    } else if scheme == "lccn" {
      (text, reach) = ("lccn:\(Self.lccn(identifier.value))", .edition)
    } else {
      (text, reach) = ("\(scheme):\(value)", ["asin", "doi"].contains(scheme) ? .edition : .other)
    }
  }

  /// `70-98765 /AC/r85` is 70098765: what follows a slash is a revision, what follows a hyphen has six
  /// digits.
  private static func lccn(_ value: String) -> String {
    let whole = value.prefix(64).prefix { $0 != "/" }.uppercased()
    let parts = whole.split(separator: "-").map { $0.filter { $0.isLetter || $0.isNumber } }
    guard parts.count == 2, parts[1].count < 6 else { return parts.joined() }
    return parts[0] + String(repeating: "0", count: 6 - parts[1].count) + parts[1]
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
