/// How much air a written value has.
package enum JSONLayout: Sendable { case compact, indented }

extension JSONValue {
  package func bytes(_ layout: JSONLayout = .compact) -> [UInt8] {
    var out: [UInt8] = []
    append(to: &out, layout)
    return out
  }

  package func text(_ layout: JSONLayout = .compact) -> String {
    String(decoding: bytes(layout), as: UTF8.self)
  }

  package func append(to out: inout [UInt8], _ layout: JSONLayout = .compact) {
    var writer = JSONWriter(layout: layout)
    writer.write(self, to: &out)
  }

  /// The string alone, quoted and escaped: for writers that lay their documents out themselves.
  package static func appendQuoted(_ text: String, to out: inout [UInt8]) {
    JSONWriter.quote(text, to: &out)
  }
}

private struct JSONWriter {
  let layout: JSONLayout
  var depth = 0

  init(layout: JSONLayout) { self.layout = layout }

  mutating func write(_ value: JSONValue, to out: inout [UInt8]) {
    switch value {
    case .null: out.append(contentsOf: "null".utf8)
    case .bool(let flag): out.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let number): Self.digits(of: number, to: &out)
    case .decimal(let number): out.append(contentsOf: number.literal.utf8)
    case .string(let text): Self.quote(text, to: &out)
    case .array(let elements):
      open("[", isEmpty: elements.isEmpty, to: &out)
      for (place, element) in elements.enumerated() {
        separate(place, to: &out)
        write(element, to: &out)
      }
      close("]", isEmpty: elements.isEmpty, to: &out)
    case .object(let object):
      open("{", isEmpty: object.isEmpty, to: &out)
      for (place, member) in object.members.enumerated() {
        separate(place, to: &out)
        Self.quote(member.name, to: &out)
        out.append(UInt8(ascii: ":"))
        if layout == .indented { out.append(0x20) }
        write(member.value, to: &out)
      }
      close("}", isEmpty: object.isEmpty, to: &out)
    }
  }

  private mutating func open(_ sign: Unicode.Scalar, isEmpty: Bool, to out: inout [UInt8]) {
    out.append(UInt8(ascii: sign))
    depth += 1
    if !isEmpty { breakLine(&out) }
  }

  private mutating func close(_ sign: Unicode.Scalar, isEmpty: Bool, to out: inout [UInt8]) {
    depth -= 1
    if !isEmpty { breakLine(&out) }
    out.append(UInt8(ascii: sign))
  }

  private func separate(_ place: Int, to out: inout [UInt8]) {
    guard place > 0 else { return }
    out.append(UInt8(ascii: ","))
    breakLine(&out)
  }

  private func breakLine(_ out: inout [UInt8]) {
    guard layout == .indented else { return }
    out.append(0x0a)
    for _ in 0..<depth * 2 { out.append(0x20) }
  }

  /// Numbers are half of many documents, and making a string of each costs more than its digits.
  private static func digits(of number: Int, to out: inout [UInt8]) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = 20
      var left = number.magnitude
      repeat {
        let rest = left / 10
        place -= 1
        unsafe digits[place] = UInt8(truncatingIfNeeded: left &- rest &* 10) &+ 0x30
        left = rest
      } while left > 0
      if number < 0 {
        place -= 1
        unsafe digits[place] = UInt8(ascii: "-")
      }
      unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  static func quote(_ text: String, to out: inout [UInt8]) {
    var text = text
    out.append(0x22)
    text.withUTF8 { bytes in
      var run = 0
      for index in 0..<bytes.count {
        let byte = unsafe bytes[index]
        guard byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f else { continue }
        unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[run..<index]))
        escape(byte, to: &out)
        run = index + 1
      }
      unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[run...]))
    }
    out.append(0x22)
  }

  /// DEL is escaped too, although it need not be: it moves a terminal's cursor.
  private static func escape(_ byte: UInt8, to out: inout [UInt8]) {
    out.append(0x5c)
    switch byte {
    case 0x22, 0x5c: out.append(byte)
    case 0x0a: out.append(UInt8(ascii: "n"))
    case 0x0d: out.append(UInt8(ascii: "r"))
    case 0x09: out.append(UInt8(ascii: "t"))
    default:
      out.append(contentsOf: [UInt8(ascii: "u"), 0x30, 0x30])
      out.append(hexadecimal[Int(byte >> 4)])
      out.append(hexadecimal[Int(byte & 15)])
    }
  }
}
