import Circulation
import ProviderKit

/// One number a book goes by, spelled as the service spells it (§1). What could not be meant is nil:
/// the service checks nothing, and would answer a torn number with some other book.
struct Number: Sendable, Hashable {
  enum Scheme: String, Sendable, CaseIterable {
    // The trustier first.
    case record = "recordnumber"
    case volume = "htid"
    case oclc, isbn, lccn, issn
  }

  let scheme: Scheme
  let value: String

  init?(_ scheme: Scheme, _ text: String) {
    guard text.utf8.count <= 100, let value = Self.spelled(scheme, text), !value.isEmpty else {
      return nil
    }
    (self.scheme, self.value) = (scheme, value)
  }

  init?(_ foreign: ForeignIdentifier) {
    let scheme: Scheme? =
      switch foreign.scheme.lowercased() {
      case "oclc", "ocolc", "worldcat": .oclc
      case "lccn": .lccn
      case "hathitrust": .record
      default: nil
      }
    guard let scheme else { return nil }
    self.init(scheme, foreign.value)
  }

  /// Of an item's own name: a record's number, a volume's id, or another number with its scheme.
  init?(of item: ItemID) {
    let text = item.rawValue
    if let colon = text.firstIndex(of: ":"),
      let scheme = Scheme(rawValue: text[..<colon].lowercased())
    {
      self.init(scheme, String(text[text.index(after: colon)...]))
    } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      self.init(.record, text)
    } else {
      guard text.contains(".") else { return nil }
      self.init(.volume, text)
    }
  }

  private static func spelled(_ scheme: Scheme, _ text: String) -> String? {
    switch scheme {
    case .record:
      let digits = text.trimmingBlanks
      guard digits.utf8.count <= 9, digits.isDigits else { return nil }
      return padded(digits, to: 9)
    // Written as it is: bars and semicolons would end it, and no id has them.
    case .volume:
      let id = text.trimmingBlanks
      return id.contains { "|; ".contains($0) } ? nil : id.lowercased()
    case .oclc:
      // `ocm00424023`, `(OCoLC)424023`.
      let digits = text.trimmingBlanks.drop { !$0.isNumber }
      guard String(digits).isDigits else { return nil }
      return String(digits.drop { $0 == "0" })
    case .isbn: return ISBN(text)?.digits
    case .issn:
      let kept = text.uppercased().filter { $0.isNumber || $0 == "X" }
      return (7...8).contains(kept.count) ? padded(kept, to: 8) : nil
    case .lccn: return lccn(text)
    }
  }

  /// Blanks out, what follows a slash off, and the part behind a hyphen filled up to six.
  private static func lccn(_ text: String) -> String? {
    let whole = text.filter { !$0.isWhitespace }.prefix { $0 != "/" }.lowercased()
    let parts = whole.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let joined: String
    switch parts.count {
    case 1: joined = whole
    case 2 where parts[1].isDigits && parts[1].count <= 6:
      joined = parts[0] + padded(parts[1], to: 6)
    default: return nil
    }
    guard joined.drop(while: { $0.isASCII && $0.isLetter }).count >= 6 else { return nil }
    return joined.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? joined : nil
  }

  private static func padded(_ digits: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension String {
  fileprivate var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

/// One wanted book by all its numbers. For the service any one of them is enough, so what comes back
/// is held against what was sent (§1).
struct Wish: Sendable, Hashable {
  let numbers: [Number]

  init(_ numbers: [Number]) {
    var seen: Set<Number> = []
    self.numbers = Array(numbers.filter { seen.insert($0).inserted }.prefix(Self.most))
  }

  init(_ book: BookNumbers) {
    self.init(
      book.identifiers.compactMap { Number($0) }
        + book.isbns.compactMap { Number(.isbn, $0.digits) })
  }

  /// An omnibus has dozens; an address has an end.
  private static let most = 6
}
