import CEvent
import Glibc
import HTTP
package import HTTPClient
import Synchronization

/// The one way out for protocols of lines: any number of connections on one thread, which begins with
/// the first, and the gate of the HTTP client before each of them.
package final class LineClient: Sendable {
  private let configuration: ClientConfiguration
  private let loop = LineLoop()
  private let resolver = Resolver()
  private let contexts = Mutex<[TLSTerms: TLSContext]>([:])

  /// Gate, trust and pinned hosts are those of HTTP.
  package init(_ configuration: ClientConfiguration = ClientConfiguration()) {
    self.configuration = configuration
  }

  deinit { loop.stop() }

  /// Fails what is under way and closes every connection before it returns.
  package func shutdown() async { await loop.stopped() }

  package func connect(
    to place: LinePlace, by deadline: ContinuousClock.Instant
  ) async throws(LineError) -> LineConnection {
    if let refusal = configuration.gate.refusal(of: place.host, port: place.port, by: .direct) {
      throw .refusedAddress(refusal)
    }
    let spots = try await resolver.spots(of: place, configuration.pinnedHosts, by: deadline)
    let open = try judged(spots, place)
    var last = LineError.cannotResolve
    for (index, spot) in open.enumerated() {
      // Who does not answer at one address may not use up the time of the others.
      let left = ContinuousClock.now.duration(to: deadline)
      let end = ContinuousClock.now + left / (open.count - index)
      do throws(LineError) {
        return try await connect(to: spot, place, by: end)
      } catch {
        if case .cancelled = error { throw error }
        if case .tls = error { throw error }
        last = error
      }
    }
    throw last
  }

  /// Those addresses that may be reached; the reason of the first that may not where there are none.
  private func judged(_ spots: [Spot], _ place: LinePlace) throws(LineError) -> [Spot] {
    if case .plain(beyondThisMachine: false) = place.security,
      !spots.allSatisfy({ Refusal.Reason($0.ip) == .loopback })
    {
      throw .unencrypted(host: place.host.text)
    }
    var refusal: Refusal?
    let open = spots.filter { spot in
      let reason = configuration.gate.refusal(of: spot.ip, for: place.host, port: place.port)
      refusal = refusal ?? reason
      return reason == nil
    }
    if open.isEmpty, let refusal { throw .refusedAddress(refusal) }
    return open
  }

  private func connect(
    to spot: Spot, _ place: LinePlace, by deadline: ContinuousClock.Instant
  ) async throws(LineError) -> LineConnection {
    let context = try context(of: place)
    let descriptor = try spot.connecting()
    var session: TLSSession?
    if let context {
      session = context.session(to: place, on: descriptor)
      guard session != nil else {
        close(descriptor)
        throw .tls(.handshake)
      }
    }
    let (id, state, made) = (LineLoop.nextID(), LineState(), session)
    let isTaken = loop.post { loop in
      loop.add(LineSocket(id, descriptor, made, isConnected: false, state))
    }
    guard isTaken else {
      close(descriptor)
      throw .stopped(.connecting)
    }
    let connection = LineConnection(loop, id, state)
    try await connection.opened(by: deadline)
    return connection
  }

  /// Nil for a line in the clear.
  private func context(of place: LinePlace) throws(LineError) -> TLSContext? {
    guard case .tls(let terms) = place.security else { return nil }
    if let known = contexts.withLock({ $0[terms] }) { return known }
    let made = try TLSContext.client(terms, trusting: configuration.trust)
    contexts.withLock { $0[terms] = made }
    return made
  }
}
