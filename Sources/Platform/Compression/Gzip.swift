import CZlib

/// Whole bodies as gzip members (RFC 1952), for pages that are kept and sent many times.
package enum Gzip {
  /// How hard to look for repeats: time against size.
  package enum Level: Int32, Sendable {
    case fastest = 1
    case usual = 6
    case smallest = 9
  }

  /// Nil only when memory runs out, or the input is beyond what one member can tell (4 GiB).
  package static func compress(_ bytes: [UInt8], level: Level = .usual) -> [UInt8]? {
    guard bytes.count < Int(UInt32.max) else { return nil }
    var stream = unsafe z_stream()
    // 15 bits of window, plus 16 for the gzip frame. No name and no time in the header: equal
    // input gives equal bytes, and so equal entity tags.
    guard unsafe deflate_open(&stream, level.rawValue, 15 + 16) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    let bound = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
    var finished = false
    let out = unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, written in
      unsafe bytes.withUnsafeBufferPointer { source in
        // zlib never writes through next_in; its type lacks the const.
        unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(target.count)
        finished = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
        written = unsafe target.count - Int(stream.avail_out)
      }
    }
    return finished ? out : nil
  }
}
