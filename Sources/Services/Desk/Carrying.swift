package import Circulation
import Database

/// One command from intent to outcome.
struct Errand<Answer: Sendable>: Sendable {
  let verb: Verb
  let operation: Circulation.Operation
  let item: ItemID
  let account: AccountID
  let call: Call
  /// Names this attempt: the same name twice is the same command.
  let attempt: String
  let act: @Sendable (any CirculationProvider, Call) async throws(CirculationError) -> Answer
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
  func carry<Answer: Sendable>(_ errand: Errand<Answer>, with lender: Lender)
    async throws(DeskError) -> Outcome<Answer>
  {
    var writing = try await write(errand)
    if case .underWay(let other) = writing {
      let belief = try await look(at: lender, in: errand.call, settling: .only(errand.item))
      if other.verb == errand.verb, other.isFulfilled(on: belief.shelf) == true,
        let answer = errand.found(belief.shelf)
      {
        return .already(answer)
      }
      // What the look has settled does not stand in the way any more.
      writing = try await write(errand)
    }
    switch writing {
    case .written(let intent): return try await send(errand, intent, lender)
    case .repeated(let intent): return try await tellAgain(errand, intent, lender)
    case .underWay: return .inDoubt(underWay(errand, lender))
    }
  }

  private func write<Answer: Sendable>(_ errand: Errand<Answer>)
    async throws(DeskError) -> Writing
  {
    let (began, travel) = (tick(), travel(of: errand.call))
    let process = run?.process
    return try await saving(of: errand.account, by: errand.call.deadline + settings.grace) {
      tx throws(DatabaseError) in
      try tx.write(
        errand.verb, errand.item, on: errand.account, attempt: errand.attempt,
        call: errand.call, travel: travel, by: process, at: began)
    }
  }

  /// How long what is sent in this call may take to arrive.
  func travel(of call: Call) -> Int64 {
    let patience = clock().duration(to: call.deadline) + settings.travel
    // A deadline may be anything; a day is longer than any wire holds a request.
    return milliseconds(min(max(patience, settings.travel), .seconds(86_400)))
  }

  /// `first` is the same command as another process sent it, which has ended.
  private func send<Answer: Sendable>(
    _ errand: Errand<Answer>, _ intent: Intent, _ lender: Lender, repeating first: Intent? = nil
  ) async throws(DeskError) -> Outcome<Answer> {
    // A library that knows requests by their names takes the second for the first.
    let call = first.map { errand.call.named($0.requestID) } ?? errand.call
    let answer: Result<Answer, CirculationError>
    do throws(CirculationError) {
      let given = try await lender.ask(errand.operation, in: call) {
        provider throws(CirculationError) in try await errand.act(provider, call)
      }
      answer = .success(given)
    } catch {
      answer = .failure(error)
    }
    // A command that was called off is still brought to its end: what it did is done. A task of its
    // own does not hear the calling off, and every step of it has its own end.
    let outcome = try await Task {
      await self.conclude(errand, intent, answer, lender, repeating: first)
    }.value.get()
    // Who is told to wait for a later look must have one.
    if case .inDoubt = outcome { try await expectLink(errand.account) }
    return outcome
  }

  private func conclude<Answer: Sendable>(
    _ errand: Errand<Answer>, _ intent: Intent, _ answer: Result<Answer, CirculationError>,
    _ lender: Lender, repeating first: Intent?
  ) async -> Result<Outcome<Answer>, DeskError> {
    switch answer {
    case .success(let answer):
      await settle(intent, errand, answer, repeating: first)
      return .success(.done(answer))
    case .failure(let error):
      let word: Word
      if errand.standing.contains(error.reason.code) {
        word = .stands
      } else if error.reason.leavesOutcomeOpen {
        word = .silent
      } else if error.reason == .providerBusy(retryAfter: nil) {
        word = .busy
      } else {
        return await refuse(intent, error, repeating: first)
      }
      return await secondLook(errand, intent, error, word, lender, repeating: first)
    }
  }

  /// Whether the provider said that it is so already, or nothing that could be understood. One that is
  /// busy and names no time may have done it all the same: what stands before it answers for it.
  private enum Word { case stands, silent, busy }

  private func secondLook<Answer: Sendable>(
    _ errand: Errand<Answer>, _ intent: Intent, _ error: CirculationError, _ word: Word,
    _ lender: Lender, repeating first: Intent?
  ) async -> Result<Outcome<Answer>, DeskError> {
    let call = errand.call.until(clock() + settings.secondLook)
    // When the provider or the database is silent as well, a sync will find the intent open.
    guard let belief = try? await look(at: lender, in: call, settling: .nothing) else {
      return .success(.inDoubt(error))
    }
    // One that says itself that it stands so is not lagging: what was settled a moment ago is no reason to
    // believe its shelf less.
    let shelf = word == .stands ? belief.answer : belief.shelf
    let isTold = word == .stands || !belief.newer.contains(errand.item)
    if isTold, intent.isFulfilled(on: shelf) == true, let answer = errand.found(shelf) {
      await settle(intent, errand, answer, repeating: first)
      return .success(word == .stands ? .already(answer) : .done(answer))
    }
    // Only a clear word ends it: what was not understood may be under way behind some proxy.
    guard word != .silent else { return .success(.inDoubt(error)) }
    return await refuse(intent, error, repeating: first)
  }

  /// A database that is silent says nothing of the link: then the doubt is told, as before.
  private func expectLink(_ account: AccountID) async throws(DeskError) {
    let isLinked = isLinked
    let isThere = try? await kept { snapshot throws(DatabaseError) in
      try isLinked(snapshot, account)
    }
    if isThere == false { throw .unlinked }
  }

  // MARK: - The same attempt again

  /// Whether anything was written down of this attempt. What was refused before that may be asked
  /// again under the same name.
  package func isKnown(_ attempt: String, on account: AccountID) async throws(DeskError) -> Bool {
    try await kept { tx throws(DatabaseError) in try tx.intent(attempt, on: account) != nil }
  }

  func isKnown(
    _ attempt: String, to verb: Verb, on account: AccountID
  ) async throws(DeskError) -> Bool {
    try await kept { tx throws(DatabaseError) in
      try tx.intent(attempt, on: account)?.verb == verb
    }
  }

  /// Returns the outcome that was recorded. Sends nothing, unless the process that sent the command has ended.
  private func tellAgain<Answer: Sendable>(
    _ errand: Errand<Answer>, _ intent: Intent, _ lender: Lender
  ) async throws(DeskError) -> Outcome<Answer> {
    guard intent.verb == errand.verb, intent.item == errand.item else { throw .attemptDiffers }
    var intent = intent
    if intent.state == .open {
      let shelf: Shelf
      do throws(DeskError) {
        shelf = try await look(at: lender, in: errand.call, settling: .only(errand.item)).shelf
      } catch {
        // A library that is silent has not said that nothing happened.
        guard case .provider(let silence) = error else { throw error }
        return .inDoubt(silence)
      }
      intent =
        try await kept { tx throws(DatabaseError) in
          try tx.intent(errand.attempt, on: errand.account)
        } ?? intent
      if intent.isRepeatable(on: shelf), let again = try await takeOver(intent, in: errand.call) {
        return try await send(errand, again, lender, repeating: intent)
      }
    }
    switch intent.state {
    case .open, nil: return .inDoubt(underWay(errand, lender))
    case .refused: throw .attemptEnded(.refused(code: intent.reason ?? "unexpected"))
    case .lapsed: throw .attemptEnded(.neverArrived)
    case .untold: throw .attemptEnded(.untold)
    case .done:
      let shelf = try await kept { tx throws(DatabaseError) in
        Shelf(
          loans: try tx.loans(of: [errand.account]).map(\.loan),
          holds: try tx.holds(of: [errand.account]).map(\.hold))
      }
      guard let answer = errand.found(shelf) else { throw .attemptEnded(.undoneSince) }
      return .already(answer)
    }
  }

  private func underWay<Answer: Sendable>(_ errand: Errand<Answer>, _ lender: Lender)
    -> CirculationError
  {
    lender.error(
      .deadlineExceeded, during: errand.operation,
      says: "an earlier command about this title is not settled yet")
  }

  // MARK: - Outcomes

  /// What the provider has done is done, also when it cannot be noted: then the intent stays open,
  /// and the next sync finds the same.
  private func settle<Answer: Sendable>(
    _ intent: Intent, _ errand: Errand<Answer>, _ answer: Answer, repeating first: Intent?
  ) async {
    let now = tick()
    _ = try? await saving { tx throws(DatabaseError) in
      guard try tx.settle(intent, as: .done, at: now) else { return }
      if let first { try tx.keepArrival(of: first) }
      try errand.record(tx, answer, now.date)
    }
  }

  private func refuse<Answer: Sendable>(
    _ intent: Intent, _ error: CirculationError, repeating first: Intent?
  ) async -> Result<Outcome<Answer>, DeskError> {
    if let first {
      await leave(intent, as: first)
      return .success(.inDoubt(error))
    }
    let now = tick()
    _ = try? await saving { tx throws(DatabaseError) in
      try tx.settle(intent, as: .refused, reason: error.reason.code, at: now)
    }
    return .failure(.provider(error))
  }
}
