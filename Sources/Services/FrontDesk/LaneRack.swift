package import Shelving
import Synchronization

/// The lanes that are shown now; they may be exchanged while the gateway runs.
package final class LaneRack: Sendable {
  private struct State {
    var lanes: [Lane]
    var revision = 0
  }

  private let state: Mutex<State>

  package init(_ lanes: [Lane]) { state = Mutex(State(lanes: lanes)) }

  package var lanes: [Lane] { state.withLock { $0.lanes } }

  /// One more with every exchange.
  package var revision: Int { state.withLock { $0.revision } }

  package func exchange(for lanes: [Lane]) {
    state.withLock { state in
      guard state.lanes != lanes else { return }
      (state.lanes, state.revision) = (lanes, state.revision + 1)
    }
  }
}
