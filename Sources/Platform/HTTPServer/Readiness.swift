import Synchronization

/// Whether the service wants to be sent requests: what `/readyz` answers. Draining is final.
package final class Readiness: Sendable {
  package enum State: Sendable, Hashable {
    case starting
    case ready
    /// Up, but something it needs is not.
    case degraded(reasons: [String])
    case draining
  }

  private let current = Mutex(State.starting)

  package init() {}

  package var state: State { current.withLock { $0 } }

  package func become(_ state: State) {
    current.withLock { if $0 != .draining { $0 = state } }
  }
}
