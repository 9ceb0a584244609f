/// Writes archives as GNU tar does: whole ones in memory, or the parts around contents that are too
/// large to be held.
package struct TarWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ name: String, _ content: [UInt8]) {
    bytes += Self.head(of: name, size: content.count)
    bytes += content
    bytes += Self.padding(after: content.count)
  }

  package mutating func addFolder(_ name: String) {
    bytes += Self.block(name: Array((name + "/").utf8.prefix(100)), size: 0, kind: "5")
  }

  package mutating func finish() { bytes += Self.end }

  /// What stands in front of a file's content.
  package static func head(of name: String, size: Int) -> [UInt8] {
    let path = Array(name.utf8)
    let block = block(name: Array(path.prefix(100)), size: size, kind: "0")
    guard path.count > 100 else { return block }
    let long = path + [0]
    return Self.block(name: Array("././@LongLink".utf8), size: long.count, kind: "L") + long
      + padding(after: long.count) + block
  }

  /// What fills the last block of a content.
  package static func padding(after size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (512 - size % 512) % 512)
  }

  /// Two empty blocks.
  package static let end = [UInt8](repeating: 0, count: 1024)

  private static func block(name: [UInt8], size: Int, kind: Character) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: Array(text.utf8))
    }
    block.replaceSubrange(0..<name.count, with: name)
    put(octal(kind == "5" ? 0o755 : 0o644, 7), at: 100)
    put(octal(0, 7), at: 108)
    put(octal(0, 7), at: 116)
    if size < 1 << 33 {
      put(octal(size, 11), at: 124)
    } else {
      // Eleven digits are not enough: a binary number, as GNU writes it.
      block[124] = 0x80
      for index in 0..<8 {
        block[128 + index] = UInt8(truncatingIfNeeded: size >> (56 - 8 * index))
      }
    }
    put(octal(1_757_000_000, 11), at: 136)
    put("        ", at: 148)
    put(String(kind), at: 156)
    put("ustar  ", at: 257)
    put(octal(block.reduce(0) { $0 + Int($1) }, 6), at: 148)
    block[154] = 0
    return block
  }

  private static func octal(_ number: Int, _ width: Int) -> String {
    let digits = String(number, radix: 8)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
