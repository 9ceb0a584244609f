import Circulation
import Database
import Desk
import Synchronization
import Testing

/// A reader at a desk, to whom every outcome is one word: `done`, `in doubt`, a refusal's code.
struct Reader: Sendable {
  let desk: Desk
  let account: AccountID

  private static let attempts = Mutex(0)

  static func newAttempt() -> String {
    attempts.withLock { number in
      number += 1
      return "attempt-\(number)"
    }
  }

  static func call(_ attempt: String, within limit: Duration = .seconds(10)) -> Call {
    Call(patron: nil, deadline: .now + limit, requestID: attempt)
  }

  func perform(
    _ verb: Verb, _ item: ItemID, _ attempt: String = newAttempt(),
    within limit: Duration = .seconds(10)
  ) async -> String {
    let call = Self.call(attempt, within: limit)
    return await told {
      () async throws(DeskError) -> String in
      switch verb {
      case .borrow:
        try await desk.borrow(item, on: account, attempt: attempt, in: call).word
      case .giveBack:
        try await desk.giveBack(item, on: account, attempt: attempt, in: call).word
      case .renew: try await desk.renew(item, on: account, attempt: attempt, in: call).word
      case .placeHold:
        try await desk.placeHold(on: item, on: account, attempt: attempt, in: call).word
      case .cancelHold:
        try await desk.cancelHold(on: item, on: account, attempt: attempt, in: call).word
      case .suspendHold:
        try await desk.suspendHold(on: item, on: account, attempt: attempt, in: call).word
      case .resumeHold:
        try await desk.resumeHold(on: item, on: account, attempt: attempt, in: call).word
      }
    }
  }

  func foresee(_ item: ItemID) async -> String {
    await told { () async throws(DeskError) -> String in
      try await desk.foresee(borrowing: item, on: account, in: Self.call("foresee"))?.word
        ?? "would borrow"
    }
  }

  @discardableResult
  func sync(within limit: Duration = .seconds(10)) async -> Sync {
    await desk.sync([account], in: Self.call("sync", within: limit))[0]
  }

  private func told(_ body: () async throws(DeskError) -> String) async -> String {
    do throws(DeskError) { return try await body() } catch { return error.word }
  }
}

extension DeskError {
  var word: String {
    switch self {
    case .provider(let error): error.reason.code
    case .database(let error): "database: \(error.reason)"
    case .unopened: "unopened"
    case .unlinked: "unlinked"
    case .attemptDiffers: "attempt differs"
    case .attemptEnded(let ending): "ended: \(ending)"
    }
  }
}

extension Borrowing {
  var word: String {
    switch self {
    case .lent: "lent"
    case .had: "had"
    case .allOut(_, let canWait): canWait ? "all out, a queue" : "all out, no queue"
    case .waiting: "waiting"
    case .inDoubt: "in doubt"
    }
  }
}

extension Outcome {
  var word: String {
    switch self {
    case .done: "done"
    case .already: "already"
    case .inDoubt: "in doubt"
    }
  }
}

extension Sync {
  var word: String {
    switch result {
    case .success: "good"
    case .failure(let error): error.word
    }
  }

  var told: [String] {
    settled.map { "\($0.verb.rawValue) \($0.item): \($0.happened.map(String.init) ?? "untold")" }
  }
}

/// Opens once, for all who wait.
final class Gate: Sendable {
  private let state = Mutex((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
