import Circulation
import Database

/// One command from intent to outcome.
struct Errand<Answer: Sendable>: Sendable {
  let verb: Verb
  let item: ItemID
  let account: AccountID
  let call: Call
  /// Names this attempt: the same name twice is the same command.
  let attempt: String
  let act: @Sendable (any CirculationProvider) async throws(CirculationError) -> Answer
  /// What the shelf looks like afterwards.
  let record: @Sendable (Transaction, Answer, Int64) throws(DatabaseError) -> Void
  /// The answer as the shelf tells it, for when the provider's own was lost.
  let found: @Sendable (Shelf) -> Answer?
  /// Refusals that mean that it stands as it was wanted.
  var standing: Set<String> = []
}

extension Desk {
  /// Writes the intent, asks, and writes the outcome. A second look at the shelf follows an answer
  /// that says neither yes nor no.
  func carry<Answer: Sendable>(
    _ errand: Errand<Answer>, with provider: any CirculationProvider
  ) async throws(DeskError) -> Outcome<Answer> {
    let began = now()
    let patience = ContinuousClock.now.duration(to: errand.call.deadline) + settings.travel
    let arrives = began + Int64(max(patience, settings.travel) / .milliseconds(1))
    let written = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.write(
          errand.verb, errand.item, on: errand.account, attempt: errand.attempt,
          call: errand.call, arrivesUntil: arrives, at: began)
      }
    }
    guard let intent = written else { return try await repeated(errand, with: provider) }
    let answer: Answer
    do throws(CirculationError) { answer = try await errand.act(provider) } catch {
      return try await afterRefusal(error, intent, errand, with: provider)
    }
    try await settle(intent, errand, answer)
    return .done(answer)
  }

  private func afterRefusal<Answer: Sendable>(
    _ error: CirculationError, _ intent: Intent, _ errand: Errand<Answer>,
    with provider: any CirculationProvider
  ) async throws(DeskError) -> Outcome<Answer> {
    let stands = errand.standing.contains(error.reason.code)
    guard error.reason.leavesOutcomeOpen || stands else {
      try await close(intent, as: .refused, reason: error.reason.code)
      throw .provider(error)
    }
    // A command that was called off is still followed up: its reader wants to know, later.
    let look = errand.call.until(.now + settings.secondLook)
    let asked = now()
    let result = await Task { await self.shelf(of: provider, in: look) }.value
    guard case .success(let shelf) = result else { return .inDoubt(error) }
    if intent.isFulfilled(on: shelf), let answer = errand.found(shelf) {
      try await settle(intent, errand, answer)
      try await believe(shelf, of: errand.account, asked: asked)
      return stands ? .already(answer) : .done(answer)
    }
    // The provider did answer, so nothing is on its way any more: the shelf is the last word.
    let wasAnswered = stands || !error.reason.mayStillArrive
    if wasAnswered { try await close(intent, as: .refused, reason: error.reason.code) }
    try await believe(shelf, of: errand.account, asked: asked)
    if wasAnswered { throw .provider(error) }
    return .inDoubt(error)
  }

  /// The same attempt again: nothing is sent, the outcome is told once more.
  private func repeated<Answer: Sendable>(
    _ errand: Errand<Answer>, with provider: any CirculationProvider
  ) async throws(DeskError) -> Outcome<Answer> {
    let asked = now()
    let shelf = try await self.asked { () throws(CirculationError) in
      try await provider.shelf(in: errand.call)
    }
    try await believe(shelf, of: errand.account, asked: asked)
    let intent = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        try tx.intent(errand.attempt, on: errand.account)
      }
    }
    if let intent, intent.isFulfilled(on: shelf), let answer = errand.found(shelf) {
      return .already(answer)
    }
    return .inDoubt(
      CirculationError(
        .cancelled, from: provider.describe().provider, during: .shelf,
        providerSays: "this attempt was made before"))
  }

  private func settle<Answer: Sendable>(
    _ intent: Intent, _ errand: Errand<Answer>, _ answer: Answer
  ) async throws(DeskError) {
    let now = now()
    _ = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try errand.record(tx, answer, now)
        try tx.settle(intent, as: .done, at: now)
      }
    }
  }

  private func close(_ intent: Intent, as state: Intent.State, reason: String)
    async throws(DeskError)
  {
    let now = now()
    _ = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.settle(intent, as: state, reason: reason, at: now)
      }
    }
  }

  func shelf(of provider: any CirculationProvider, in call: Call) async -> Result<
    Shelf, CirculationError
  > {
    do throws(CirculationError) { return .success(try await provider.shelf(in: call)) } catch {
      return .failure(error)
    }
  }
}

extension CirculationError.Reason {
  /// Whether the command may be under way although nobody waits for it any more.
  fileprivate var mayStillArrive: Bool {
    switch self {
    case .networkFailure, .deadlineExceeded, .cancelled: true
    default: false
    }
  }
}
