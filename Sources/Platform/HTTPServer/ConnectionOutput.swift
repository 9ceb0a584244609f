import CEvent
import Glibc
import HTTP

/// The sending half of a connection.
extension Connection {
  /// Puts an answer together in the loop's staging buffer; `flush` sends it.
  func send(_ response: Response) {
    guard let head = exchange?.head else { return }
    if case .severed = response.body { return sever() }
    if !line.permits.isEmpty { isPatrons = true }
    let response = admitted(response)
    if !response.isHeldByPermits(to: head.method) { line.permits.forget() }
    let before = unsafe evbuffer_get_length(loop.staging)
    let keepsAlive = head.isPersistent && !loop.isDraining
    exchange?.route = response.route
    exchange?.patronHash = response.patronHash
    exchange?.errorCode = response.errorCode
    exchange?.keepsAlive = keepsAlive
    let stream = write(response, to: head, keepsAlive: keepsAlive)
    exchange?.bytesSent = unsafe evbuffer_get_length(loop.staging) - before
    if let stream {
      begin(stream, for: head)
    } else {
      finishExchange()
    }
  }

  /// Writes head and body; gives back the stream that has to follow, if there is one.
  @discardableResult
  func write(_ response: Response, to head: RequestHead?, keepsAlive: Bool) -> StreamBody? {
    if case .cached(let cached) = response.body, response.status == .ok, let head,
      writeQuickly(cached, response.headers, to: head, keepsAlive: keepsAlive)
    {
      exchange?.status = 200
      return nil
    }
    let reply = head.map { response.reply(to: $0) } ?? response.replyToNobody()
    return write(reply, to: head, keepsAlive: keepsAlive)
  }

  /// The page as it was prepared. Only for plain requests: whatever asks for a part, a condition
  /// or a head alone goes the long way.
  private func writeQuickly(
    _ cached: CachedBody, _ headers: Headers, to head: RequestHead, keepsAlive: Bool
  ) -> Bool {
    guard head.method == .get, !head.marks.contains(.conditional) else { return false }
    let accept =
      head.marks.contains(.acceptEncoding) ? AcceptEncoding(head["Accept-Encoding"]) : nil
    guard let variant = cached.variant(accept, isRange: false) else { return false }
    loop.head.clear()
    loop.head.add(raw: variant.head)
    for field in cached.additions(headers) { loop.head.add(field) }
    guard !loop.head.isBroken else { return false }
    endHead(for: head, keepsAlive: keepsAlive)
    if let file = variant.file {
      put(file, 0..<file.length)
    } else {
      put(.shared(variant.bytes, 0..<variant.bytes.count))
    }
    return true
  }

  private func write(_ reply: Reply, to head: RequestHead?, keepsAlive: Bool) -> StreamBody? {
    var keepsAlive = keepsAlive
    loop.head.clear()
    loop.head.begin(reply.status)
    for field in reply.headers.fields { loop.head.add(field) }
    if loop.head.isBroken {
      // A fault of ours: nothing of that answer goes out.
      let problem = Problem(.internalServerError, code: "internal_error")
      return write(
        Response.problem(problem).replyToNobody(), to: head, keepsAlive: false)
    }
    exchange?.status = reply.status.code
    if case .stream(let stream) = reply.content, stream.length == nil {
      if head?.minorVersion == 1 {
        loop.head.add(Headers.Field("Transfer-Encoding", "chunked"))
      } else {
        keepsAlive = false
      }
    }
    exchange?.keepsAlive = keepsAlive
    endHead(for: head, keepsAlive: keepsAlive, isDated: reply.headers["Date"] != nil)
    switch reply.content {
    case .pieces(let pieces): for piece in pieces { put(piece) }
    case .stream(let stream): return stream
    }
    return nil
  }

  /// A handler that lives by a clock of its own dates its answers itself.
  private func endHead(for head: RequestHead?, keepsAlive: Bool, isDated: Bool = false) {
    if !isDated { loop.head.add(raw: loop.currentDateLine()) }
    if !keepsAlive {
      loop.head.add(raw: Connection.closeLine)
    } else if head?.minorVersion == 0 {
      loop.head.add(raw: Connection.keepAliveLine)
    }
    loop.head.endLine()
    add(loop.head.bytes)
  }

  private static let closeLine = Array("Connection: close\r\n".utf8)
  private static let keepAliveLine = Array("Connection: keep-alive\r\n".utf8)

  private func add(_ bytes: [UInt8]) {
    unsafe evbuffer_add(loop.staging, bytes, bytes.count)
  }

  /// Up to here copying is cheaper than keeping a reference.
  private static let copiedAtMost = 4 << 10

  private func put(_ piece: Reply.Piece) {
    switch piece {
    case .bytes(let bytes): add(bytes)
    case .shared(let shared, let range):
      if range.count <= Connection.copiedAtMost {
        unsafe shared.withBytes { bytes in
          unsafe _ = evbuffer_add(
            loop.staging, bytes.baseAddress?.advanced(by: range.lowerBound), range.count)
        }
        return
      }
      let holder = unsafe Unmanaged.passRetained(shared)
      unsafe shared.withBytes { bytes in
        unsafe _ = evbuffer_add_reference(
          loop.staging, bytes.baseAddress?.advanced(by: range.lowerBound), range.count,
          { unsafe Unmanaged<SharedBytes>.fromOpaque($2.unsafelyUnwrapped).release() },
          holder.toOpaque())
      }
    case .file(let file, let range): put(file, range)
    }
  }

  private func put(_ file: FileBody, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    guard
      let segment = unsafe evbuffer_file_segment_new(
        file.descriptor, Int64(range.lowerBound), Int64(range.count),
        UInt32(EVBUF_FS_DISABLE_LOCKING))
    else {
      // The announced length can no longer be kept, so the connection breaks after the head.
      exchange?.keepsAlive = false
      return
    }
    // The file stays open as long as a piece of it waits in a buffer.
    unsafe evbuffer_file_segment_add_cleanup_cb(
      segment, { unsafe Unmanaged<FileBody>.fromOpaque($2.unsafelyUnwrapped).release() },
      Unmanaged.passRetained(file).toOpaque())
    unsafe evbuffer_add_file_segment(loop.staging, segment, 0, Int64(range.count))
    loop.stagesFile = true
    unsafe evbuffer_file_segment_free(segment)
  }

  // MARK: Sending

  /// Sends what is staged. As long as nothing waits before it, it goes to the socket directly,
  /// which spares the event that would otherwise announce that there is room.
  func flush() {
    let staging = unsafe loop.staging
    guard phase != .closed else {
      unsafe evbuffer_drain(staging, evbuffer_get_length(staging))
      return
    }
    // Head and file leave in one packet, not in two.
    let isCorked = loop.stagesFile && unsent == 0
    loop.stagesFile = false
    delivery.handedOver += unsafe evbuffer_get_length(staging)
    if isCorked { cork(1) }
    defer { if isCorked, phase != .closed { cork(0) } }
    if unsent == 0 {
      while unsafe evbuffer_get_length(staging) > 0 {
        // For a file, 0 means both a full socket and a file that has ended; errno tells which.
        errno = 0
        let count = unsafe evbuffer_write_atmost(staging, descriptor, -1)
        if count > 0 || errno == EINTR { continue }
        if errno == EAGAIN { break }
        // Gone, or a file that has become shorter than announced.
        unsafe evbuffer_drain(staging, evbuffer_get_length(staging))
        return abort()
      }
    }
    if unsafe evbuffer_get_length(staging) > 0 { unsafe bufferevent_write_buffer(socket, staging) }
    settleShares()
    if phase == .closing, unsent == 0 { linger() }
  }

  private func cork(_ value: Int32) {
    var value = value
    // Fails on a Unix socket, which has no packets.
    _ = unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  // MARK: Streams

  private func begin(_ stream: StreamBody, for head: RequestHead) {
    let turn = turn
    exchange?.stream = Exchange.Stream(
      isChunked: stream.length == nil && head.minorVersion == 1, remaining: stream.length)
    let writer = BodyWriter { [self] bytes async throws(BodyWriter.Closed) in
      let isOpen = await withCheckedContinuation { waiting in
        let posted = loop.inbox.post { self.take(bytes, turn, waiting) }
        if !posted { waiting.resume(returning: false) }
      }
      if !isOpen { throw BodyWriter.Closed() }
    }
    exchange?.task = Task { [self] in
      var succeeded = false
      do {
        try await stream.write(writer)
        succeeded = true
      } catch {
        // The reason stays with whoever wrote the stream; the client sees the break.
      }
      let isWhole = succeeded
      loop.inbox.post { self.end(turn, isWhole) }
    }
  }

  private func take(
    _ bytes: [UInt8], _ turn: Int, _ waiting: CheckedContinuation<Bool, Never>
  ) {
    guard phase == .answering, turn == self.turn, let stream = exchange?.stream else {
      return waiting.resume(returning: false)
    }
    if let remaining = stream.remaining {
      guard bytes.count <= remaining else {
        waiting.resume(returning: false)
        return abort()
      }
      exchange?.stream?.remaining = remaining - bytes.count
    }
    if stream.isChunked { add(Array("\(String(bytes.count, radix: 16))\r\n".utf8)) }
    add(bytes)
    if stream.isChunked { add([0x0D, 0x0A]) }
    exchange?.bytesSent += bytes.count
    flush()
    // Flushing may have found the client gone.
    guard phase == .answering else { return waiting.resume(returning: false) }
    if unsent > site.limits.unsent {
      exchange?.stream?.waiting = waiting
    } else {
      waiting.resume(returning: true)
    }
  }

  private func end(_ turn: Int, _ isWhole: Bool) {
    guard phase == .answering, turn == self.turn, let stream = exchange?.stream else { return }
    guard isWhole, stream.remaining ?? 0 == 0 else { return abort() }
    if stream.isChunked { add(Array("0\r\n\r\n".utf8)) }
    finishExchange()
    pump()
  }
}

extension Response {
  /// Without a request there is nothing to fit it to.
  fileprivate func replyToNobody() -> Reply {
    var reply = Reply(status: status, headers: headers)
    if case .bytes(let bytes) = body { reply.content = .pieces([.bytes(bytes)]) }
    reply.headers.set("Content-Length", String(reply.bytes?.count ?? 0))
    return reply
  }
}
