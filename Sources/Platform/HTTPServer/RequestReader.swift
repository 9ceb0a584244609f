import CLLHTTP

/// One connection's requests, from bytes: the guard first, then llhttp over the same bytes with
/// every lenient flag off. Both have to agree on where a message ends, else it is refused.
/// It knows no socket, so that a fuzzer can drive it.
@safe final class RequestReader {
  private let parser: UnsafeMutablePointer<llhttp_t>
  private let limits: Limits
  private var scanner = HeadScanner()
  private var chunks: ChunkGuard?
  /// Body bytes still to come under a Content-Length.
  private var remaining = 0
  private var seen = Seen()
  /// Of the body being read; larger ones are refused.
  private var most: Int
  private(set) var body: [UInt8] = []
  private(set) var isComplete = false

  /// What the parser has reported for the message being read.
  private struct Seen {
    var begins = 0
    var heads = 0
    var ends = 0
  }

  init(_ limits: Limits) {
    (self.limits, most) = (limits, limits.body)
    unsafe parser = .allocate(capacity: 1)
    unsafe llhttp_init(parser, HTTP_REQUEST, RequestReader.callbacks.pointer)
    unsafe parser.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { unsafe parser.deallocate() }

  /// Whether some of a head has come, but not all.
  var isInHead: Bool { scanner.position > 0 }

  /// Reads a head from `bytes`, which start at its first byte at every call. `byteCount` says how
  /// many of them it took; nil means that more are needed.
  func readHead(
    _ bytes: Span<UInt8>
  ) throws(Refusal) -> (head: RequestHead, byteCount: Int)? {
    guard try scanner.scan(bytes, within: limits) else { return nil }
    let count = scanner.position
    let own = bytes.extracting(0..<count)
    let head = try scanner.head(unsafe own.withUnsafeBufferPointer { unsafe Array($0) })
    try parse(own)
    guard seen.begins == 1, seen.heads == 1 else { throw .malformed(.framing) }
    switch head.framing {
    case .none: isComplete = true
    case .length(let length):
      guard unsafe parser.pointee.content_length == UInt64(length) else {
        throw .malformed(.framing)
      }
      remaining = length
    case .chunked: chunks = ChunkGuard(most: most)
    }
    guard seen.ends == (isComplete ? 1 : 0) else { throw .malformed(.framing) }
    return (head, count)
  }

  /// Called before the first byte of a body: how large it may be, and how much it can become, for
  /// which there is room. Memory that is not written to costs nothing, and a body that grows by
  /// doubling would for a moment be there twice.
  func expectBody(atMost limit: Int) throws(Refusal) {
    most = min(limit, limits.body)
    guard remaining <= most else { throw .bodyTooLarge }
    if chunks == nil { body.reserveCapacity(remaining) } else { chunks = ChunkGuard(most: most) }
  }

  /// Reads on in a body, and says how many of `bytes` belong to it.
  func readBody(_ bytes: Span<UInt8>) throws(Refusal) -> Int {
    var count = min(remaining, bytes.count)
    if chunks != nil {
      count = try chunks?.scan(bytes, within: limits) ?? 0
      isComplete = chunks?.isDone ?? false
    } else {
      remaining -= count
      isComplete = remaining == 0
    }
    try parse(bytes.extracting(0..<count))
    guard seen.begins == 1, seen.ends == (isComplete ? 1 : 0), body.count <= most else {
      throw .malformed(.framing)
    }
    return count
  }

  /// Gives the body away and gets ready for the next request.
  func finish() -> [UInt8] {
    let finished = body
    (body, seen, scanner) = ([], Seen(), HeadScanner())
    (chunks, remaining, isComplete, most) = (nil, 0, false, limits.body)
    unsafe llhttp_reset(parser)
    return finished
  }

  private func parse(_ bytes: Span<UInt8>) throws(Refusal) {
    let code = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) {
        unsafe llhttp_execute(parser, $0.baseAddress, $0.count)
      }
    }
    switch code {
    case HPE_OK: break
    // An offer to upgrade is ignored (RFC 9110 §7.8); the message ends here all the same.
    case HPE_PAUSED_UPGRADE: unsafe llhttp_resume_after_upgrade(parser)
    case HPE_INVALID_METHOD: throw .unknownMethod
    case HPE_INVALID_VERSION: throw .unsupportedVersion
    default: throw .malformed(chunks == nil ? .framing : .chunk)
    }
  }

  /// The parser keeps a pointer to its callbacks, so they live as long as the process.
  @safe private struct Callbacks: @unchecked Sendable {
    // Written once before it is shared, only read after that.
    let pointer: UnsafePointer<llhttp_settings_t>

    init() {
      let settings = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
      unsafe settings.initialize(to: llhttp_settings_t())
      unsafe llhttp_settings_init(settings)
      unsafe settings.pointee.on_message_begin = { parser in
        unsafe RequestReader.of(parser).seen.begins += 1
        return 0
      }
      unsafe settings.pointee.on_headers_complete = { parser in
        unsafe RequestReader.of(parser).seen.heads += 1
        return 0
      }
      unsafe settings.pointee.on_message_complete = { parser in
        unsafe RequestReader.of(parser).seen.ends += 1
        return 0
      }
      unsafe settings.pointee.on_body = { parser, start, count in
        let reader = unsafe RequestReader.of(parser)
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        unsafe reader.body.append(contentsOf: bytes)
        return 0
      }
      unsafe pointer = UnsafePointer(settings)
    }
  }

  private static let callbacks = Callbacks()

  /// The reader outlives its parser, so the pointer in it is always good.
  private static func of(_ parser: UnsafeMutablePointer<llhttp_t>?) -> RequestReader {
    unsafe Unmanaged<RequestReader>.fromOpaque(parser.unsafelyUnwrapped.pointee.data)
      .takeUnretainedValue()
  }
}
