import Compression

/// A cover that any program shows: a cloth of one color, which depends on the book, with a frame and a
/// label on it.
package struct MockPicture {
  private let color: [UInt8]

  package init(seed name: String) {
    var random = SeededRandom(seed: 0, for: name)
    color = (0..<3).map { _ in UInt8(40 + random.below(90)) }
  }

  /// PNG (ISO 15948) without compression, eight bits a color.
  package func png(width: Int, height: Int) -> [UInt8] {
    var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    out += chunk("IHDR", Self.four(width) + Self.four(height) + [8, 2, 0, 0, 0])
    let rows = (0..<height).flatMap { y -> [UInt8] in
      [0]
        + (0..<width).flatMap { x in isLight(x, y, width, height) ? color.map { $0 + 100 } : color }
    }
    out += chunk("IDAT", Self.stored(rows))
    return out + chunk("IEND", [])
  }

  private func isLight(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Bool {
    let edge = min(x, y, width - 1 - x, height - 1 - y)
    let line = width / 16
    if edge >= line && edge < line + max(1, width / 80) { return true }
    return x > width / 5 && x < width * 4 / 5 && y > height / 4 && y < height * 9 / 20
  }

  private func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + bytes
    return Self.four(bytes.count) + body + Self.four(Int(CRC32(body).value))
  }

  /// As zlib would (RFC 1950), in blocks that hold what they hold.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { out += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      out += block
    } while !rest.isEmpty
    var (one, two) = (1, 0)
    for byte in bytes {
      one = (one + Int(byte)) % 65_521
      two = (two + one) % 65_521
    }
    return out + four(two << 16 | one)
  }

  private static func four(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
