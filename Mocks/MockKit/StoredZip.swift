import Compression

/// An archive without compression (PKWARE APPNOTE 4.3): all that an EPUB needs, and byte for byte
/// the same on every machine.
package struct StoredZip {
  package init() {}

  private var files: [(name: [UInt8], bytes: [UInt8], sum: UInt32, offset: Int)] = []
  private var out: [UInt8] = []

  package mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

  package mutating func add(_ name: String, _ bytes: [UInt8]) {
    let file = (
      name: Array(name.utf8), bytes: bytes, sum: CRC32(bytes).value, offset: out.count
    )
    put(0x0403_4B50, 4)
    common(file.name, file.bytes.count, file.sum)
    out += file.name + file.bytes
    files.append(file)
  }

  /// The whole archive, with its directory.
  package consuming func finished() -> [UInt8] {
    let start = out.count
    for file in files {
      put(0x0201_4B50, 4)
      put(20, 2)
      common(file.name, file.bytes.count, file.sum)
      // Comment, disk, and both kinds of attributes.
      put(0, 2)
      put(0, 2)
      put(0, 2)
      put(0, 4)
      put(file.offset, 4)
      out += file.name
    }
    let length = out.count - start
    put(0x0605_4B50, 4)
    put(0, 4)
    put(files.count, 2)
    put(files.count, 2)
    put(length, 4)
    put(start, 4)
    put(0, 2)
    return out
  }

  /// What the local header and the directory say alike.
  private mutating func common(_ name: [UInt8], _ count: Int, _ sum: UInt32) {
    put(20, 2)
    // Names are UTF-8, nothing is compressed.
    put(0x0800, 2)
    put(0, 2)
    // 1980-01-01, the first day that fits.
    put(0, 2)
    put(0x21, 2)
    put(Int(sum), 4)
    put(count, 4)
    put(count, 4)
    put(name.count, 2)
    put(0, 2)
  }

  private mutating func put(_ value: Int, _ width: Int) {
    for shift in 0..<width { out.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
  }
}
