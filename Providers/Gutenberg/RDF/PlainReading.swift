/// A record as nearly all are written, read several times faster than XML in general can be: UTF-8,
/// elements, attributes and texts, namespaces declared at the root, the five entities and numbers. Of
/// anything else it says that it is not for this reader, and `EventReading` decides. Both build the
/// same graph of every document that this one takes.
struct PlainReading: ~Copyable {
  private struct Name {
    let range: Range<Int>
    let term: Term
    let code: String
  }

  private struct Prefix {
    let range: Range<Int>
    let space: Term.Space
  }

  /// What this reader does not read.
  private struct Foreign: Error {}

  private static let deepest = 32
  private static let mostAttributes = 24
  private static let longestText = 4 << 20

  private let bytes: [UInt8]
  private var at = 0
  private var prefixes: [Prefix] = []
  private var open: [Range<Int>] = []
  private var builder = GraphBuilder()
  private var isRootSeen = false

  static func graph(of bytes: [UInt8]) -> Graph? {
    let reading = PlainReading(bytes)
    do throws(Foreign) { return try reading.read() } catch { return nil }
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private consuming func read() throws(Foreign) -> Graph {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    guard ASCII.isWhole(bytes) || String(validating: bytes, as: UTF8.self) != nil else {
      throw Foreign()
    }
    try declaration()
    while true {
      let text = try text()
      guard at < bytes.count else {
        guard open.isEmpty, isRootSeen, text.isBlank else { throw Foreign() }
        return builder.finished()
      }
      if open.isEmpty, !text.isBlank { throw Foreign() }
      try tag(after: text)
    }
  }

  // MARK: - Between tags

  private struct Text {
    let range: Range<Int>
    var isBlank = true
    /// Without references, and with no line end but the one that XML knows.
    var isPlain = true
  }

  private mutating func text() throws(Foreign) -> Text {
    let start = at
    var place = start
    var (isBlank, isPlain) = (true, true)
    let all = bytes
    let source = all.span
    while place < source.count {
      let byte = source[place]
      // Letters and most signs.
      if byte > 0x3C {
        isBlank = false
        if byte == 0x5D, place + 2 < source.count, source[place + 1] == 0x5D, source[place + 2] == 0x3E {
          throw Foreign()
        }
        // Two characters that XML forbids; rare enough to be left to others.
        if byte == 0xEF, place + 1 < source.count, source[place + 1] == 0xBF { throw Foreign() }
      } else if byte == 0x3C {
        break
      } else if byte > 0x20 {
        isBlank = false
        if byte == 0x26 { isPlain = false }
      } else if byte < 0x20 {
        guard byte == 0x0A || byte == 0x0D || byte == 0x09 else { throw Foreign() }
        if byte == 0x0D { isPlain = false }
      }
      place += 1
    }
    guard place - start <= Self.longestText else { throw Foreign() }
    at = place
    return Text(range: start..<place, isBlank: isBlank, isPlain: isPlain)
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// References are replaced and line ends made one, as XML wants both.
  private func decoded(_ range: Range<Int>, isAttribute: Bool = false) throws(Foreign) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      place += 1
      switch byte {
      case 0x26: try reference(at: &place, before: range.upperBound, into: &out)
      case 0x0D:
        if place < range.upperBound, bytes[place] == 0x0A { place += 1 }
        out.append(isAttribute ? 0x20 : 0x0A)
      case 0x0A, 0x09: out.append(isAttribute ? 0x20 : byte)
      default: out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private func reference(at place: inout Int, before end: Int, into out: inout [UInt8])
    throws(Foreign)
  {
    guard let close = bytes[place..<min(place + 12, end)].firstIndex(of: 0x3B) else {
      throw Foreign()
    }
    let name = string(place..<close)
    place = close + 1
    switch name {
    case "amp": out.append(0x26)
    case "lt": out.append(0x3C)
    case "gt": out.append(0x3E)
    case "quot": out.append(0x22)
    case "apos": out.append(0x27)
    default:
      guard name.hasPrefix("#") else { throw Foreign() }
      let isHex = name.hasPrefix("#x")
      let digits = name.dropFirst(isHex ? 2 : 1)
      guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let number = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(number),
        number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number),
        number != 0xFFFE, number != 0xFFFF
      else { throw Foreign() }
      out += Array(String(scalar).utf8)
    }
  }

  // MARK: - Tags

  private mutating func tag(after text: Text) throws(Foreign) {
    at += 1
    guard at < bytes.count else { throw Foreign() }
    if bytes[at] == 0x2F { return try endTag(after: text) }
    guard !isRootSeen || !open.isEmpty, open.count < Self.deepest else { throw Foreign() }
    let name = try nameRange()
    let isRoot = open.isEmpty
    if isRoot { isRootSeen = true }
    let raw = try attributes()
    if isRoot { try declare(raw) }
    let (term, code) = try term(name)
    // Of the root nothing is said but the namespaces.
    builder.start(term, code: code, isRoot ? .init() : try meaning(of: raw))
    if bytes[at] == 0x2F {
      at += 1
      guard at < bytes.count, bytes[at] == 0x3E else { throw Foreign() }
      builder.end { "" }
    } else {
      open.append(name)
    }
    at += 1
  }

  private mutating func endTag(after text: Text) throws(Foreign) {
    at += 1
    let name = try nameRange()
    skipBlanks()
    guard at < bytes.count, bytes[at] == 0x3E, let begun = open.popLast(), equal(begun, name)
    else { throw Foreign() }
    at += 1
    var words = ""
    if text.range.isEmpty {
      words = ""
    } else if text.isPlain {
      words = string(text.range)
    } else {
      words = try decoded(text.range)
    }
    builder.end { words }
  }

  private func equal(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count else { return false }
    let all = bytes
    let source = all.span
    for offset in 0..<one.count
    where source[one.lowerBound + offset] != source[other.lowerBound + offset] {
      return false
    }
    return true
  }

  private mutating func skipBlanks() {
    var place = at
    let all = bytes
    let source = all.span
    while place < source.count, ASCII.isBlank(source[place]) { place += 1 }
    at = place
  }

  /// Letters, digits and three signs, with a colon at most once: all that these records use.
  private mutating func nameRange() throws(Foreign) -> Range<Int> {
    let start = at
    var place = start
    let all = bytes
    let source = all.span
    var colons = 0
    while place < source.count {
      let byte = source[place]
      if byte == 0x3A {
        colons += 1
        guard place > start else { throw Foreign() }
      } else if !ASCII.isNamePart(byte) {
        break
      }
      place += 1
    }
    guard place > start, place - start < 200, colons < 2, ASCII.isLetter(source[start]),
      source[place - 1] != 0x3A
    else { throw Foreign() }
    at = place
    return start..<place
  }

  // MARK: - Attributes

  private struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
    let isPlain: Bool
  }

  /// Up to the `>` or `/` that ends the tag.
  private mutating func attributes() throws(Foreign) -> [Attribute] {
    var found: [Attribute] = []
    while true {
      let before = at
      skipBlanks()
      guard at < bytes.count else { throw Foreign() }
      if bytes[at] == 0x3E || bytes[at] == 0x2F { return found }
      guard at > before, found.count < Self.mostAttributes else { throw Foreign() }
      let name = try nameRange()
      skipBlanks()
      guard at < bytes.count, bytes[at] == 0x3D else { throw Foreign() }
      at += 1
      skipBlanks()
      let (value, isPlain) = try attributeValue()
      guard !found.contains(where: { equal($0.name, name) }) else { throw Foreign() }
      found.append(Attribute(name: name, value: value, isPlain: isPlain))
    }
  }

  private mutating func attributeValue() throws(Foreign) -> (Range<Int>, isPlain: Bool) {
    guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { throw Foreign() }
    let quote = bytes[at]
    let start = at + 1
    var place = start
    var isPlain = true
    let all = bytes
    let source = all.span
    while place < source.count, source[place] != quote {
      let byte = source[place]
      if byte == 0x3C || byte == 0xEF { throw Foreign() }
      if byte == 0x26 { isPlain = false }
      if byte < 0x20 {
        guard ASCII.isBlank(byte) else { throw Foreign() }
        isPlain = false
      }
      place += 1
    }
    guard place < source.count, place - start <= Self.longestText else { throw Foreign() }
    at = place + 1
    return (start..<place, isPlain)
  }

  private func text(of attribute: Attribute) throws(Foreign) -> String {
    attribute.isPlain
      ? string(attribute.value) : try decoded(attribute.value, isAttribute: true)
  }

  private func meaning(of raw: [Attribute]) throws(Foreign) -> GraphBuilder.Attributes {
    var found = GraphBuilder.Attributes()
    for attribute in raw {
      let (space, local) = try split(attribute.name)
      switch (space, string(local)) {
      case (.rdf, "about"): found.about = try text(of: attribute)
      case (.rdf, "resource"): found.resource = try text(of: attribute)
      case (.rdf, "nodeID"): found.node = try text(of: attribute)
      case (.rdf, "datatype"): break
      case (.rdf, "parseType"): found.isResource = try text(of: attribute) == "Resource"
      default:
        let (term, code) = try term(attribute.name)
        if term != .other { found.others.append((term, code, try text(of: attribute))) }
      }
    }
    return found
  }

  // MARK: - Namespaces

  private mutating func declare(_ raw: [Attribute]) throws(Foreign) {
    for attribute in raw {
      let name = string(attribute.name)
      guard name.hasPrefix("xmlns:") else {
        // A namespace without a prefix would be that of every plain name.
        guard name == "xml:base", attribute.isPlain else { throw Foreign() }
        continue
      }
      // Whether another one is well made is for others to say.
      let uri = try text(of: attribute)
      guard Self.known.contains(uri), name != "xmlns:xml", name != "xmlns:xmlns" else {
        throw Foreign()
      }
      let range = attribute.name.dropFirst(6)
      prefixes.append(Prefix(range: range, space: Term.Space(uri)))
    }
    guard prefixes.contains(where: { $0.space == .rdf }) else { throw Foreign() }
  }

  private static let known: Set<String> = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#",
    "http://purl.org/dc/terms/", "http://purl.org/dc/dcam/",
    "http://www.gutenberg.org/2009/pgterms/", "http://id.loc.gov/vocabulary/relators/",
    "http://id.loc.gov/vocabulary/relators", "http://web.resource.org/cc/",
    "http://creativecommons.org/ns#", "http://www.w3.org/2001/XMLSchema#",
  ]

  /// A name without a prefix, or with one that nobody declared, is for others to judge.
  private func split(_ name: Range<Int>) throws(Foreign) -> (Term.Space, Range<Int>) {
    let all = bytes
    let source = all.span
    var colon = name.lowerBound
    while colon < name.upperBound, source[colon] != 0x3A { colon += 1 }
    guard colon < name.upperBound else { throw Foreign() }
    let prefix = name.lowerBound..<colon
    let local = (colon + 1)..<name.upperBound
    for known in prefixes where equal(known.range, prefix) { return (known.space, local) }
    throw Foreign()
  }

  private func term(_ name: Range<Int>) throws(Foreign) -> (Term, String) {
    let (space, range) = try split(name)
    guard space != .other else { return (.other, "") }
    let local = string(range)
    let term = Term(space, local)
    return (term, EventReading.code(term, local))
  }

  /// `<?xml version="1.0" encoding="utf-8"?>`, which may be left out.
  private mutating func declaration() throws(Foreign) {
    let start: [UInt8] = Array("<?xml ".utf8)
    guard bytes[at...].starts(with: start) else { return }
    guard let end = bytes[at...].prefix(200).firstIndex(of: 0x3E) else { throw Foreign() }
    let words = string((at + start.count)..<end).lowercased().split(separator: " ")
    let known: Set<Substring> = [
      "version=\"1.0\"", "version='1.0'", "encoding=\"utf-8\"?", "encoding='utf-8'?", "?",
      "version=\"1.0\"?", "version='1.0'?",
    ]
    guard words.first?.hasPrefix("version=") == true, words.count < 4,
      words.allSatisfy({ known.contains($0) }), words.last?.hasSuffix("?") == true
    else { throw Foreign() }
    at = end + 1
  }
}

/// Kinds of bytes.
enum ASCII {
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
  }

  static func isNamePart(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }

  static func isWhole(_ bytes: [UInt8]) -> Bool {
    let source = bytes.span
    var together: UInt8 = 0
    for index in source.indices { together |= source[index] }
    return together < 0x80
  }
}
