import HTTP

/// Puts status and headers together from the lines libcurl hands on, with its own caps: a server
/// may send header lines, or interim answers, without end.
struct HeadReader {
  enum Step {
    case more
    case complete(ReplyHead)
    case tooLarge(SizeLimit)
    case malformed
  }

  private let limits: Request.Limits
  private var status: Status?
  private var fields: [Headers.Field] = []
  private var bytes = 0
  private var count = 0
  private(set) var head: ReplyHead?

  init(limits: Request.Limits) { self.limits = limits }

  mutating func take(_ line: some BidirectionalCollection<UInt8>) -> Step {
    bytes += line.count
    guard bytes <= limits.headerBytes else {
      return .tooLarge(.headerBytes(most: limits.headerBytes))
    }
    var line = line[...]
    while let last = line.last, last == 0x0A || last == 0x0D { line = line.dropLast() }
    if status == nil {
      // Trailers come after the body; they are counted and dropped.
      if head != nil { return .more }
      status = HeadReader.status(line)
      return status == nil ? .malformed : .more
    }
    return line.isEmpty ? close() : field(line)
  }

  private mutating func close() -> Step {
    guard let status else { return .malformed }
    self.status = nil
    defer { fields = [] }
    // We never ask for a change of protocol.
    if status.code == 101 { return .malformed }
    if status.code < 200 { return .more }
    let headers = Headers(fields)
    // Two lengths that differ are two messages to two readers (RFC 9110 §8.6).
    guard Set(headers.all("Content-Length")).count <= 1 else { return .malformed }
    let head = ReplyHead(status: status, headers: headers)
    self.head = head
    return .complete(head)
  }

  private mutating func field(_ line: some BidirectionalCollection<UInt8>) -> Step {
    guard !line.contains(0), !line.contains(0x0D) else { return .malformed }
    // A folded line continues the one before (RFC 9112 §5.2).
    if let first = line.first, first == 0x20 || first == 0x09 {
      guard let last = fields.popLast() else { return .more }
      let more = HeadReader.text(HeadReader.trimmed(line))
      fields.append(Headers.Field(last.name, last.value.isEmpty ? more : "\(last.value) \(more)"))
      return .more
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
      return .malformed
    }
    count += 1
    guard count <= limits.headerCount else {
      return .tooLarge(.headerCount(most: limits.headerCount))
    }
    let name = HeadReader.trimmed(line[..<colon])
    let value = HeadReader.trimmed(line[line.index(after: colon)...])
    fields.append(Headers.Field(HeadReader.text(name), HeadReader.text(value)))
    return .more
  }

  private static func status(_ line: some BidirectionalCollection<UInt8>) -> Status? {
    let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count >= 2, words[0].starts(with: Array("HTTP/".utf8)), words[1].count == 3,
      words[1].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let code = words[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return code >= 100 ? Status(code) : nil
  }

  private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let tail = bytes.drop(while: isBlank)
    return Array(tail.reversed().drop(while: isBlank).reversed())
  }

  /// What is not UTF-8 is Latin-1, as it always was in HTTP.
  private static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
