import CCurl
import HTTP

/// One hop: one request on the wire and its answer.
///
/// Unchecked `Sendable`: made by one task and handed to the engine, after which only the engine's
/// thread touches it until `end`, which is the last thing that happens to it.
@safe final class Exchange: Work, @unchecked Sendable {
  let id: UInt64
  let order: Order
  var source: UploadSource?
  var head: HeadReader
  var body: [UInt8] = []
  var received = 0
  var choice = BodySink.Choice.collect
  /// What we ourselves found wrong inside a callback; libcurl then only knows that it was stopped.
  var fault: TransportError?
  /// Behind a redirect enough was read; the hop is done all the same.
  var isCutShort = false
  /// Set as long as the gate has refused every address of the host: then failing to connect is
  /// its doing. Where another address was let pass, that one failed for itself.
  var socketRefusal: Refusal?
  var didTryConnecting = false
  var timesSent = 0

  private var phase = Phase.resolving
  private var meter: PaceMeter
  private var handle: EasyHandle?
  private let answer: (Result<Reply, TransportError>) -> Void

  /// Everything about a hop that is decided before it starts.
  struct Order {
    let request: Request
    /// With a host that is all ASCII.
    let address: Address
    let deadline: ContinuousClock.Instant?
    let proxy: Proxies.Proxy?
    let configuration: ClientConfiguration
  }

  init(
    _ order: Order, id: UInt64, source: UploadSource?,
    answer: @escaping (Result<Reply, TransportError>) -> Void
  ) {
    self.id = id
    self.order = order
    self.source = source
    self.answer = answer
    head = HeadReader(limits: order.request.limits)
    meter = PaceMeter(order.configuration.pace)
  }

  func prepare() throws(TransportError) -> EasyHandle {
    guard let handle = EasyHandle() else { throw .other(Cause(CURLE_OUT_OF_MEMORY)) }
    handle.configure(for: self)
    self.handle = handle
    return handle
  }

  // MARK: - Time

  var due: ContinuousClock.Instant? {
    // A meter that has not begun cannot strike earlier than one that begins now.
    let stall = meter.due ?? .now + order.configuration.pace.span
    return order.deadline.map { min($0, stall) } ?? stall
  }

  func lapse(at now: ContinuousClock.Instant) -> TransportError? {
    if let deadline = order.deadline, deadline <= now { return .deadlineExceeded(phase) }
    return meter.isTooSlow(at: now) ? .timedOut(phase) : nil
  }

  func enter(_ next: Phase) {
    guard next != phase else { return }
    phase = next
    if next >= .sending { meter.start(at: .now) } else { meter.stop() }
  }

  func moved(_ bytes: Int) { meter.add(bytes, at: .now) }

  // MARK: - The end

  /// Taking the handle away closes the connection, or resets the stream: all there is to do.
  func breaksOffItself(with error: TransportError) -> Bool { false }

  func end(_ ending: Ending) {
    let result: Result<Reply, TransportError> =
      switch ending {
      case .broken(let error): .failure(error)
      case .done(let code): settled(code)
      }
    handle = nil
    source = nil
    answer(result)
  }

  private func settled(_ code: CURLcode) -> Result<Reply, TransportError> {
    guard let handle else { return .failure(.other(Cause(CURLE_FAILED_INIT))) }
    if let fault { return .failure(fault) }
    if code == CURLE_COULDNT_CONNECT, let socketRefusal, !didTryConnecting {
      return .failure(.refusedAddress(socketRefusal))
    }
    guard code == CURLE_OK || isCutShort else {
      let limits = order.request.limits
      return .failure(TransportError(code, in: phase, of: handle, limits: limits))
    }
    guard let head = head.head else {
      // libcurl takes an end within the headers for the end of an answer.
      return .failure(.connectionLost(.receiving, Cause(CURLE_PARTIAL_FILE)))
    }
    return .success(
      Reply(
        head: head, body: body, address: order.request.address, version: handle.version,
        remote: handle.text(CURLINFO_PRIMARY_IP).flatMap { Address.IP($0) },
        timing: handle.timing, certificateEnd: handle.certificateEnd))
  }
}

/// Whether a transfer moves enough: at least so many bytes in each span. Reaching the number
/// starts the next span, so a transfer that stops dead is noticed after exactly one.
struct PaceMeter {
  private let pace: ClientConfiguration.Pace
  private var moved = 0
  private(set) var due: ContinuousClock.Instant?

  init(_ pace: ClientConfiguration.Pace) { self.pace = pace }

  mutating func start(at now: ContinuousClock.Instant) {
    moved = 0
    due = now + pace.span
  }

  /// While connecting other limits hold.
  mutating func stop() { due = nil }

  mutating func add(_ bytes: Int, at now: ContinuousClock.Instant) {
    moved += bytes
    if due != nil, moved >= pace.bytes { start(at: now) }
  }

  func isTooSlow(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? false }
}

extension EasyHandle {
  fileprivate var version: Reply.ProtocolVersion {
    switch number(CURLINFO_HTTP_VERSION) {
    case Int(CURL_HTTP_VERSION_1_0): .http10
    case Int(CURL_HTTP_VERSION_2_0): .http2
    default: .http1
    }
  }

  fileprivate var timing: Reply.Timing {
    Reply.Timing(
      connected: span(CURLINFO_CONNECT_TIME_T), firstByte: span(CURLINFO_STARTTRANSFER_TIME_T),
      whole: span(CURLINFO_TOTAL_TIME_T))
  }
}
