import CBZip2
import Glibc

/// One bzip2 stream, unpacked piece by piece from bytes that are all there.
@safe struct BZip2Stream: ~Copyable {
  private let stream: UnsafeMutablePointer<bz_stream>
  private let bytes: [UInt8]
  /// The place behind what has been read.
  private(set) var place: Int
  private(set) var isOver = false

  init(_ bytes: [UInt8], from place: Int = 0) throws(CompressionError) {
    (self.bytes, self.place) = (bytes, place)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: bz_stream())
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
  mutating func next(upTo room: Int = 1 << 20) throws(CompressionError) -> [UInt8]? {
    guard !isOver else { return nil }
    var code = BZ_OK
    let start = place
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
        place = unsafe start + count - Int(stream.pointee.avail_in)
        written = unsafe room - Int(stream.pointee.avail_out)
      }
    }
    switch code {
    case BZ_STREAM_END: isOver = true
    case BZ_OK:
      // Nothing more came out, and nothing more is there to go in.
      if piece.count < room, place == bytes.count { throw .truncated }
    case BZ_MEM_ERROR: throw .outOfMemory
    default: throw .damaged
    }
    return piece.isEmpty ? (isOver ? nil : try next(upTo: room)) : piece
  }
}
