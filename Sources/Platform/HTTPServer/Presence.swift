import Synchronization

/// Whether the client of a connection is still there. A handler that waits for something slow
/// looks here, or is simply cancelled: its task is cancelled when the client goes.
package final class Presence: Sendable {
  private struct State {
    var isGone = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var isGone: Bool { state.withLock { $0.isGone } }

  /// Calls `action` once when the client goes; at once when it has already gone.
  package func whenGone(_ action: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.waiting.append(action) }
      return state.isGone
    }
    if isGone { action() }
  }

  /// The request is answered; its actions are of no use to the next one.
  func forget() { state.withLock { $0.waiting = [] } }

  func leave() {
    let waiting = state.withLock { state in
      state.isGone = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action() }
  }
}
