import Synchronization

/// So many at once, and so many that wait, in the order in which they came. Who would be one too many is told so
/// at once: waiting pictures are memory.
final class PictureQueue: Sendable {
  private struct State {
    var running = 0
    var waiting: [(place: CheckedContinuation<Void, Never>, bytes: Int)] = []
    var bytes = 0
  }

  private let state = Mutex(State())
  private let atOnce: Int
  private let waiting: Int
  private let bytes: Int

  init(atOnce: Int, waiting: Int, bytes: Int) {
    (self.atOnce, self.waiting, self.bytes) = (atOnce, waiting, bytes)
  }

  /// False where there are too many. `leave` ends what was entered.
  func enter(with count: Int) async -> Bool {
    enum Turn { case now, later, never }
    let mayWait = state.withLock { state in
      if state.running < atOnce {
        state.running += 1
        return Turn.now
      }
      guard state.waiting.count < waiting, state.bytes + count <= bytes else { return .never }
      // Kept from here on, for the place in the queue is taken a moment later.
      state.bytes += count
      return .later
    }
    switch mayWait {
    case .now: return true
    case .never: return false
    case .later: break
    }
    await withCheckedContinuation { place in
      let isFree = state.withLock { state in
        if state.running < atOnce {
          state.running += 1
          state.bytes -= count
          return true
        }
        state.waiting.append((place, count))
        return false
      }
      if isFree { place.resume() }
    }
    return true
  }

  var waitingNow: Int { state.withLock { $0.waiting.count } }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      let first = state.waiting.removeFirst()
      state.bytes -= first.bytes
      return first.place
    }
    next?.resume()
  }
}
