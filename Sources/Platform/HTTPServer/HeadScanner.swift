import HTTP

/// The guard before the parser: reads a head byte by byte as it arrives and refuses everything
/// RFC 9112 lets a server refuse, above all what two servers could read in two ways. It never
/// looks at a byte twice, so a head that trickles in costs no more than one that comes at once.
struct HeadScanner: Sendable {
  private(set) var method = Method.get
  private(set) var target = 0..<0
  private(set) var minorVersion = 1
  private(set) var lines: [FieldLine] = []
  private(set) var marks: RequestHead.Marks = []
  private(set) var host: Range<Int>?
  private(set) var framing = RequestHead.Framing.none
  /// Bytes of the head read so far; all of it once `scan` has answered true.
  private(set) var position = 0

  private var lineStart = 0
  private var hasRequestLine = false
  private var length: Int?
  private var isChunked = false

  /// `bytes` starts with the head's first byte at every call. True when the head is complete.
  mutating func scan(_ bytes: Span<UInt8>, within limits: Limits) throws(Refusal) -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      if byte > 0x1F, byte != 0x7F {
        position += 1
        continue
      }
      switch byte {
      case 0x0D:
        guard position + 1 < bytes.count else {
          try check(limits)
          return false
        }
        guard bytes[position + 1] == 0x0A else { throw .malformed(.bareCarriageReturn) }
        let line = lineStart..<position
        position += 2
        lineStart = position
        try check(limits)
        if try isLast(line, of: bytes, within: limits) { return true }
      // In a field value only; the request line is checked when it is complete.
      case 0x09: position += 1
      case 0x0A: throw .malformed(.bareLineFeed)
      default: throw .malformed(.controlByte)
      }
    }
    try check(limits)
    return false
  }

  private func check(_ limits: Limits) throws(Refusal) {
    if !hasRequestLine, position > limits.requestLine + 2 { throw .requestLineTooLong }
    if position > limits.head { throw .headTooLarge }
  }

  private mutating func isLast(
    _ line: Range<Int>, of bytes: Span<UInt8>, within limits: Limits
  ) throws(Refusal) -> Bool {
    guard hasRequestLine else {
      try readRequestLine(line, of: bytes)
      hasRequestLine = true
      return false
    }
    guard !line.isEmpty else {
      try conclude(limits)
      return true
    }
    guard lines.count < limits.fields else { throw .headTooLarge }
    let field = try FieldLine(line, of: bytes)
    lines.append(field)
    try note(field, of: bytes, within: limits)
    return false
  }

  private mutating func readRequestLine(
    _ line: Range<Int>, of bytes: Span<UInt8>
  ) throws(Refusal) {
    var end = line.lowerBound
    while end < line.upperBound, isTokenByte(bytes[end]) { end += 1 }
    guard end > line.lowerBound, end < line.upperBound, bytes[end] == 0x20 else {
      throw .malformed(end == line.upperBound ? .requestLine : .method)
    }
    let name = line.lowerBound..<end
    guard name.count <= 32 else { throw .unknownMethod }
    method = HeadScanner.method(name, of: bytes)
    let start = end + 1
    end = start
    while end < line.upperBound, bytes[end] > 0x20, bytes[end] < 0x7F { end += 1 }
    guard end > start, end < line.upperBound, bytes[end] == 0x20 else {
      throw .malformed(.requestLine)
    }
    target = start..<end
    try readVersion(end + 1..<line.upperBound, of: bytes)
    guard method != Method(rawValue: "CONNECT") else { throw .malformed(.connect) }
  }

  private mutating func readVersion(
    _ range: Range<Int>, of bytes: Span<UInt8>
  ) throws(Refusal) {
    let start = range.lowerBound
    // The name is case-sensitive (RFC 9112 §2.3).
    guard range.count == 8, bytes[start] == UInt8(ascii: "H"),
      bytes[start + 1] == UInt8(ascii: "T"), bytes[start + 2] == UInt8(ascii: "T"),
      bytes[start + 3] == UInt8(ascii: "P"), bytes[start + 4] == UInt8(ascii: "/"),
      bytes[start + 6] == UInt8(ascii: ".")
    else { throw .malformed(.requestLine) }
    let (major, minor) = (bytes[start + 5] &- 0x30, bytes[start + 7] &- 0x30)
    guard major < 10, minor < 10 else { throw .malformed(.requestLine) }
    guard major == 1, minor < 2 else { throw .unsupportedVersion }
    minorVersion = Int(minor)
  }

  /// Remembers the fields that decide how the message is read and answered.
  private mutating func note(
    _ field: FieldLine, of bytes: Span<UInt8>, within limits: Limits
  ) throws(Refusal) {
    let name = field.name
    switch name.count {
    case 4 where spells("host", name, of: bytes):
      guard host == nil else { throw .malformed(.doubledHost) }
      host = field.value
      guard HostRule.allows(field.value, of: bytes) else { throw .malformed(.host) }
    case 5 where spells("range", name, of: bytes): marks.insert(.conditional)
    case 6 where spells("expect", name, of: bytes):
      guard spells("100-continue", field.value, of: bytes) else { throw .expectationFailed }
      marks.insert(.expectsContinue)
    case 8...19 where spells("if-", name.lowerBound..<name.lowerBound + 3, of: bytes):
      marks.insert(.conditional)
    case 10 where spells("connection", name, of: bytes): noteConnection(field.value, of: bytes)
    case 14 where spells("content-length", name, of: bytes):
      guard length == nil else { throw .malformed(.doubledLength) }
      length = try HeadScanner.number(field.value, of: bytes)
    case 15 where spells("accept-encoding", name, of: bytes): marks.insert(.acceptEncoding)
    case 17 where spells("transfer-encoding", name, of: bytes):
      // Every other coding is refused, so a second field cannot be right either.
      guard !isChunked, spells("chunked", field.value, of: bytes) else {
        throw .malformed(.coding)
      }
      isChunked = true
    case 9 where spells("forwarded", name, of: bytes): marks.insert(.forwarded)
    case 15, 16, 17, 18:
      if spells("x-forwarded-", name.lowerBound..<name.lowerBound + 12, of: bytes) {
        marks.insert(.forwarded)
      }
    default: break
    }
  }

  private mutating func noteConnection(_ value: Range<Int>, of bytes: Span<UInt8>) {
    var start = value.lowerBound
    while start < value.upperBound {
      var end = start
      while end < value.upperBound, isTokenByte(bytes[end]) { end += 1 }
      if spells("close", start..<end, of: bytes) { marks.insert(.close) }
      if spells("keep-alive", start..<end, of: bytes) { marks.insert(.keepAlive) }
      start = end + 1
    }
  }

  private mutating func conclude(_ limits: Limits) throws(Refusal) {
    if host == nil, minorVersion == 1 { throw .malformed(.missingHost) }
    if isChunked {
      guard length == nil else { throw .malformed(.lengthWithCoding) }
      // A coding from a client that cannot know of it (RFC 9112 §6.1).
      guard minorVersion == 1 else { throw .malformed(.coding) }
      framing = .chunked
    } else if let length, length > 0 {
      guard length <= limits.body else { throw .bodyTooLarge }
      framing = .length(length)
    }
  }

  private static func number(
    _ range: Range<Int>, of bytes: Span<UInt8>
  ) throws(Refusal) -> Int {
    guard !range.isEmpty, range.count <= 18 else { throw .malformed(.length) }
    var number = 0
    for position in range {
      let digit = bytes[position] &- 0x30
      guard digit < 10 else { throw .malformed(.length) }
      number = number * 10 + Int(digit)
    }
    return number
  }

  private static func method(_ range: Range<Int>, of bytes: Span<UInt8>) -> Method {
    switch range.count {
    case 3 where bytes[0] == 0x47 && bytes[1] == 0x45 && bytes[2] == 0x54: .get
    default:
      Method(
        rawValue: unsafe bytes.extracting(range).withUnsafeBufferPointer {
          unsafe String(decoding: $0, as: UTF8.self)
        })
    }
  }
}

extension HeadScanner {
  /// The finished head, with the checks that need all of it. `bytes` are exactly the head's.
  func head(_ bytes: [UInt8]) throws(Refusal) -> RequestHead {
    let span = bytes.span
    let target = try Target(target, of: span)
    switch target.form {
    case .asterisk: guard method == .options else { throw .malformed(.target) }
    case .absolute:
      // RFC 9112 §3.2.2 lets the target win; a client that says two things is not served at all.
      if let host, let authority = target.authority {
        guard HeadScanner.isSame(host, authority, of: span) else {
          throw .malformed(.hostMismatch)
        }
      }
    case .origin: break
    }
    return RequestHead(self, bytes: bytes, target: target, path: try target.segments(of: span))
  }

  private static func isSame(
    _ one: Range<Int>, _ other: Range<Int>, of bytes: Span<UInt8>
  ) -> Bool {
    guard one.count == other.count else { return false }
    for offset in 0..<one.count {
      let (left, right) = (bytes[one.lowerBound + offset], bytes[other.lowerBound + offset])
      let isLetter = (left | 0x20) &- 0x61 < 26
      guard left == right || (isLetter && left ^ right == 0x20) else { return false }
    }
    return true
  }
}
