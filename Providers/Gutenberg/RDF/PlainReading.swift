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

  let bytes: [UInt8]
  var at = 0
  var prefixes: [Prefix] = []
  static let places = 64
  var names = [Name?](repeating: nil, count: places)
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
        if byte == 0x5D, place + 2 < source.count, source[place + 1] == 0x5D,
          source[place + 2] == 0x3E
        {
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

  func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// References are replaced and line ends made one, as XML wants both.
  func decoded(_ range: Range<Int>, isAttribute: Bool = false) throws(Foreign) -> String {
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
    let meant = try meaning(ofName: name)
    // Of the root nothing is said but the namespaces.
    builder.start(meant.term, code: meant.code, isRoot ? .init() : try meaning(of: raw))
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

  func equal(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count else { return false }
    let all = bytes
    let source = all.span
    for offset in 0..<one.count
    where source[one.lowerBound + offset] != source[other.lowerBound + offset] {
      return false
    }
    return true
  }

  mutating func skipBlanks() {
    var place = at
    let all = bytes
    let source = all.span
    while place < source.count, ASCII.isBlank(source[place]) { place += 1 }
    at = place
  }

  /// Letters, digits and three signs, with a colon at most once: all that these records use.
  mutating func nameRange() throws(Foreign) -> Range<Int> {
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
}
