import Circulation
import Matching

/// A number of a book as readers type and paste it: `978-0-14-143951-8`, `urn:isbn:0141439513`,
/// `ISBN 0 14 143951 3`, `oclc:424023`, `(OCoLC)424023`, `OL45804W`.
enum TypedNumber: Sendable, Hashable {
  case isbn(ISBN)
  case other(NumberName)

  /// Nil where the text is anything but a number.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 100, text.contains(where: \.isNumber) else { return nil }
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let isbn = Self.isbn(text) {
      self = .isbn(isbn)
    } else if let name = Self.name(text) {
      self = .other(name)
    } else {
      return nil
    }
  }

  /// The number that these begin with, and how many of them it takes: blanks part its groups.
  static func first(of chunks: ArraySlice<Substring>) -> (number: TypedNumber, length: Int)? {
    // Most words of a search are words.
    guard let first = chunks.first,
      first.contains(where: \.isNumber) || first.range(of: "isbn") != nil
    else { return nil }
    // A label, and the five groups of the longer form.
    for length in 1...min(6, chunks.count) {
      let number = TypedNumber(chunks.prefix(length).joined(separator: " "))
      // Among other words the name of a scheme stands in one with its number.
      if let number, length == 1 || number.isISBN { return (number, length) }
    }
    return nil
  }

  private var isISBN: Bool { if case .isbn = self { true } else { false } }

  // MARK: - ISBN

  private static func isbn(_ text: String) -> ISBN? {
    var rest = text[...]
    // `urn:isbn:`, `eISBN-13: `, `isbn=`: what stands in front ends with the word.
    if let label = rest.range(of: "isbn") {
      guard ["", "urn:", "e", "e-", "p", "p-"].contains(rest[..<label.lowerBound].lowercased())
      else { return nil }
      rest = rest[label.lowerBound...]
      if let sign = rest.dropFirst(4).first, "=#".contains(sign) {
        rest = "isbn " + rest.dropFirst(5)
      }
    }
    let plain = String(rest)
    if let isbn = ISBN(plain) { return isbn }
    // Lists have nine digits for ten; whoever types nine means something else as a rule.
    guard plain.count(where: \.isNumber) > 9 || plain.lowercased().contains("x") else { return nil }
    return ISBN(listed: plain)
  }

  // MARK: - Other schemes

  private static func name(_ text: String) -> NumberName? {
    if let open = openNumber(text) { return NumberName(open) }
    var rest = text[...]
    if rest.lowercased().hasPrefix("urn:") { rest = rest.dropFirst(4) }
    if rest.first == "(", let end = rest.firstIndex(of: ")") {
      // `(OCoLC)424023`
      let scheme = rest[rest.index(after: rest.startIndex)..<end]
      return made(scheme, rest[rest.index(after: end)...])
    }
    if let sign = rest.firstIndex(where: { ":=".contains($0) }) {
      return made(rest[..<sign], rest[rest.index(after: sign)...])
    }
    // `OCLC 424023`, `OCLC number 424023`, `ocm00424023`
    let scheme = rest.prefix { $0.isLetter || $0 == "#" || $0 == " " }
    guard spaced.contains(scheme.lowercased().filter(\.isLetter)) else { return nil }
    return made(scheme, rest.dropFirst(scheme.count))
  }

  private static func made(_ scheme: some StringProtocol, _ value: Substring) -> NumberName? {
    guard let scheme = schemes[scheme.lowercased().filter(\.isLetter)] else { return nil }
    let pieces = value.split(separator: " ")
    guard value.contains(where: \.isNumber), pieces.count == 1 || scheme == "lccn" else {
      return nil
    }
    return NumberName(ForeignIdentifier(scheme: scheme, value: pieces.joined()))
  }

  /// `OL45804W`, `OL7353617M`, and the addresses of their pages.
  private static func openNumber(_ text: String) -> ForeignIdentifier? {
    let last = text.split { "/:".contains($0) }.last { $0.uppercased().hasPrefix("OL") } ?? ""
    let upper = last.uppercased()
    guard upper.hasPrefix("OL"), upper.hasSuffix("W") || upper.hasSuffix("M"), upper.count > 4,
      upper.dropFirst(2).dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return ForeignIdentifier(scheme: "", value: upper)
  }

  /// How readers write the names of schemes, and what adapters call them.
  private static let schemes = [
    "oclc": "oclc", "ocolc": "oclc", "worldcat": "oclc", "ocm": "oclc", "ocn": "oclc", "on": "oclc",
    "oclcnumber": "oclc", "oclcno": "oclc", "lccn": "lccn", "issn": "issn", "asin": "asin",
    "doi": "doi",
    "wikidata": "wikidata",
  ]
  /// Those that are told from words without a colon.
  private static let spaced: Set<String> = [
    "oclc", "oclcnumber", "oclcno", "ocm", "ocn", "lccn", "issn", "asin",
  ]
}

extension Substring {
  /// Where a plain word stands, whatever its case.
  fileprivate func range(of word: String) -> Range<Index>? {
    let wanted = Array(word.utf8)
    let bytes = utf8
    var start = bytes.startIndex
    while bytes.distance(from: start, to: bytes.endIndex) >= wanted.count {
      let end = bytes.index(start, offsetBy: wanted.count)
      if bytes[start..<end].elementsEqual(wanted, by: { $0 | 0x20 == $1 }) { return start..<end }
      start = bytes.index(after: start)
    }
    return nil
  }
}
