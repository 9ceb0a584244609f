/// How a client takes its answers, for telling slow ones from others.
struct Delivery {
  /// Bytes given to the socket, since it was opened.
  var handedOver = 0
  private var unsent = 0
  /// The stretch of time that is looked at, and what the client had taken when it began.
  private var since = Monotonic.never
  private var takenBefore = 0

  private static let stretch = Duration.seconds(10)

  /// With every tick.
  mutating func note(_ unsent: Int, at now: Monotonic) {
    self.unsent = unsent
    if unsent == 0 || since == .never || now >= since + Self.stretch {
      (since, takenBefore) = (now, handedOver - unsent)
    }
  }

  /// Whether the client has taken less than `limits` want for some time.
  func isSlow(at now: Monotonic, _ limits: Limits) -> Bool {
    guard unsent > 0, since < now else { return false }
    let span = now - since
    guard span >= limits.uploadGrace else { return false }
    return handedOver - unsent - takenBefore < span.bytes(at: limits.answerRate)
  }
}

extension Duration {
  /// So many come in this time at a rate by the second.
  fileprivate func bytes(at rate: Int) -> Int { Int(self / .seconds(1) * Double(rate)) }
}

extension Connection {
  /// A connection that may be closed to make room.
  struct Yielding {
    let connection: Connection
    let network: IPAddress?
    /// Whether it has sent a whole request, or has had little time for it.
    let hasAsked: Bool
    let since: Monotonic
  }

  /// Nil while a request is being answered: a client that takes its answer, or sends its body, with some
  /// speed is not closed.
  func yielding(at now: Monotonic) -> Yielding? {
    let limits = site.limits
    let since: Monotonic
    switch phase {
    case .waiting, .lingering, .closing:
      guard !isDelivering || delivery.isSlow(at: now, limits) else { return nil }
      since = quietSince
    case .inHead: since = began
    case .inBody:
      guard now - began >= limits.uploadGrace,
        reader.body.count < (now - began).bytes(at: limits.uploadSecureRate)
      else { return nil }
      since = began
    case .answering:
      guard exchange?.stream != nil, delivery.isSlow(at: now, limits) else { return nil }
      since = began
    case .closed: return nil
    }
    return Yielding(
      connection: self, network: site.admission.network(of: line.peer),
      hasAsked: turn > 0 || now < since + .seconds(1), since: since)
  }
}

/// Closing connections so that there is room for others.
extension Loop {
  /// The loop that is asked next for a connection to close; nil when all of them were.
  func next(after tried: Int) -> Loop? {
    guard tried + 1 < crew.count, let index = crew.firstIndex(where: { $0 === self }) else {
      return nil
    }
    return crew[(index + 1) % crew.count]
  }

  /// Called when the server is full. Connections of strangers go before those of patrons, those of networks
  /// that hold many before others, those without a whole request before those with one, and the longest idle
  /// first. Several go at once, because looking for them costs more than closing them. False where every
  /// connection has a request that is being answered.
  func makeRoom() -> Bool {
    let now = Monotonic.now
    let candidates = connections.compactMap { $0.yielding(at: now) }
    guard !candidates.isEmpty else { return false }
    var held: [IPAddress: Int] = [:]
    for candidate in candidates {
      if let network = candidate.network { held[network, default: 0] += 1 }
    }
    func rank(_ candidate: Connection.Yielding) -> (Int, Int, Int, UInt64) {
      (
        candidate.connection.isPatrons ? 1 : 0, -(candidate.network.flatMap { held[$0] } ?? 0),
        candidate.hasAsked ? 1 : 0, candidate.since.nanoseconds
      )
    }
    let count = max(1, site.limits.connections / 128)
    for candidate in candidates.sorted(by: { rank($0) < rank($1) }).prefix(count) {
      let connection = candidate.connection
      // Closed in order, the kernel would go on sending an answer that has permits.
      connection.held.isEmpty ? connection.abort() : connection.sever()
    }
    return true
  }
}
