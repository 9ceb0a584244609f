import Text

extension Message {
  /// The bytes without terminator: with a number and a sum where a digit is given. Nothing that a
  /// person typed can end a field or the message. In what must be exact it is refused, elsewhere it
  /// becomes a blank.
  package func bytes(
    as wire: Wire = Wire(), sequence: Int? = nil, isSummed: Bool = true
  ) throws(WireFault) -> [UInt8] {
    var bytes = Array(kind.rawValue.utf8)
    for part in kind.fixedParts {
      guard let text = self[part], text.utf8.count == part.length,
        text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
      else { throw .misshapen(part) }
      bytes += text.utf8
    }
    for field in fields {
      bytes += [field.code.first, field.code.second]
      bytes += try field.bytes(as: wire)
      bytes.append(wire.separator)
    }
    if isSummed {
      if let sequence { bytes += "AY\(sequence % 10)".utf8 }
      bytes += "AZ".utf8
      bytes += Self.hex(Frame.checksum(of: bytes)).utf8
    }
    guard bytes.count <= Wire.longestOut else { throw .tooLong(most: Wire.longestOut) }
    return bytes
  }

  private static func hex(_ sum: UInt16) -> String {
    let digits = String(sum, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

extension Message.Field {
  fileprivate func bytes(as wire: Wire) throws(WireFault) -> [UInt8] {
    guard let bytes = wire.charset.bytes(of: value) else { throw .unwritable(code) }
    let isForbidden: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F || $0 == wire.separator }
    guard bytes.contains(where: isForbidden) else { return bytes }
    guard !code.isExact else { throw .forbiddenCharacter(code) }
    return bytes.map { isForbidden($0) ? 0x20 : $0 }
  }
}
