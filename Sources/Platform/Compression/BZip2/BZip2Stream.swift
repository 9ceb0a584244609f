import CBZip2
import Glibc

/// One bzip2 stream, unpacked piece by piece from bytes that are all there.
@safe struct BZip2Stream: ~Copyable {
  private let stream: UnsafeMutablePointer<bz_stream>
  private let bytes: [UInt8]
  private(set) var consumed = 0
  private var isOver = false

  init(_ bytes: [UInt8]) throws(CompressionError) {
    self.bytes = bytes
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: bz_stream())
    unsafe stream.pointee.bzalloc = { _, count, size in
      unsafe LargeMemory.take(Int(count) * Int(size))
    }
    unsafe stream.pointee.bzfree = { _, memory in unsafe free(memory) }
    guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    unsafe BZ2_bzDecompressEnd(stream)
    unsafe stream.deallocate()
  }

  /// The next piece; nil behind the last one, when its checksum was right.
  mutating func next() throws(CompressionError) -> [UInt8]? {
    guard !isOver else { return nil }
    var code = BZ_OK
    let start = consumed
    let room = BZip2Block.piece
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, written in
      unsafe bytes.withUnsafeBytes { source in
        let count = min(source.count - start, 1 << 30)
        // The library never writes through next_in; its type lacks the const.
        let from = unsafe UnsafeMutablePointer(
          mutating: source.assumingMemoryBound(to: CChar.self).baseAddress?.advanced(by: start))
        unsafe stream.pointee.next_in = from
        unsafe stream.pointee.avail_in = UInt32(count)
        unsafe target.withMemoryRebound(to: CChar.self) { target in
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room)
          code = unsafe BZ2_bzDecompress(stream)
        }
        consumed = unsafe start + count - Int(stream.pointee.avail_in)
        written = unsafe room - Int(stream.pointee.avail_out)
      }
    }
    switch code {
    case BZ_STREAM_END: isOver = true
    case BZ_OK:
      // Nothing more came out, and nothing more is there to go in.
      if piece.count < room, consumed == bytes.count { throw .truncated }
    case BZ_MEM_ERROR: throw .outOfMemory
    default: throw .damaged
    }
    return piece.isEmpty ? (isOver ? nil : try next()) : piece
  }
}
