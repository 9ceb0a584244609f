/// Rows in the text form of `COPY`, which takes any column type that understands the value's words:
/// fields parted by tabs, rows by line feeds, and those two and the backslash escaped.
final class PostgresCopy: RowSink {
  private let wire: PostgresWire
  private var buffer: [UInt8] = []
  private static let batch = 1 << 16
  private static let hexDigits = Array("0123456789abcdef".utf8)

  init(_ wire: PostgresWire) {
    self.wire = wire
    buffer.reserveCapacity(Self.batch + 4096)
  }

  func put(_ value: Value, at index: Int) throws(DatabaseError) {
    part(index)
    switch value {
    case .null: buffer += "\\N".utf8
    case .integer(let number): buffer += String(number).utf8
    case .real(let number): buffer += "\(number)".utf8
    case .boolean(let flag): buffer.append(flag ? UInt8(ascii: "t") : UInt8(ascii: "f"))
    case .text(let text): for byte in text.utf8 { escape(byte) }
    case .blob(let bytes):
      buffer += "\\\\x".utf8
      for byte in bytes {
        buffer.append(Self.hexDigits[Int(byte >> 4)])
        buffer.append(Self.hexDigits[Int(byte & 15)])
      }
    }
  }

  func put(text: Span<UInt8>, at index: Int) throws(DatabaseError) {
    part(index)
    for place in text.indices { escape(text[place]) }
  }

  func endRow() throws(DatabaseError) {
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.batch { try flush() }
  }

  func flush() throws(DatabaseError) {
    guard !buffer.isEmpty else { return }
    try wire.send(copied: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private func part(_ index: Int) {
    if index > 0 { buffer.append(UInt8(ascii: "\t")) }
  }

  private func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"): buffer += "\\\\".utf8
    case UInt8(ascii: "\t"): buffer += "\\t".utf8
    case UInt8(ascii: "\n"): buffer += "\\n".utf8
    case UInt8(ascii: "\r"): buffer += "\\r".utf8
    default: buffer.append(byte)
    }
  }
}
