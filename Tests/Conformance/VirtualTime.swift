import FoundationEssentials
import HTTP
import HTTPClient
import MockKit
import ProviderKit
import Synchronization

/// Time that passes when it is told to, for the session and the service alike. Deadlines still run
/// out by themselves, since what is behind them is a real connection.
final class VirtualTime: Sendable {
  private let ahead = Mutex(Duration.zero)
  private let world: MockWorld

  init(_ world: MockWorld) { self.world = world }

  var now: ContinuousClock.Instant { .now + ahead.withLock { $0 } }

  /// The moment at which the system's own clock will get there.
  func real(_ instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
    instant - ahead.withLock { $0 }
  }

  var date: Date { world.withState { $0.now }.date }

  func pass(days: Int) {
    let milliseconds = Int64(days) * LendingRules.day
    ahead.withLock { $0 += .milliseconds(milliseconds) }
    world.withState { ClockStep.advance(milliseconds: milliseconds).apply(to: &$0) }
  }

  /// Whoever sleeps has slept at once.
  var clock: SessionClock {
    SessionClock(
      now: { self.now }, date: { self.date },
      sleep: { until throws(CancellationError) in
        if Task.isCancelled { throw CancellationError() }
        self.ahead.withLock { ahead in
          ahead += max(.zero, (ContinuousClock.now + ahead).duration(to: until))
        }
      })
  }
}

/// The way to the service, which can be closed: then there is nobody to connect to.
final class Wire: Sendable {
  private let open = Mutex(true)
  private let client: Client
  private let time: VirtualTime

  init(_ client: Client, _ time: VirtualTime) { (self.client, self.time) = (client, time) }

  var isOpen: Bool {
    get { open.withLock { $0 } }
    set { open.withLock { $0 = newValue } }
  }

  var transport: Transport {
    Transport { [self] request async throws(TransportError) in
      var request = request
      if case .at(let instant) = request.deadline { request.deadline = .at(time.real(instant)) }
      // Nobody listens on the first port of any machine of today.
      if !isOpen, let closed = try? Address("http://127.0.0.1:1" + request.address.target) {
        request.address = closed
      }
      return try await client.send(request)
    }
  }
}
