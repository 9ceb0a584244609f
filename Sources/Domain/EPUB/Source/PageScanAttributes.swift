// The inside of a start tag.
extension PageScan {
  /// A name, and its part behind the prefix.
  mutating func readName() throws(AtALoss) -> (Range<Int>, local: Range<Int>) {
    let start = index
    var local = start
    while index < bytes.count, Self.nameBytes[Int(bytes[index])] {
      if bytes[index] == UInt8(ascii: ":") {
        guard local == start, index > start else { throw AtALoss() }
        local = index + 1
      }
      index += 1
    }
    guard local < index, Self.startsName(bytes[start]), Self.startsName(bytes[local]) else {
      throw AtALoss()
    }
    return (start..<index, local..<index)
  }

  /// True where the tag is its own end.
  mutating func readAttributes() throws(AtALoss) -> Bool {
    seen.removeAll(keepingCapacity: true)
    var used: [ArraySlice<UInt8>] = []
    var declared = 0
    var locals: [Range<Int>] = []
    while true {
      let before = index
      skipSpace()
      guard index < bytes.count else { throw AtALoss() }
      switch bytes[index] {
      case UInt8(ascii: ">"):
        index += 1
        for prefix in used where !isDeclared(prefix) { throw AtALoss() }
        return false
      case UInt8(ascii: "/"):
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") else {
          throw AtALoss()
        }
        index += 2
        for prefix in used where !isDeclared(prefix) { throw AtALoss() }
        return true
      default:
        guard index > before, seen.count + declared < 256 else { throw AtALoss() }
      }
      let (name, local) = try readName()
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { throw AtALoss() }
      index += 1
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == 0x27 else {
        throw AtALoss()
      }
      for other in seen where bytes[other].elementsEqual(bytes[name]) { throw AtALoss() }
      seen.append(name)
      let isPrefixed = local.lowerBound > name.lowerBound
      if isPrefixed, bytes[name].starts(with: "xmlns:".utf8) {
        let before = index
        for other in prefixes
        where other.depth == open.count && other.name.elementsEqual(bytes[local]) {
          throw AtALoss()
        }
        prefixes.append((bytes[local], open.count))
        declared += 1
        try readValue(nil)
        guard Self.isNamespace(bytes[(before + 1)..<(index - 1)]),
          !bytes[local].starts(with: "xml".utf8)
        else { throw AtALoss() }
        continue
      }
      // Two prefixes may stand for one namespace.
      if isPrefixed {
        for other in locals where bytes[other].elementsEqual(bytes[local]) { throw AtALoss() }
        locals.append(local)
        used.append(bytes[name.lowerBound..<(local.lowerBound - 1)])
      }
      let value = index
      try readValue(attributeNumber(local, isPrefixed: isPrefixed))
      if bytes[name].elementsEqual("xmlns".utf8) {
        guard Self.isNamespace(bytes[(value + 1)..<(index - 1)]) else { throw AtALoss() }
      }
    }
  }

  /// Namespaces count for nothing but that there are some; the general reader refuses one that is no
  /// address, so what may be none is left to it.
  private static func isNamespace(_ value: ArraySlice<UInt8>) -> Bool {
    for (start, others) in [("http://", "/.-_#"), ("https://", "/.-_#"), ("urn:", ":.-_")] {
      guard value.starts(with: start.utf8) else { continue }
      let rest = value.dropFirst(start.utf8.count)
      let hashes = rest.count { $0 == UInt8(ascii: "#") }
      return rest.first.map { nameBytes[Int($0)] && $0 != 0x3A } == true && hashes < 2
        && rest.allSatisfy { nameBytes[Int($0)] && $0 != 0x3A || others.utf8.contains($0) }
    }
    return false
  }

  /// From quote to quote; kept under the number, if there is one.
  private mutating func readValue(_ number: Int32?) throws(AtALoss) {
    let quote = bytes[index]
    index += 1
    let start = index
    var isPlain = true
    while index < bytes.count, bytes[index] != quote {
      switch Self.kinds[Int(bytes[index])] {
      case .plain, .bracket: break
      case .space: if bytes[index] != 0x20 { isPlain = false }
      case .reference, .lineEnd: isPlain = false
      case .opening: throw AtALoss()
      }
      index += 1
    }
    guard index < bytes.count else { throw AtALoss() }
    let end = index
    index += 1
    if isPlain {
      if let number { draft.attribute(number, bytes[start..<end]) }
      return
    }
    let value = try resolved(start..<end)
    if let number { draft.attribute(number, value) }
  }

  private mutating func resolved(_ range: Range<Int>) throws(AtALoss) -> [UInt8] {
    let after = index
    defer { index = after }
    var value: [UInt8] = []
    index = range.lowerBound
    while index < range.upperBound {
      switch Self.kinds[Int(bytes[index])] {
      case .reference:
        value += try reference()
        guard index <= range.upperBound else { throw AtALoss() }
      case .lineEnd:
        value.append(0x20)
        index += 1
        if index < range.upperBound, bytes[index] == 0x0A { index += 1 }
      case .space:
        value.append(0x20)
        index += 1
      default:
        value.append(bytes[index])
        index += 1
      }
    }
    return value
  }

  static func startsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  static let nameBytes: [Bool] = (0..<256).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
