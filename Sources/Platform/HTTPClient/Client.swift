import CCurl
import HTTP

/// The one way out over HTTP: pooled connections on one I/O thread, redirects followed by our own
/// rules, and a gate before every connection. Used from any number of tasks at once.
package final class Client: Sendable {
  package let configuration: ClientConfiguration
  private let engine: Engine

  /// Throws only when the system has no memory or thread to give.
  package init(_ configuration: ClientConfiguration = ClientConfiguration()) throws(TransportError)
  {
    let limits = Engine.Limits(
      perHost: configuration.connectionsPerHost, inAll: configuration.connectionsInAll,
      idle: configuration.idleConnections)
    guard let engine = Engine(name: "carrel-http", limits: limits) else {
      throw .other(Cause(CURLE_FAILED_INIT))
    }
    self.configuration = configuration
    self.engine = engine
  }

  deinit { engine.stop() }

  package var transport: Transport {
    Transport { (request) async throws(TransportError) in try await self.send(request) }
  }

  /// Ends every transfer with `.stopped` and closes every connection before it returns.
  package func shutdown() async { await engine.stopped() }

  /// Sends, follows redirects as far as the request allows, and gives the last answer. Cancelling
  /// the task breaks the transfer off: its connection is closed before `.cancelled` is thrown.
  package func send(_ request: Request) async throws(TransportError) -> Reply {
    let deadline: ContinuousClock.Instant? =
      switch request.deadline {
      case .standard: .now + configuration.timeout
      case .at(let instant): instant
      case .never: nil
      }
    var hop = request
    var hops = 0
    while true {
      var reply = try await exchange(hop, deadline: deadline)
      guard case .followed(let rules) = request.redirects, let location = reply.head.location
      else {
        reply.hops = hops
        return reply
      }
      guard hops < rules.most else { throw .tooManyRedirects(most: rules.most) }
      hop = try rules.request(after: hop, redirectedBy: reply.status, to: location)
      hops += 1
    }
  }

  private func exchange(
    _ request: Request, deadline: ContinuousClock.Instant?
  ) async throws(TransportError) -> Reply {
    let order = try order(request, deadline: deadline)
    let source = try source(of: request)
    if Task.isCancelled { throw .cancelled }
    if let deadline, deadline <= .now { throw .deadlineExceeded(.resolving) }
    let id = Engine.nextID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        engine.submit(
          Exchange(order, id: id, source: source) { continuation.resume(returning: $0) })
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { engine.cancel(id) }
      }
    } onCancel: {
      engine.cancel(id)
    }
    return try result.get()
  }

  private func order(
    _ request: Request, deadline: ContinuousClock.Instant?
  ) throws(TransportError) -> Exchange.Order {
    try request.check()
    let address = try request.address.withASCIIHost()
    let proxy = configuration.proxies.proxy(for: address)
    if let refusal = configuration.refusal(
      of: request, to: address, by: proxy == nil ? .direct : .proxied)
    {
      throw .refusedAddress(refusal)
    }
    return Exchange.Order(
      request: request, address: address, deadline: deadline, proxy: proxy,
      configuration: configuration)
  }

  private func source(of request: Request) throws(TransportError) -> UploadSource? {
    switch request.body {
    case .none:
      // Methods that come with a body say that theirs is empty (RFC 9110 §8.6).
      return [.post, .put, .patch].contains(request.method) ? UploadSource([]) : nil
    case .bytes(let bytes): return UploadSource(bytes)
    case .file(let path):
      do { return try UploadSource(file: path) } catch { throw .sending(error) }
    }
  }
}
