/// A record as nearly all are written, read several times faster than XML in general can be: UTF-8,
/// elements, attributes and texts, namespaces declared at the root, the five entities and numbers.
/// Of anything else it says that it is not for this reader, and `EventReading` decides. Both build
/// the same graph of every document that this one takes.
struct PlainReading: ~Copyable {
  struct Prefix {
    let range: Range<Int>
    let space: Term.Space
  }

  /// What this reader does not read.
  struct Foreign: Error {}

  private static let deepest = 32
  static let mostAttributes = 24
  static let longestText = 4 << 20

  var at = 0
  var prefixes: [Prefix] = []
  let vocabulary = Vocabulary.usual
  /// Whether its names mean what they mean in the vocabulary.
  var isUsual = false
  static let places = 128
  var names = [Name?](repeating: nil, count: places)
  var found: [Attribute] = []
  var builder: GraphBuilder
  /// Whether signs occur that are looked at one by one.
  var isOdd = false
  private var open: [Range<Int>] = []
  private var isRootSeen = false

  static func graph(of bytes: [UInt8]) -> Graph? {
    guard bytes.count <= Graph.mostBytes else { return nil }
    var reading = PlainReading(bytes)
    do throws(Foreign) { try reading.read(bytes.span) } catch { return nil }
    return reading.finished()
  }

  private init(_ bytes: [UInt8]) {
    builder = GraphBuilder(of: bytes)
    found.reserveCapacity(8)
    open.reserveCapacity(16)
  }

  private consuming func finished() -> Graph { builder.finished() }

  private mutating func read(_ source: Span<UInt8>) throws(Foreign) {
    let signs = Signs(of: source)
    isOdd = signs.isOdd
    guard signs.isText else { throw Foreign() }
    if source.count > 2, source[0] == 0xEF, source[1] == 0xBB, source[2] == 0xBF { at = 3 }
    try declaration(source)
    while true {
      let text = try text(source)
      guard at < source.count else {
        guard open.isEmpty, isRootSeen, isBlank(text.range, source) else { throw Foreign() }
        return
      }
      if open.isEmpty, !isBlank(text.range, source) { throw Foreign() }
      try tag(after: text, source)
    }
  }

  // MARK: - Between tags

  private struct Text {
    let range: Range<Int>
    /// Without references, and with no line end but the one that XML knows.
    var isPlain = true
  }

  private mutating func text(_ source: Span<UInt8>) throws(Foreign) -> Text {
    let start = at
    var isPlain = true
    if isOdd {
      at = try oddText(source, from: start, &isPlain)
    } else {
      at = Signs.first(0x3C, 0x26, in: source, from: start)
      if at < source.count, source[at] == 0x26 {
        isPlain = false
        at = Signs.first(0x3C, 0x3C, in: source, from: at)
      }
    }
    guard at - start <= Self.longestText else { throw Foreign() }
    return Text(range: start..<at, isPlain: isPlain)
  }

  private func oddText(
    _ source: Span<UInt8>, from start: Int, _ isPlain: inout Bool
  ) throws(Foreign) -> Int {
    var place = start
    while place < source.count, source[place] != 0x3C {
      let byte = source[place]
      if byte == 0x5D, place + 2 < source.count, source[place + 1] == 0x5D,
        source[place + 2] == 0x3E
      {
        throw Foreign()
      }
      // Two characters that XML forbids; rare enough to be left to others.
      if byte == 0xEF, place + 1 < source.count, source[place + 1] == 0xBF { throw Foreign() }
      if byte < 0x20, !ASCII.isBlank(byte) { throw Foreign() }
      if byte == 0x26 || byte == 0x0D { isPlain = false }
      place += 1
    }
    return place
  }

  private func isBlank(_ range: Range<Int>, _ source: Span<UInt8>) -> Bool {
    for place in range where !ASCII.isBlank(source[place]) { return false }
    return true
  }

  func string(_ range: Range<Int>, _ source: Span<UInt8>) -> String {
    guard let text = try? UTF8Span(validating: source.extracting(range)) else { return "" }
    return String(copying: text)
  }

  /// References are replaced and line ends made one, as XML wants both.
  mutating func decoded(
    _ range: Range<Int>, _ source: Span<UInt8>, isAttribute: Bool = false
  ) throws(Foreign) -> Graph.Piece {
    var out: [UInt8] = []
    out.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = source[place]
      place += 1
      switch byte {
      case 0x26: try reference(source, at: &place, before: range.upperBound, into: &out)
      case 0x0D:
        if place < range.upperBound, source[place] == 0x0A { place += 1 }
        out.append(isAttribute ? 0x20 : 0x0A)
      case 0x0A, 0x09: out.append(isAttribute ? 0x20 : byte)
      default: out.append(byte)
      }
    }
    return builder.keep(out)
  }

  private func reference(
    _ source: Span<UInt8>, at place: inout Int, before end: Int, into out: inout [UInt8]
  ) throws(Foreign) {
    let close = Signs.first(0x3B, 0x3B, in: source, from: place)
    guard close < min(place + 12, end) else { throw Foreign() }
    guard Signs(of: source.extracting(place..<close)).isASCII else { throw Foreign() }
    let name = string(place..<close, source)
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

  private mutating func tag(after text: Text, _ source: Span<UInt8>) throws(Foreign) {
    at += 1
    guard at < source.count else { throw Foreign() }
    if source[at] == 0x2F { return try endTag(after: text, source) }
    // Whether references are good ones is only looked at where a text ends an element.
    guard text.isPlain || isBlank(text.range, source), !isRootSeen || !open.isEmpty,
      open.count < Self.deepest
    else { throw Foreign() }
    let name = try nameRange(source)
    let isRoot = open.isEmpty
    if isRoot { isRootSeen = true }
    try attributes(source)
    if isRoot { try declare(source) }
    let meant = try meaning(ofName: name, source)
    // Of the root nothing is said but the namespaces.
    builder.start(
      meant.term, code: meant.code, isRoot || found.isEmpty ? .init() : try meaning(source))
    if source[at] == 0x2F {
      at += 1
      guard at < source.count, source[at] == 0x3E else { throw Foreign() }
      builder.end(Graph.Piece())
    } else {
      open.append(name)
    }
    at += 1
  }

  private mutating func endTag(after text: Text, _ source: Span<UInt8>) throws(Foreign) {
    at += 1
    guard let begun = open.popLast() else { throw Foreign() }
    guard begun.count < source.count - at else { throw Foreign() }
    let name = at..<(at + begun.count)
    at = name.upperBound
    if source[at] != 0x3E { skipBlanks(source) }
    guard Signs.areEqual(source, begun, name), at < source.count, source[at] == 0x3E else {
      throw Foreign()
    }
    at += 1
    builder.end(text.isPlain ? Graph.Piece(text.range) : try decoded(text.range, source))
  }

  mutating func skipBlanks(_ source: Span<UInt8>) {
    while at < source.count, ASCII.isBlank(source[at]) { at += 1 }
  }

  /// Up to what cannot be part of a name. Whether it is one is looked at where its meaning is, and of
  /// each name once: see `isName`.
  mutating func nameRange(_ source: Span<UInt8>) throws(Foreign) -> Range<Int> {
    let start = at
    at = Signs.firstAfterName(in: source, from: start)
    guard at > start else { throw Foreign() }
    return start..<at
  }

  /// Letters, digits and three signs, with a colon at most once: all that these records use.
  func isName(_ range: Range<Int>, _ source: Span<UInt8>) -> Bool {
    var colons = 0
    for place in range {
      if source[place] == 0x3A {
        colons += 1
      } else if !ASCII.isNamePart(source[place]) {
        return false
      }
    }
    return colons < 2 && range.count < 200 && ASCII.isLetter(source[range.lowerBound])
      && source[range.upperBound - 1] != 0x3A
  }
}
