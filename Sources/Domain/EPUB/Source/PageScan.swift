import Text
import XML

/// Reads a page that is well-formed, in one pass over its bytes. Books are read whole to be
/// searched, and a general reader takes most of that time. It reads nothing but what is beyond
/// doubt: where it is at a loss, the general reader takes over and finds the words for it.
struct PageScan {
  let bytes: [UInt8]
  var index = 0
  var draft: TreeDraft
  /// The whole names of the elements not ended yet.
  var open: [Range<Int>] = []
  /// Prefixes of namespaces that were declared.
  var prefixes: [(name: ArraySlice<UInt8>, depth: Int)] = []
  /// The whole names of the attributes of one element, kept to be filled again.
  var seen: [Range<Int>] = []
  private var attributeNumbers = ShortNames()
  private var known: [String: [UInt8]] = [:]
  private var references = ByteCursor(UInt8(ascii: "&"))
  private var brackets = ByteCursor(UInt8(ascii: "]"))
  private var returns = ByteCursor(0x0D)
  private(set) var hasRoot = false
  var hasDoctype = false

  struct AtALoss: Error {}

  static func tree(_ bytes: [UInt8]) -> SourceTree? {
    // Controls and the characters that are none have no place in XML, wherever they stand.
    guard PlainBytes.isXML(bytes) else { return nil }
    var scan = PageScan(bytes)
    return try? scan.run()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    draft = TreeDraft(reserving: bytes.count)
  }

  private mutating func run() throws(AtALoss) -> SourceTree {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    skipSpace()
    if starts(with: "<?xml"), index + 5 < bytes.count, Self.kinds[Int(bytes[index + 5])] == .space {
      // Only the very first thing may declare what XML this is; the bytes before it were white.
      try readDeclaration()
    }
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<") {
        try readMarkup()
      } else {
        try readText()
      }
    }
    guard open.isEmpty, hasRoot else { throw AtALoss() }
    return draft.finished()
  }

  private mutating func readMarkup() throws(AtALoss) {
    guard index + 1 < bytes.count else { throw AtALoss() }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"): try readEnd()
    case UInt8(ascii: "?"): try readInstruction()
    case UInt8(ascii: "!"):
      if starts(with: "<!--") {
        index += 4
        try skip(through: "--")
        guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { throw AtALoss() }
        index += 1
      } else if starts(with: "<![CDATA["), !open.isEmpty {
        index += 9
        let start = index
        try skip(through: "]]>")
        // Line ends of other systems would have to be changed here, too.
        guard !bytes[start..<index].contains(0x0D) else { throw AtALoss() }
        draft.text(bytes[start..<(index - 3)])
      } else if starts(with: "<!DOCTYPE"), !hasRoot, !hasDoctype {
        try readDoctype()
      } else {
        throw AtALoss()
      }
    default: try readStart()
    }
  }

  /// Up to the next tag.
  private mutating func readText() throws(AtALoss) {
    guard !open.isEmpty else {
      skipSpace()
      guard index == bytes.count || bytes[index] == UInt8(ascii: "<") else { throw AtALoss() }
      return
    }
    guard
      let end = ByteSearch.first(UInt8(ascii: "<"), in: bytes, index..<bytes.count)
    else { throw AtALoss() }
    var kept = index
    while true {
      let mark = min(
        references.next(in: bytes, from: index), brackets.next(in: bytes, from: index),
        returns.next(in: bytes, from: index))
      guard mark < end else { break }
      index = mark
      switch bytes[mark] {
      case UInt8(ascii: "&"):
        draft.text(bytes[kept..<index])
        draft.text(try reference())
        kept = index
      case 0x0D:
        // Line ends of other systems are line feeds.
        draft.text(bytes[kept..<index])
        index += 1
        kept = index
        if bytes[index] != 0x0A { draft.text([0x0A]) }
      default:
        if starts(with: "]]>") { throw AtALoss() }
        index += 1
      }
    }
    draft.text(bytes[kept..<end])
    index = end
  }

  /// What a reference stands for.
  mutating func reference() throws(AtALoss) -> [UInt8] {
    let start = index + 1
    var end = start
    while end < bytes.count, end - start < 40, bytes[end] != UInt8(ascii: ";") { end += 1 }
    guard end > start, end < bytes.count, bytes[end] == UInt8(ascii: ";") else { throw AtALoss() }
    index = end + 1
    let name = bytes[start..<end]
    if name.first == UInt8(ascii: "#") { return try number(name.dropFirst()) }
    let text = String(decoding: name, as: UTF8.self)
    if let letters = known[text] { return letters }
    guard let scalar = CharacterEntities.scalar(named: text) else { throw AtALoss() }
    let letters = Array(String(scalar).utf8)
    known[text] = letters
    return letters
  }

  private func number(_ digits: ArraySlice<UInt8>) throws(AtALoss) -> [UInt8] {
    let isHex = digits.first == UInt8(ascii: "x")
    let text = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
    guard text.utf8.first != UInt8(ascii: "+"), text.utf8.first != UInt8(ascii: "-"),
      let value = UInt32(text, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
      value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D,
      value != 0xFFFE, value != 0xFFFF
    else { throw AtALoss() }
    return Array(String(scalar).utf8)
  }

  private mutating func readEnd() throws(AtALoss) {
    guard let name = open.popLast() else { throw AtALoss() }
    let start = index + 2
    let end = start + name.count
    guard end < bytes.count else { throw AtALoss() }
    for place in 0..<name.count where bytes[start + place] != bytes[name.lowerBound + place] {
      throw AtALoss()
    }
    index = end
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { throw AtALoss() }
    index += 1
    endElement()
  }

  private mutating func endElement() {
    draft.end()
    while let last = prefixes.last, last.depth >= open.count { prefixes.removeLast() }
  }

  private mutating func readStart() throws(AtALoss) {
    guard !open.isEmpty || !hasRoot else { throw AtALoss() }
    hasRoot = true
    index += 1
    let (name, local) = try readName()
    let first = draft.nextAttribute
    let isEmpty = try readAttributes()
    if local.lowerBound > name.lowerBound {
      guard isDeclared(bytes[name.lowerBound..<(local.lowerBound - 1)]) else { throw AtALoss() }
    }
    draft.begin(draft.number(of: local, in: bytes), attributes: first)
    if isEmpty { endElement() } else { open.append(name) }
  }

  /// The number of an attribute that is asked for; nil for others.
  mutating func attributeNumber(_ local: Range<Int>, isPrefixed: Bool) -> Int32? {
    guard local.count <= 7 else {
      return AttributeName.number(
        String(decoding: bytes[local], as: UTF8.self), isPrefixed: isPrefixed)
    }
    var key: UInt64 = isPrefixed ? 1 : 0
    for place in local { key = key << 8 | UInt64(bytes[place]) }
    if let known = attributeNumbers[key] { return known < 0 ? nil : known }
    let number = AttributeName.number(
      String(decoding: bytes[local], as: UTF8.self), isPrefixed: isPrefixed)
    attributeNumbers[key] = number ?? -1
    return number
  }

  func isDeclared(_ prefix: ArraySlice<UInt8>) -> Bool {
    prefix.elementsEqual("xml".utf8) || prefixes.contains { $0.name.elementsEqual(prefix) }
  }

  // MARK: - Bytes

  enum Kind: UInt8 { case plain, space, lineEnd, opening, reference, bracket }

  static let kinds: [Kind] = (0..<256).map { byte in
    switch UInt8(byte) {
    case 0x20, 0x09, 0x0A: .space
    case 0x0D: .lineEnd
    case UInt8(ascii: "<"): .opening
    case UInt8(ascii: "&"): .reference
    case UInt8(ascii: "]"): .bracket
    default: .plain
    }
  }

  mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20,
      bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09
    {
      index += 1
    }
  }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return bytes[index..<(index + count)].elementsEqual("\(text)".utf8)
  }

  mutating func skip(through text: String) throws(AtALoss) {
    guard let found = ByteSearch.first(of: Array(text.utf8), in: bytes, from: index) else {
      throw AtALoss()
    }
    index = found + text.utf8.count
  }
}
