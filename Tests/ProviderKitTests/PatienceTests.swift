import Circulation
import Testing

@testable import ProviderKit

@Suite struct `Waiting before another try` {
  let backoff = Backoff(base: .seconds(1), longest: .seconds(10), tries: 6)

  @Test func `Waiting before another try doubles up to a limit and then ends`() {
    let waits = (1...6).map { backoff.wait(after: $0, retryAfter: nil, chance: 1) }
    #expect(waits == [1, 2, 4, 8, 10, nil].map { $0.map { Duration.seconds($0) } })
  }

  @Test func `Waiting before another try is spread by chance over half its length`() {
    #expect(backoff.wait(after: 2, retryAfter: nil, chance: 0) == .seconds(1))
  }

  @Test func `Waiting before another try is never shorter than the service asked for`() {
    #expect(backoff.wait(after: 1, retryAfter: .seconds(60), chance: 1) == .seconds(60))
    #expect(backoff.wait(after: 4, retryAfter: .seconds(1), chance: 1) == .seconds(8))
  }
}

@Suite struct `A circuit breaker` {
  let start = ContinuousClock.now
  let breaker = CircuitBreaker(
    .init(tolerance: 3, pause: .seconds(10), longestPause: .seconds(25)))

  private func fail(_ times: Int, at seconds: Int) {
    for _ in 0..<times { breaker.failed(at: start + .seconds(seconds)) }
  }

  @Test func `A circuit breaker opens after so many failures in a row`() {
    fail(2, at: 0)
    breaker.succeeded()
    fail(2, at: 0)
    #expect(breaker.admit(at: start, by: "one") == .go)
    fail(1, at: 0)
    #expect(breaker.admit(at: start + .seconds(4), by: "one") == .refused(retryAfter: .seconds(6)))
  }

  @Test func `A circuit breaker lets one through after the pause, and no second`() {
    fail(3, at: 0)
    let then = start + .seconds(10)
    #expect(breaker.admit(at: then, by: "one") == .probe)
    #expect(breaker.admit(at: then, by: "two") == .refused(retryAfter: .seconds(10)))
  }

  /// A campaign's seed 775: loans and holds are asked for side by side.
  @Test func `A circuit breaker lets the whole call of that one through`() {
    fail(3, at: 0)
    let then = start + .seconds(10)
    #expect(breaker.admit(at: then, by: "one") == .probe)
    #expect(breaker.admit(at: then, by: "one") == .go)
    fail(2, at: 10)
    #expect(breaker.admit(at: then, by: "one") == .refused(retryAfter: .seconds(20)))
  }

  @Test func `A circuit breaker closes when the probe succeeds and waits longer when it fails`() {
    fail(3, at: 0)
    _ = breaker.admit(at: start + .seconds(10), by: "one")
    fail(1, at: 10)
    #expect(breaker.admit(at: start + .seconds(29), by: "one") == .refused(retryAfter: .seconds(1)))
    #expect(breaker.admit(at: start + .seconds(30), by: "one") == .probe)
    fail(1, at: 30)
    #expect(breaker.admit(at: start + .seconds(55), by: "one") == .probe, "the pause is capped")
    breaker.succeeded()
    #expect(breaker.admit(at: start + .seconds(55), by: "one") == .go)
  }

  @Test func `A circuit breaker takes a probe given up as no verdict`() {
    fail(3, at: 0)
    _ = breaker.admit(at: start + .seconds(10), by: "one")
    breaker.abandoned(at: start + .seconds(11))
    #expect(breaker.admit(at: start + .seconds(11), by: "one") == .probe)
  }
}

private actor Counter {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

extension TokenDesk {
  /// With all the time that there is.
  fileprivate func token(
    for key: Key, at now: ContinuousClock.Instant,
    fetch: @escaping @Sendable () async throws(CirculationError) -> Token
  ) async throws -> Token {
    switch await outcome(for: key, at: now, patience: .seconds(60), fetch: fetch) {
    case .token(let token): return token
    case .refused(let error, isOwn: _): throw error
    case .gaveUp: throw CancellationError()
    }
  }
}

@Suite struct `A token desk` {
  let desk = TokenDesk()
  let now = ContinuousClock.now
  let key = TokenDesk.Key(scope: "patron", credentials: [1])

  @Test func `A token desk fetches once for many callers`() async throws {
    let fetches = Counter()
    let values = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 {
        group.addTask { [desk, key, now] in
          try await desk.token(for: key, at: now) { () throws(CirculationError) in
            await Task.yield()
            let count = await fetches.next()
            return TokenDesk.Token("t\(count)", expires: now + .seconds(60))
          }.value
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(values == ["t1"])
  }

  private func token(_ value: String, lasting seconds: Int = 60, at: ContinuousClock.Instant? = nil)
    async throws -> String
  {
    let now = now
    return try await desk.token(for: key, at: at ?? now) { () throws(CirculationError) in
      TokenDesk.Token(value, expires: now + .seconds(seconds))
    }.value
  }

  @Test func `A token desk fetches anew when the old one has run out`() async throws {
    #expect(try await token("one") == "one")
    #expect(try await token("two") == "one")
    #expect(try await token("two", lasting: 120, at: now + .seconds(60)) == "two")
  }

  @Test func `A token desk keeps no failure, and tells it to all who waited`() async throws {
    let refused = CirculationError(
      .credentialsRejected, from: ProviderID("p"), during: .checkAccount)
    await #expect(throws: refused) {
      try await desk.token(for: key, at: now) { () throws(CirculationError) in throw refused }
    }
    #expect(try await token("one") == "one")
  }

  @Test func `A token desk throws away the refused token only`() async throws {
    let first = try await desk.token(for: key, at: now) { [now] () throws(CirculationError) in
      TokenDesk.Token("one", expires: now + .seconds(60))
    }
    await desk.discard(first, for: key)
    #expect(try await token("two") == "two")
    await desk.discard(first, for: key)
    #expect(try await token("three") == "two")
  }

  @Test func `A token desk keeps cards and PINs apart and shows no token`() async throws {
    #expect(try await token("one") == "one")
    let other = TokenDesk.Key(scope: "patron", credentials: [2])
    let found = try await desk.token(for: other, at: now) { [now] () throws(CirculationError) in
      TokenDesk.Token("two", expires: now + .seconds(60))
    }
    #expect(found.value == "two")
    #expect("\(found)" == "•••")
  }

  @Test func `A token desk keeps nobody who has waited long enough, and fetches on for the others`()
    async throws
  {
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let fetch: @Sendable () async throws(CirculationError) -> TokenDesk.Token = { [now] in
      for await _ in gate {}
      return TokenDesk.Token("late", expires: now + .seconds(60))
    }
    let hurried = await desk.outcome(for: key, at: now, patience: .milliseconds(5), fetch: fetch)
    guard case .gaveUp = hurried else {
      Issue.record("waited for ever")
      return
    }
    let patient = Task { try await token("never asked for") }
    let cancelled = Task { try await token("never asked for") }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    opener.finish()
    #expect(try await patient.value == "late")
  }

  @Test func `A token desk tells whose fetch it was that failed`() async {
    let late = CirculationError(.deadlineExceeded, from: ProviderID("p"), during: .checkAccount)
    let own = await desk.outcome(for: key, at: now, patience: .seconds(5)) {
      () throws(CirculationError) in throw late
    }
    guard case .refused(late, isOwn: true) = own else {
      Issue.record("\(own)")
      return
    }
  }
}
