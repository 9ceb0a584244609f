import Synchronization

/// What an answer may be given by, such as a session: when that is no more, the answer is broken off.
/// What it is, only the one who made it knows.
package struct AnswerPermit: Sendable, Hashable {
  package let grounds: any Hashable & Sendable

  package init(_ grounds: any Hashable & Sendable) { self.grounds = grounds }

  package static func == (one: AnswerPermit, other: AnswerPermit) -> Bool {
    AnyHashable(one.grounds) == AnyHashable(other.grounds)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(grounds)) }
}

/// The permits of all answers under way. While there are any, one task asks again and again which of
/// them are still good: what ended at any gateway ends at this one within a second.
package final class OpenAnswers: Sendable {
  /// Those of them that are still good; nil where it cannot be known just now.
  package typealias Judge = @Sendable (Set<AnswerPermit>) async -> Set<AnswerPermit>?

  private struct State {
    var judge: Judge?
    /// By how many connections each is held.
    var holders: [AnswerPermit: Int] = [:]
    var withdrawn: Set<AnswerPermit> = []
    var isAsking = false
  }

  private static let pause = Duration.milliseconds(500)

  private let state = Mutex(State())

  /// From now on `judge` is asked. Before, nothing is broken off.
  package func ask(_ judge: @escaping Judge) { state.withLock { $0.judge = judge } }

  func hold(_ permits: Set<AnswerPermit>) {
    guard !permits.isEmpty else { return }
    let isFirst = state.withLock { state in
      for permit in permits { state.holders[permit, default: 0] += 1 }
      defer { state.isAsking = true }
      return !state.isAsking
    }
    if isFirst { Task { await keepAsking() } }
  }

  func release(_ permits: Set<AnswerPermit>) {
    guard !permits.isEmpty else { return }
    state.withLock { state in
      for permit in permits {
        let left = (state.holders[permit] ?? 1) - 1
        state.holders[permit] = left > 0 ? left : nil
        if left <= 0 { state.withdrawn.remove(permit) }
      }
    }
  }

  func isWithdrawn(_ permits: Set<AnswerPermit>) -> Bool {
    state.withLock { !$0.withdrawn.isDisjoint(with: permits) }
  }

  /// Whether nothing is under way and nothing is asked.
  var isIdle: Bool { state.withLock { $0.holders.isEmpty && !$0.isAsking } }

  private func keepAsking() async {
    while true {
      // First the pause: most answers are over before it is.
      try? await Task.sleep(for: Self.pause)
      guard let asked = next() else { return }
      guard let judge = state.withLock({ $0.judge }), let good = await judge(asked) else {
        continue
      }
      state.withLock { state in
        state.withdrawn.formUnion(asked.subtracting(good).filter { state.holders[$0] != nil })
      }
    }
  }

  /// Nil where no answer is under way any more: then nothing is asked until there is one.
  private func next() -> Set<AnswerPermit>? {
    state.withLock { state in
      state.isAsking = !state.holders.isEmpty
      return state.isAsking ? Set(state.holders.keys) : nil
    }
  }
}
