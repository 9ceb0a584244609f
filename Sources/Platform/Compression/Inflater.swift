import CZlib

/// Undoes deflate piece by piece, and stops at a given size: a small file that unpacks to a huge
/// one ends in an error, not in memory.
@safe package struct Inflater: ~Copyable {
  package enum Format: Sendable {
    case gzip
    case zlib
    /// gzip or zlib, told apart by the first bytes; what `Content-Encoding` senders mean.
    case gzipOrZlib
    /// No frame at all, as inside ZIP archives; also what some servers send as `deflate`.
    case raw

    fileprivate var windowBits: Int32 {
      switch self {
      case .gzip: 15 + 16
      case .zlib: 15
      case .gzipOrZlib: 15 + 32
      case .raw: -15
      }
    }
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let format: Format
  private let limit: Int
  private var produced = 0
  /// Whether the last complete stream has ended, and nothing has been read behind it.
  package private(set) var isComplete = false

  /// `limit` caps everything this inflater ever gives out.
  package init(_ format: Format, limit: Int) throws(CompressionError) {
    (self.format, self.limit) = (format, limit)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe inflate_open(stream, format.windowBits) == Z_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Everything that `bytes` completes. gzip members may follow one another (RFC 1952 §2.2).
  package mutating func inflate(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
    var out: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      if isComplete {
        guard format == .gzip || format == .gzipOrZlib else { throw .trailingBytes }
        guard unsafe inflateReset(stream) == Z_OK else { throw .damaged }
        isComplete = false
      }
      offset += try step(bytes, from: offset, into: &out)
    }
    return out
  }

  /// The end of input: a stream cut short is damage, not a shorter text.
  package mutating func finish() throws(CompressionError) {
    guard isComplete else { throw .truncated }
  }

  /// One whole body at once.
  package static func inflate(
    _ bytes: [UInt8], as format: Format, limit: Int
  ) throws(CompressionError) -> [UInt8] {
    var inflater = try Inflater(format, limit: limit)
    let out = try inflater.inflate(bytes)
    try inflater.finish()
    return out
  }

  /// A stream without a frame in one go, for whom knows what it comes to; nil where it comes to
  /// anything else. Nothing is kept from one piece to the next, as there is only one.
  package static func inflate(_ bytes: [UInt8], to size: Int) -> [UInt8]? {
    guard size >= 0, size < 1 << 30, bytes.count < 1 << 30,
      let inflater = try? Inflater(.raw, limit: size)
    else { return nil }
    return inflater.whole(bytes, to: size)
  }

  private borrowing func whole(_ bytes: [UInt8], to size: Int) -> [UInt8]? {
    let stream = unsafe self.stream
    var isExact = false
    // One byte more, so that reaching the end and passing it look different.
    let out = unsafe [UInt8](unsafeUninitializedCapacity: size + 1) { target, written in
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(source.count)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(size + 1)
        let code = unsafe CZlib.inflate(stream, Z_FINISH)
        let isSpent = unsafe stream.pointee.avail_in == 0
        written = unsafe size + 1 - Int(stream.pointee.avail_out)
        isExact = code == Z_STREAM_END && isSpent && written == size
      }
    }
    return isExact ? out : nil
  }

  private mutating func step(
    _ bytes: [UInt8], from offset: Int, into out: inout [UInt8]
  ) throws(CompressionError) -> Int {
    var consumed = 0
    var code = Z_OK
    repeat {
      // One byte more than allowed, so that reaching the limit and passing it look different.
      let room = min((64 << 10) - 1, limit - produced) + 1
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, written in
        unsafe bytes.withUnsafeBufferPointer { source in
          let start = offset + consumed
          let count = min(source.count - start, 1 << 30)
          unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: source.baseAddress?.advanced(by: start))
          unsafe stream.pointee.avail_in = UInt32(count)
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room)
          code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
          consumed += unsafe count - Int(stream.pointee.avail_in)
          written = unsafe room - Int(stream.pointee.avail_out)
        }
      }
      produced += piece.count
      guard produced <= limit else { throw .tooLarge(limit: limit) }
      out += piece
      switch code {
      case Z_OK: break
      case Z_STREAM_END:
        isComplete = true
        return consumed
      // Nothing to do until more input comes, which is fine when all of it has been taken.
      case Z_BUF_ERROR where offset + consumed == bytes.count: return consumed
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .damaged
      }
      // A full piece may leave more behind it, even without further input.
      if piece.count < room, offset + consumed == bytes.count { return consumed }
    } while true
  }
}
