import CBZip2

/// Whole bodies as bzip2, for services that are played and for tests.
package enum BZip2 {
  /// Nil only when memory runs out, or the input is beyond what one call can take (4 GiB).
  /// `level` counts the hundred thousands of bytes that a block holds.
  package static func compress(_ bytes: [UInt8], level: Int = 9) -> [UInt8]? {
    guard bytes.count < 1 << 31 else { return nil }
    // What the library's manual promises to be enough: a hundredth and 600 bytes more.
    let bound = bytes.count + bytes.count / 100 + 601
    var code = BZ_OK
    let out = unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, written in
      var size = UInt32(bound)
      unsafe target.withMemoryRebound(to: CChar.self) { target in
        unsafe bytes.withUnsafeBytes { source in
          // An empty buffer has no address, and the library takes none for a mistake.
          var nothing: CChar = 0
          unsafe withUnsafeMutablePointer(to: &nothing) { nothing in
            let start = unsafe UnsafeMutablePointer(
              mutating: source.assumingMemoryBound(to: CChar.self).baseAddress)
            code = unsafe BZ2_bzBuffToBuffCompress(
              target.baseAddress, &size, start ?? nothing, UInt32(source.count),
              Int32(min(max(level, 1), 9)), 0, 0)
          }
        }
      }
      written = code == BZ_OK ? Int(size) : 0
    }
    return code == BZ_OK ? out : nil
  }

  /// One whole body at once, of one stream or several.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionError) -> [UInt8] {
    var out: [UInt8] = []
    var place = 0
    repeat {
      var stream = try BZip2Stream(bytes, from: place)
      while let piece = try stream.next() {
        guard out.count + piece.count <= limit else { throw .tooLarge(limit: limit) }
        out += piece
      }
      place = stream.place
    } while place < bytes.count
    return out
  }
}

/// The library that does the work, as linked. It tells its date behind a comma.
package let bzip2Version = String(
  (unsafe String(cString: BZ2_bzlibVersion())).prefix { $0 != "," })
