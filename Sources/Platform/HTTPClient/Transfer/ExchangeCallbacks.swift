import CCurl
import HTTP

/// What libcurl calls while it drives a hop, always on the engine's thread, always while the engine
/// holds the exchange. Each function turns pointers into values and asks the exchange.
extension Exchange {
  private static func behind(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    unsafe context.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }

  static let onHeader:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      data, size, count, context in
      guard let exchange = unsafe behind(context) else { return 0 }
      let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
      return unsafe exchange.take(headerLine: line) ? size * count : 0
    }

  static let onBody:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      data, size, count, context in
      guard let exchange = unsafe behind(context) else { return 0 }
      let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
      return unsafe exchange.take(body: bytes) ? size * count : 0
    }

  static let onRead:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      data, size, count, context in
      guard let exchange = unsafe behind(context), let source = exchange.source else { return 0 }
      let room = unsafe UnsafeMutableRawBufferPointer(start: data, count: size * count)
      guard let got = unsafe source.read(into: room) else {
        exchange.fault = source.fault.map { .sending($0) }
        return Int(CURL_READFUNC_ABORT)
      }
      exchange.moved(got)
      if source.isExhausted { exchange.enter(.waiting) }
      return got
    }

  static let onSeek: @convention(c) (UnsafeMutableRawPointer?, curl_off_t, Int32) -> Int32 = {
    context, offset, origin in
    guard let source = unsafe behind(context)?.source, origin == SEEK_SET,
      source.rewind(to: Int(offset))
    else { return CURL_SEEKFUNC_FAIL }
    return CURL_SEEKFUNC_OK
  }

  static let onOpenSocket:
    @convention(c) (UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?) ->
      curl_socket_t = {
        context, _, address in
        guard let exchange = unsafe behind(context), let address = unsafe address else {
          return door_no_socket()
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe door_address_bytes(address, &bytes)
        guard let ip = Address.IP(bytes: Array(bytes.prefix(Int(count)))),
          exchange.mayConnect(to: ip)
        else { return door_no_socket() }
        exchange.didTryConnecting = true
        exchange.enter(.connecting)
        return unsafe door_open_socket(address)
      }

  /// Nothing is changed in OpenSSL's context: its making is the sign that the handshake begins.
  static let onTLSStart:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) ->
      CURLcode = { _, _, context in
        unsafe behind(context)?.enter(.securing)
        return CURLE_OK
      }

  static let onPrerequest:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32,
      Int32
    ) -> Int32 = {
      context, remote, _, _, _ in
      guard let exchange = unsafe behind(context) else { return CURL_PREREQFUNC_ABORT }
      let remote = unsafe remote.map { unsafe String(cString: $0) } ?? ""
      return exchange.maySend(to: Address.IP(remote)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

  // MARK: - Answers

  /// A proxy is the operator's choice and may stand anywhere; it judges, and the gate has judged,
  /// the host by its name.
  private func refusal(of ip: Address.IP) -> Refusal? {
    guard order.proxy == nil, let port = order.address.effectivePort else { return nil }
    return order.configuration.gate(of: order.address).refusal(
      of: ip, for: order.address.host, port: port)
  }

  private func mayConnect(to ip: Address.IP) -> Bool {
    guard let refusal = refusal(of: ip) else { return true }
    socketRefusal = refusal
    return false
  }

  /// Asked on every connection before every request, so a pooled connection is judged for the host
  /// it is about to be used for.
  private func maySend(to ip: Address.IP?) -> Bool {
    guard let ip else { return false }
    if let refusal = refusal(of: ip) { return stop(.refusedAddress(refusal)) }
    // libcurl repeats a request by itself when a pooled connection closes without an answer. The
    // server may have acted on it all the same; only repeatable methods may be repeated so
    // (RFC 9110 §9.2.2).
    timesSent += 1
    guard timesSent == 1 || isRepeatable else {
      return stop(.connectionLost(.waiting, Cause(CURLE_GOT_NOTHING)))
    }
    enter(source.map { $0.size > 0 } == true ? .sending : .waiting)
    return true
  }

  private var isRepeatable: Bool {
    order.request.isRepeatable
      ?? [.get, .head, .put, .delete, .options].contains(order.request.method)
  }

  private func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    enter(.receiving)
    moved(line.count)
    switch unsafe head.take(line) {
    case .more: return true
    case .malformed: return stop(.malformedReply(Cause(CURLE_WEIRD_SERVER_REPLY)))
    case .tooLarge(let limit): return stop(.tooLarge(limit))
    case .complete(let head): return begin(head)
    }
  }

  private func begin(_ head: ReplyHead) -> Bool {
    if followsRedirect(head) { return true }
    if case .sink(let sink) = order.request.delivery { choice = sink.begin(head) }
    if choice == .stop { return stop(.stoppedBySink) }
    // Announced to be too much: not a byte of it is read.
    let most = order.request.limits.body
    guard order.request.method != .head, let text = head.headers["Content-Length"] else {
      return true
    }
    guard let length = Int(text), length <= most else {
      return stop(.tooLarge(.body(most: most)))
    }
    if choice == .collect { body.reserveCapacity(min(length, 1 << 20)) }
    return true
  }

  /// The page behind a redirect is read only so that the connection can be kept.
  private func followsRedirect(_ head: ReplyHead) -> Bool {
    guard case .followed = order.request.redirects else { return false }
    return head.location != nil
  }

  private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    moved(bytes.count)
    received += bytes.count
    guard let head = head.head else {
      return stop(.malformedReply(Cause(CURLE_WEIRD_SERVER_REPLY)))
    }
    if followsRedirect(head) {
      isCutShort = received > 64 << 10
      return !isCutShort
    }
    let most = order.request.limits.body
    guard received <= most else { return stop(.tooLarge(.body(most: most))) }
    guard choice == .take, case .sink(let sink) = order.request.delivery else {
      unsafe body.append(contentsOf: bytes)
      return true
    }
    return sink.write(unsafe bytes.bytes) ? true : stop(.stoppedBySink)
  }

  private func stop(_ error: TransportError) -> Bool {
    fault = error
    return false
  }
}
