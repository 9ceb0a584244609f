extension CFI {
  package enum Fault: Error, Sendable, Hashable {
    case noFrame
    /// What stands at this byte cannot stand there.
    case unexpected(at: Int)
    case tooLong
    /// No steps lead there.
    case empty
  }

  /// Reads what somebody wrote; percent signs were undone before, if it came in an address.
  package init(_ text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    let frame = Array("epubcfi(".utf8)
    guard bytes.starts(with: frame), bytes.last == UInt8(ascii: ")") else { throw .noFrame }
    try self.init(steps: bytes[frame.count..<(bytes.count - 1)])
  }

  /// The same without the frame.
  package init(steps: String) throws(Fault) { try self.init(steps: Array(steps.utf8)[...]) }

  private init(steps bytes: ArraySlice<UInt8>) throws(Fault) {
    guard bytes.count <= 64 << 10 else { throw .tooLong }
    var reading = CFIReading(Array(bytes))
    let path = try reading.path()
    guard !path.parts.isEmpty else { throw .empty }
    if case .indirection = path.parts[0] { throw .unexpected(at: 0) }
    guard reading.take(",") else {
      try reading.finish()
      self.init(path)
      return
    }
    // What both ends have in common is a place inside which they lie.
    guard path.offset == nil else { throw .unexpected(at: reading.index) }
    let start = try reading.path()
    guard reading.take(",") else { throw .unexpected(at: reading.index) }
    let end = try reading.path()
    try reading.finish()
    self.init(path, ends: Ends(start: start, end: end))
  }
}

private struct CFIReading {
  let bytes: [UInt8]
  var index = 0
  private static let mostSteps = 1000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  private var unexpected: CFI.Fault { .unexpected(at: index) }

  func finish() throws(CFI.Fault) {
    guard index == bytes.count else { throw unexpected }
  }

  mutating func path() throws(CFI.Fault) -> CFI.Path {
    var path = CFI.Path()
    while let sign = next {
      switch sign {
      case UInt8(ascii: "/"):
        index += 1
        path.parts.append(.step(try integer(), try assertion()))
      case UInt8(ascii: "!"):
        guard path.parts.last != .indirection else { throw unexpected }
        index += 1
        path.parts.append(.indirection)
      default:
        path.offset = try offset()
        return path
      }
      guard path.parts.count <= Self.mostSteps else { throw .tooLong }
    }
    return path
  }

  /// Nil where the path ends instead.
  private mutating func offset() throws(CFI.Fault) -> CFI.Offset? {
    var offset = CFI.Offset()
    if take(":") {
      offset.characters = try integer()
    } else {
      if take("~") { offset.seconds = try number() }
      if take("@") {
        let x = try number()
        guard take(":") else { throw unexpected }
        let y = try number()
        guard x <= 100, y <= 100 else { throw unexpected }
        offset.point = CFI.Point(x: x, y: y)
      }
    }
    guard offset != CFI.Offset() else { return nil }
    offset.assertion = try assertion()
    return offset
  }

  private mutating func integer() throws(CFI.Fault) -> Int {
    let start = index
    while let digit = next, (0x30...0x39).contains(digit) { index += 1 }
    let digits = bytes[start..<index]
    // Ten digits are more than any document has.
    guard !digits.isEmpty, digits.count <= 10, digits.count == 1 || digits.first != 0x30 else {
      throw .unexpected(at: start)
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private mutating func number() throws(CFI.Fault) -> Double {
    let start = index
    while let sign = next, (0x30...0x39).contains(sign) || sign == UInt8(ascii: ".") { index += 1 }
    guard index - start <= 32, bytes[start..<index].first.map({ $0 != 0x2E }) == true,
      bytes[index - 1] != 0x2E,
      let value = Double(String(decoding: bytes[start..<index], as: UTF8.self))
    else { throw .unexpected(at: start) }
    return value
  }

  private mutating func assertion() throws(CFI.Fault) -> CFI.Assertion? {
    guard take("[") else { return nil }
    var assertion = CFI.Assertion()
    let first = try value()
    if !first.isEmpty { assertion.before = first }
    if take(",") { assertion.after = try value() }
    while take(";") {
      let name = try value()
      guard take("=") else { throw unexpected }
      var values = [try value()]
      while take(",") { values.append(try value()) }
      assertion.parameters.append(.init(name: name, values: values))
    }
    guard take("]") else { throw unexpected }
    // `[]` asserts nothing, and is written as nothing.
    return assertion == CFI.Assertion() ? nil : assertion
  }

  /// Text with its special characters escaped.
  private mutating func value() throws(CFI.Fault) -> String {
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "^"):
        guard index + 1 < bytes.count else { throw unexpected }
        index += 1
        text.append(bytes[index])
        index += 1
      case UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: ")"): throw unexpected
      default:
        text.append(byte)
        index += 1
      }
    }
    throw unexpected
  }
}
