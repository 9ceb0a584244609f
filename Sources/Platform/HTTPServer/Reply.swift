package import HTTP

/// A response fitted to its request: conditions judged, ranges cut, coding chosen, length known.
/// The connection only has to write it down; a test can read it without any connection.
package struct Reply: Sendable {
  package enum Piece: Sendable {
    case bytes([UInt8])
    case shared(SharedBytes, Range<Int>)
    case file(FileBody, Range<Int>)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .shared(_, let range), .file(_, let range): range.count
      }
    }

    func cut(_ range: Range<Int>) -> Piece {
      switch self {
      case .bytes(let bytes): .bytes(Array(bytes[range]))
      case .shared(let bytes, let own):
        .shared(bytes, own.lowerBound + range.lowerBound..<own.lowerBound + range.upperBound)
      case .file(let file, let own):
        .file(file, own.lowerBound + range.lowerBound..<own.lowerBound + range.upperBound)
      }
    }
  }

  package enum Content: Sendable {
    case pieces([Piece])
    case stream(StreamBody)
  }

  package var status: Status
  package var headers: Headers
  package var content = Content.pieces([])

  /// Everything but a stream, in one.
  package var bytes: [UInt8]? {
    guard case .pieces(let pieces) = content else { return nil }
    return pieces.flatMap { piece in
      switch piece {
      case .bytes(let bytes): bytes
      case .shared(let shared, let range): shared.copy(range)
      case .file(let file, let range): file.read(range)
      }
    }
  }
}

extension Response {
  package func reply(to request: Request) -> Reply { reply(to: request.head) }

  func reply(to head: RequestHead) -> Reply {
    let isRead = head.method == .get || head.method == .head
    var reply = Reply(status: status, headers: headers)
    var validators = validators
    var piece: Reply.Piece?
    switch body {
    case .empty, .severed: break
    case .bytes(let bytes): piece = .bytes(bytes)
    case .file(let file):
      piece = .file(file, 0..<file.length)
      validators.etag = validators.etag ?? file.validators.etag
      validators.lastModified = validators.lastModified ?? file.validators.lastModified
    case .stream(let stream): reply.content = .stream(stream)
    case .cached(let cached):
      let accept =
        head.marks.contains(.acceptEncoding) ? AcceptEncoding(head["Accept-Encoding"]) : nil
      guard let variant = cached.variant(accept, isRange: head["Range"] != nil) else {
        return Response.problem(Problem(.notAcceptable, code: "no_acceptable_coding"))
          .reply(to: head)
      }
      piece = .shared(variant.bytes, 0..<variant.bytes.count)
      validators = Validators(etag: variant.etag, lastModified: cached.lastModified)
      reply.headers = Headers(cached.headers.fields + cached.additions(headers))
      if variant.etag != cached.etag { reply.headers.set("Content-Encoding", "gzip") }
    }
    if let piece { reply.content = .pieces([piece]) }
    if status == .ok {
      if let etag = validators.etag { reply.headers.set("ETag", etag.description) }
      if let date = validators.lastModified { reply.headers.set("Last-Modified", date.description) }
      if isRead { reply.judge(validators, piece, head) }
    }
    reply.settleLength(isHead: head.method == .head)
    return reply
  }
}

extension Reply {
  fileprivate mutating func judge(_ validators: Validators, _ piece: Piece?, _ head: RequestHead) {
    let canCut = piece != nil && validators != Validators()
    if canCut { headers.set("Accept-Ranges", "bytes") }
    guard head.marks.contains(.conditional) else { return }
    let asked = head.headers
    switch validators.verdict(for: head.method, asked) {
    case .notModified:
      status = .notModified
      content = .pieces([])
      // What a cache already has it need not hear again (RFC 9110 §15.4.5).
      for name in ["Content-Type", "Content-Encoding", "Content-Disposition", "Accept-Ranges"] {
        headers.set(name, nil)
      }
      return
    case .failed:
      self = Reply.precondition
      return
    case .proceed: break
    }
    // Ranges are defined for GET alone (RFC 9110 §14.2).
    guard head.method == .get, canCut, let piece, let field = asked["Range"],
      let ranges = ByteRanges(field), validators.allowsRange(asked)
    else { return }
    switch ranges.selection(of: piece.count) {
    case .whole: break
    case .unsatisfiable:
      let problem = Problem(.rangeNotSatisfiable, code: "range_not_satisfiable")
      status = problem.status
      content = .pieces([.bytes(Array(problem.json.utf8))])
      headers.set("Content-Type", MediaType.problem.description)
      headers.set("Content-Disposition", nil)
      headers.set("Content-Range", ContentRange.unsatisfied(length: piece.count).description)
    case .parts(let parts): cut(piece, into: parts)
    }
  }

  private mutating func cut(_ piece: Piece, into parts: [Range<Int>]) {
    status = .partialContent
    if parts.count == 1 {
      content = .pieces([piece.cut(parts[0])])
      headers.set("Content-Range", ContentRange.part(parts[0], of: piece.count).description)
      return
    }
    let type = headers["Content-Type"]
    let boundary = Reply.boundary()
    var pieces: [Piece] = []
    for part in parts {
      var head = "\(pieces.isEmpty ? "" : "\r\n")--\(boundary)\r\n"
      if let type { head += "Content-Type: \(type)\r\n" }
      head += "Content-Range: \(ContentRange.part(part, of: piece.count))\r\n\r\n"
      pieces += [.bytes(Array(head.utf8)), piece.cut(part)]
    }
    pieces.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
    content = .pieces(pieces)
    headers.set("Content-Type", "multipart/byteranges; boundary=\(boundary)")
  }

  /// Random, so that no file can contain it on purpose.
  private static func boundary() -> String {
    var random = SystemRandomNumberGenerator()
    return String(random.next(), radix: 36) + String(random.next(), radix: 36)
  }

  private static var precondition: Reply {
    let problem = Problem(.preconditionFailed, code: "precondition_failed")
    return Reply(
      status: problem.status, headers: ["Content-Type": MediaType.problem.description],
      content: .pieces([.bytes(Array(problem.json.utf8))]))
  }

  /// Says how long the body is, and drops it where none may follow.
  fileprivate mutating func settleLength(isHead: Bool) {
    headers.set("Content-Length", nil)
    headers.set("Transfer-Encoding", nil)
    headers.set("Connection", nil)
    let hasNone = status.code < 200 || status == .noContent || status == .notModified
    if hasNone {
      content = .pieces([])
      return
    }
    switch content {
    case .pieces(let pieces):
      headers.set("Content-Length", String(pieces.reduce(0) { $0 + $1.count }))
      if isHead { content = .pieces([]) }
    case .stream(let stream):
      if let length = stream.length { headers.set("Content-Length", String(length)) }
      if isHead { content = .pieces([]) }
    }
  }
}
