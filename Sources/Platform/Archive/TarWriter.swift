/// Writes archives as GNU tar does, for services that are played and for tests.
package struct TarWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ name: String, _ content: [UInt8]) {
    let path = Array(name.utf8)
    if path.count > 100 {
      block(name: Array("././@LongLink".utf8), size: path.count + 1, kind: "L")
      pad(path + [0])
    }
    block(name: Array(path.prefix(100)), size: content.count, kind: "0")
    pad(content)
  }

  package mutating func addFolder(_ name: String) {
    block(name: Array((name + "/").utf8.prefix(100)), size: 0, kind: "5")
  }

  /// Two empty blocks.
  package mutating func finish() { bytes += [UInt8](repeating: 0, count: 1024) }

  private mutating func pad(_ content: [UInt8]) {
    bytes += content
    bytes += [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  private mutating func block(name: [UInt8], size: Int, kind: Character) {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: Array(text.utf8))
    }
    block.replaceSubrange(0..<name.count, with: name)
    put(Self.octal(kind == "5" ? 0o755 : 0o644, 7), at: 100)
    put(Self.octal(0, 7), at: 108)
    put(Self.octal(0, 7), at: 116)
    put(Self.octal(size, 11), at: 124)
    put(Self.octal(1_757_000_000, 11), at: 136)
    put("        ", at: 148)
    put(String(kind), at: 156)
    put("ustar  ", at: 257)
    put(Self.octal(block.reduce(0) { $0 + Int($1) }, 6), at: 148)
    block[154] = 0
    bytes += block
  }

  private static func octal(_ number: Int, _ width: Int) -> String {
    let digits = String(number, radix: 8)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
