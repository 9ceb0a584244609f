// Over 300 lines because one connection is one state machine: its steps are only understood side by side.

import CEvent
import Glibc
import HTTP

/// One client's socket, from accept to close: reads requests, has them answered one after the
/// other, and keeps every time-out. Requests that come early wait in the input buffer, so answers
/// are in order by themselves.
@safe final class Connection: @unchecked Sendable {
  // Touched on its loop's thread only. Tasks carry it, but everything they hand back is posted.
  enum Phase {
    /// Between requests.
    case waiting
    case inHead
    case inBody
    /// A handler is at work, or its stream is being sent.
    case answering
    /// The last answer is going out; whatever still comes in is thrown away.
    case closing
    /// All is sent; the client gets time to read it before the connection goes.
    case lingering
    case closed
  }

  let loop: Loop
  let line: Request.Line
  let descriptor: Int32
  /// libevent's buffered socket; freed exactly once, in `close`.
  let socket: OpaquePointer
  var slot = 0
  var phase = Phase.waiting
  var deadline: Monotonic
  var exchange: Exchange?
  /// Counts exchanges, so that an answer which comes too late finds another number.
  var turn = 0
  var inputEnded = false
  /// The permits of answers under way, as `OpenAnswers` counts them.
  var held: Set<AnswerPermit> = []
  let reader: RequestReader
  /// What large answers that wait here take of the room for them, and when they have to be gone.
  var shares: [AnswerRoom.Share] = []
  var answerDeadline = Monotonic.never
  private var head: RequestHead?
  /// When the first byte of the request came.
  private(set) var began = Monotonic.never
  /// Since when nothing is expected but the client's next request, or its end.
  private(set) var quietSince = Monotonic.now
  /// Whether a request of a signed-in patron was answered here.
  var isPatrons = false
  var delivery = Delivery()
  private var abandonAt = Monotonic.never
  private var heldBytes = 0
  private var upload: Upload?
  private var stalledSince = Monotonic.never
  private var lastUnsent = 0
  private let isCounted: Bool

  /// `tried` counts the loops that have no connection to close instead.
  static func open(_ descriptor: Int32, _ peer: Peer, on loop: Loop, tried: Int = 0) {
    let admission = loop.site.admission
    var verdict = admission.admit(peer)
    if verdict == .tooMany {
      if loop.makeRoom() {
        verdict = admission.admit(peer)
      } else if let next = loop.next(after: tried),
        next.inbox.post({ open(descriptor, peer, on: next, tried: tried + 1) })
      {
        return
      }
    }
    // A connection over the limits gets an answer that says so, as long as there are few of them.
    guard verdict == .admitted || admission.turnAway() else {
      Glibc.close(descriptor)
      return
    }
    guard
      let connection = Connection(descriptor, peer, on: loop, isCounted: verdict == .admitted)
    else {
      verdict == .admitted ? admission.release(peer) : admission.releaseTurnedAway()
      Glibc.close(descriptor)
      return
    }
    loop.add(connection)
    switch verdict {
    case .admitted: break
    case .tooManyFromThere: connection.turnAway(.tooManyConnections)
    case .tooMany: connection.turnAway(.overloaded)
    }
    // Handed over by a loop that did not know yet.
    if loop.isDraining { connection.drain() }
  }

  private init?(_ descriptor: Int32, _ peer: Peer, on loop: Loop, isCounted: Bool) {
    let options = Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)
    guard let socket = unsafe bufferevent_socket_new(loop.base, descriptor, options) else {
      return nil
    }
    unsafe self.socket = unsafe socket
    (self.descriptor, self.loop, self.isCounted) = (descriptor, loop, isCounted)
    let site = loop.site
    line = Request.Line(peer: peer, policy: site.policy)
    reader = RequestReader(site.limits)
    deadline = Monotonic.now + site.timeouts.head
    // The default of 16 KiB would send a page in four rounds.
    unsafe bufferevent_set_max_single_write(socket, 1 << 20)
    unsafe bufferevent_set_max_single_read(socket, 1 << 16)
    // Room for a whole head; beyond it the socket is not read until a request is done.
    unsafe bufferevent_setwatermark(socket, Int16(EV_READ), 0, max(1 << 16, site.limits.head * 2))
    unsafe bufferevent_setwatermark(socket, Int16(EV_WRITE), site.limits.unsent / 4, 0)
    unsafe bufferevent_setcb(
      socket,
      { unsafe Connection.of($1).readable() },
      { unsafe Connection.of($1).writable() },
      { unsafe Connection.of($2).happened(Int32($1)) },
      Unmanaged.passUnretained(self).toOpaque())
    unsafe bufferevent_enable(socket, Int16(EV_READ | EV_WRITE))
  }

  /// The loop holds every open connection, and a closed one gets no more calls.
  private static func of(_ context: UnsafeMutableRawPointer?) -> Connection {
    unsafe Unmanaged<Connection>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  var input: OpaquePointer { unsafe bufferevent_get_input(socket) }
  var output: OpaquePointer { unsafe bufferevent_get_output(socket) }
  var unsent: Int { unsafe evbuffer_get_length(output) }
  private var unread: Int { unsafe evbuffer_get_length(input) }
  var site: Site { loop.site }

  // MARK: What the socket tells

  private func readable() {
    switch phase {
    case .waiting, .inHead, .inBody: pump()
    case .closing, .lingering: unsafe evbuffer_drain(input, unread)
    case .answering, .closed: break
    }
  }

  private func writable() {
    settleShares()
    if unsent <= site.limits.unsent, let waiting = exchange?.stream?.waiting {
      exchange?.stream?.waiting = nil
      waiting.resume(returning: true)
    }
    switch phase {
    case .waiting, .inHead: pump()
    case .closing: if unsent == 0 { linger() }
    case .inBody, .answering, .lingering, .closed: break
    }
  }

  private func happened(_ what: Int32) {
    guard what & (BEV_EVENT_EOF | BEV_EVENT_ERROR | BEV_EVENT_TIMEOUT) != 0 else { return }
    guard what & BEV_EVENT_EOF != 0, what & BEV_EVENT_WRITING == 0 else { return abort() }
    inputEnded = true
    switch phase {
    case .waiting, .inHead, .inBody: pump()
    // Perhaps it only sends no more, and still waits for its answer.
    case .answering: abandonAt = Monotonic.now + site.timeouts.halfClosed
    case .closing: break
    case .lingering: if !isDelivering { close() }
    case .closed: break
    }
  }

  // MARK: Reading

  /// Goes on with whatever has come, until bytes are missing or a handler has to be waited for.
  func pump() {
    var moves = true
    while moves {
      switch phase {
      case .waiting, .inHead: moves = readHead()
      case .inBody: moves = readBody()
      case .answering, .closing, .lingering, .closed: moves = false
      }
    }
    if phase != .closed, inputEnded, unsent <= site.limits.unsent {
      switch phase {
      // What has not come until now will not come any more.
      case .waiting, .inHead, .inBody: phase = .closing
      case .answering, .closing, .lingering, .closed: break
      }
    }
    flush()
  }

  private func readHead() -> Bool {
    // A client that does not take its answers gets no further ones.
    if unsafe evbuffer_get_length(loop.staging) > site.limits.unsent { flush() }
    guard phase != .closed, unread > 0, unsent <= site.limits.unsent else { return false }
    let count = min(unread, site.limits.head + 4)
    if phase == .waiting {
      phase = .inHead
      began = Monotonic.now
      deadline = began + site.timeouts.head
    }
    do throws(Refusal) {
      let bytes = unsafe UnsafeBufferPointer(
        start: evbuffer_pullup(input, count), count: count)
      guard let (head, length) = try reader.readHead(unsafe bytes.span) else { return false }
      unsafe evbuffer_drain(input, length)
      if reader.isComplete {
        dispatch(head)
      } else {
        self.head = head
        try expectBody(of: head)
        phase = .inBody
        deadline = bodyDeadline
        // Whoever has sent its body already needs no invitation (RFC 9110 §10.1.1).
        if head.marks.contains(.expectsContinue), head.minorVersion == 1, unread == 0 {
          unsafe evbuffer_add(loop.staging, Connection.goOn, Connection.goOn.count)
        }
      }
      return true
    } catch {
      refuse(error)
      return false
    }
  }

  /// Asks, before the first byte of a body, how large it may be, and for room if it is large.
  private func expectBody(of head: RequestHead) throws(Refusal) {
    let request = Request(head, body: [], id: loop.nextID(), on: line)
    let limit = site.handler.bodyLimit(request)
    let most = limit.bytes(within: site.limits)
    try reader.expectBody(atMost: most)
    // What tells no length may become as large as it may be.
    let bytes = if case .length(let length) = head.framing { length } else { most }
    guard bytes > BodyLimit.small else { return }
    let turn = turn
    let upload = Upload(
      bytes: bytes, client: request.clientAddress, isPatrons: limit == .patronUpload,
      began: Monotonic.now
    ) { [weak self] in
      guard let self else { return }
      loop.inbox.post { self.giveWay(turn) }
    }
    guard site.admission.uploads.reserve(upload, at: upload.began) else { throw .overloaded }
    self.upload = upload
  }

  /// Another body gets the room of this one.
  private func giveWay(_ turn: Int) {
    if phase == .inBody, turn == self.turn { expire(.overloaded) }
  }

  /// When the body is late if not a byte more of it comes.
  private var bodyDeadline: Monotonic {
    let deadline = min(Monotonic.now + site.timeouts.body, began + site.timeouts.request)
    guard let upload else { return deadline }
    let allowed = Duration.milliseconds(reader.body.count * 1000 / max(1, site.limits.uploadRate))
    return min(deadline, upload.began + site.timeouts.upload + allowed)
  }

  private static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private func readBody() -> Bool {
    let count = Int(unsafe evbuffer_get_contiguous_space(input))
    guard count > 0, let head else { return false }
    do throws(Refusal) {
      let bytes = unsafe UnsafeBufferPointer(
        start: evbuffer_pullup(input, count), count: count)
      let taken = try reader.readBody(unsafe bytes.span)
      unsafe evbuffer_drain(input, taken)
      if upload == nil {
        let grown = reader.body.count - heldBytes
        heldBytes += grown
        guard site.admission.reserve(grown) else { throw .overloaded }
      }
      upload?.note(reader.isComplete ? nil : reader.body.count)
      deadline = bodyDeadline
      if reader.isComplete {
        self.head = nil
        dispatch(head)
      }
      return true
    } catch {
      refuse(error)
      return false
    }
  }

  // MARK: Answering

  private func dispatch(_ head: RequestHead) {
    settlePermits()
    let request = Request(head, body: reader.finish(), id: loop.nextID(), on: line)
    turn += 1
    phase = .answering
    deadline = began + site.timeouts.request
    exchange = Exchange(
      id: request.id, head: head, client: request.clientAddress, began: began)
    switch site.handler.answer(request) {
    case .now(let response): send(response)
    case .later(let rest):
      let turn = turn
      exchange?.task = Task { [self] in
        let response = await rest()
        loop.inbox.post { self.deliver(response, turn) }
      }
    }
  }

  private func deliver(_ response: Response, _ turn: Int) {
    guard phase == .answering, turn == self.turn else { return }
    send(response)
    pump()
  }

  /// Ends the exchange after its last byte has been handed over.
  func finishExchange() {
    guard let exchange else { return }
    report(.answered)
    self.exchange = nil
    line.presence.forget()
    releaseBody()
    abandonAt = .never
    let now = Monotonic.now
    if exchange.keepsAlive {
      phase = .waiting
      quietSince = now
      deadline = now + site.timeouts.idle
    } else {
      phase = .closing
    }
  }

  /// Answers what is no request, or none any more, and closes.
  func refuse(_ refusal: Refusal) {
    turn += 1
    exchange?.task?.cancel()
    if exchange?.stream != nil { return abort() }
    let head = exchange?.head ?? head
    let (id, client) = (exchange?.id ?? loop.nextID(), exchange?.client ?? line.peer.address)
    exchange = nil
    releaseBody()
    let before = unsafe evbuffer_get_length(loop.staging)
    write(refusal.response, to: head, keepsAlive: false)
    phase = .closing
    site.observe?(
      AccessRecord(
        head: head, id: id, client: client, status: refusal.status,
        route: nil, patronHash: nil, errorCode: nil,
        bytesSent: unsafe evbuffer_get_length(loop.staging) - before,
        duration: began < .never ? Monotonic.now - began : .zero, outcome: .refused(refusal)))
  }

  private func turnAway(_ refusal: Refusal) {
    refuse(refusal)
    flush()
  }

  private func releaseBody() {
    site.admission.unreserve(heldBytes)
    heldBytes = 0
    if let upload { site.admission.uploads.release(upload) }
    upload = nil
  }

  func report(_ outcome: AccessRecord.Outcome) {
    guard let observe = site.observe, let exchange else { return }
    observe(
      AccessRecord(
        head: exchange.head, id: exchange.id, client: exchange.client,
        status: Status(exchange.status), route: exchange.route,
        patronHash: exchange.patronHash, errorCode: exchange.errorCode,
        bytesSent: exchange.bytesSent,
        duration: Monotonic.now - exchange.began, outcome: outcome))
  }

  // MARK: Ending

  /// Says that nothing more comes, and waits for the client to close. Closing at once could
  /// reset the connection under an answer that is still being read (RFC 9112 §9.6).
  func linger() {
    unsafe evbuffer_drain(input, unread)
    guard !inputEnded || isDelivering else { return close() }
    shutdown(descriptor, Int32(SHUT_WR))
    phase = .lingering
    quietSince = .now
    let most =
      loop.isDraining ? min(site.timeouts.linger, .milliseconds(500)) : site.timeouts.linger
    deadline = Monotonic.now + most
  }

  /// The server stops: idle clients go at once, the others with their answer.
  func drain() {
    switch phase {
    case .waiting where turn > 0 && unread == 0:
      phase = .closing
      flush()
    // Just accepted: its request is on the way.
    case .waiting: deadline = min(deadline, Monotonic.now + .seconds(1))
    case .lingering: deadline = min(deadline, Monotonic.now + .milliseconds(500))
    case .inHead, .inBody, .answering, .closing, .closed: break
    }
  }

  func tick(_ now: Monotonic) {
    guard holdPermits() else { return sever() }
    let unsent = unsent + queued
    delivery.note(unsent, at: now)
    if unsent == 0 || unsent != lastUnsent { stalledSince = now }
    lastUnsent = unsent
    if unsent > 0, now >= min(stalledSince + site.timeouts.write, answerDeadline) {
      // Closed in order, the kernel would go on sending the rest.
      return held.isEmpty ? abort() : sever()
    }
    // Idle begins when the answer has gone.
    if phase == .waiting, unsent > 0 { deadline = now + site.timeouts.idle }
    if phase == .lingering, unsent > 0, !loop.isDraining { deadline = now + site.timeouts.linger }
    if phase == .answering, now >= abandonAt { abandon() }
    guard now >= deadline else { return }
    switch phase {
    case .waiting, .lingering: close()
    case .inHead: expire(.headTimedOut)
    case .inBody: expire(.bodyTimedOut)
    case .answering: if exchange?.stream == nil { expire(.requestTimedOut) }
    case .closing, .closed: break
    }
  }

  private func expire(_ refusal: Refusal) {
    refuse(refusal)
    flush()
  }

  /// Tells the handler that nobody waits for it any more.
  private func abandon() {
    abandonAt = .never
    line.presence.leave()
    exchange?.task?.cancel()
  }

  /// Closes without ceremony: the client is gone, or has to go.
  func abort() {
    if exchange != nil { report(.abandoned) }
    close()
  }

  /// Closes with a reset, so that the client cannot take it for an orderly end.
  func sever() {
    var option = Glibc.linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
    abort()
  }

  func close() {
    guard phase != .closed else { return }
    phase = .closed
    line.presence.leave()
    exchange?.task?.cancel()
    exchange?.stream?.waiting?.resume(returning: false)
    exchange = nil
    releaseBody()
    releaseShares()
    releasePermits()
    if isCounted {
      site.admission.release(line.peer)
    } else {
      site.admission.releaseTurnedAway()
    }
    unsafe bufferevent_free(socket)
    loop.remove(self)
  }
}
