package import Circulation
package import Database
package import FoundationEssentials

/// Where a reader borrows, waits and gives back. Before a provider is asked for anything that changes
/// something, an *intent* is written; afterwards its outcome, each in a transaction of its own. What a
/// crash, a time-out or a double click leaves open is settled by asking the provider for the shelf:
/// the truth about loans is the provider's.
package struct Desk: Sendable {
  package struct Settings: Sendable {
    /// What one account may take of a sync.
    package var accountLimit = Duration.seconds(10)
    /// For the look at the shelf after an answer that left the outcome open.
    package var secondLook = Duration.seconds(4)
    /// How long after its deadline a command may still arrive at the provider.
    package var travel = Duration.seconds(10)
    /// How far a provider's shelf may be behind its own deeds.
    package var lag = Duration.seconds(10)
    /// How long an adapter that forgets its deadline is borne with.
    package var grace = Duration.milliseconds(500)
    /// How far the calendar of a machine may be off, either way.
    package var clockError = Duration.seconds(300)
    /// For writing down what a provider did.
    package var saving = Duration.seconds(5)
    /// How long the outcome of a command is kept, for the same attempt to be told again.
    package var memory = Duration.seconds(7 * 86_400)

    package init() {}
  }

  let store: Store
  let open: @Sendable (AccountID, Call) async throws(DeskError) -> any CirculationProvider
  let now: @Sendable () -> Int64
  let clock: @Sendable () -> ContinuousClock.Instant
  let run: MachineRun?
  let settings: Settings
  let keyring: Keyring
  let ahead: @Sendable (AccountID) -> Int64
  let isLinked: @Sendable (Snapshot, AccountID) throws(DatabaseError) -> Bool

  /// `open` makes the adapter of an account; the account's secrets are unsealed there and nowhere else.
  /// `ahead` tells by how many milliseconds the clock of the account's library is ahead of ours, as
  /// far as it was heard. Deadlines of calls run by `clock`. Without a `run` of the machine, how old a
  /// command is can only be told by the calendar, which takes longer. `isLinked` is asked in the
  /// transactions that write the first of an account: nothing is kept of one that was unlinked meanwhile.
  package init(
    store: Store, settings: Settings = Settings(), keyring: Keyring = .none,
    now: @escaping @Sendable () -> Int64,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, run: MachineRun? = nil,
    ahead: @escaping @Sendable (AccountID) -> Int64 = { _ in 0 },
    isLinked: @escaping @Sendable (Snapshot, AccountID) throws(DatabaseError) -> Bool = { _, _ in
      true
    },
    open: @escaping @Sendable (AccountID, Call) async throws(DeskError) -> any CirculationProvider
  ) {
    (self.store, self.settings, self.keyring) = (store, settings, keyring)
    (self.now, self.clock, self.run, self.ahead, self.open) = (now, clock, run, ahead, open)
    self.isLinked = isLinked
  }
}

/// Why the desk could not do what it was asked for.
package enum DeskError: Error, Sendable {
  /// The provider refused, or could not be asked. Nothing was changed there.
  case provider(CirculationError)
  case database(DatabaseError)
  /// The account cannot be used: its secrets cannot be opened, its library is not configured.
  case unopened(any Error)
  /// The account was unlinked, before this or while it was under way. What the provider did of it, if
  /// anything, is not looked for any more.
  case unlinked
  /// The name of this attempt was given to another command before.
  case attemptDiffers
  /// This attempt was made before. Nothing was sent; a new attempt needs a new name.
  case attemptEnded(Ending)

  package enum Ending: Sendable, Hashable {
    case refused(code: String)
    case neverArrived
    /// It was carried out, and undone since.
    case undoneSince
    /// The provider's shelf cannot tell what became of it.
    case untold
  }
}

/// How a command ended.
package enum Outcome<Answer: Sendable>: Sendable {
  case done(Answer)
  /// It stood that way before.
  case already(Answer)
  /// The provider did not say, and its shelf does not yet tell. A later sync does.
  case inDoubt(CirculationError)
}

extension Call {
  /// The same request with another end, for a step that needs one of its own.
  package func until(_ deadline: ContinuousClock.Instant) -> Call {
    Call(
      patron: patron, deadline: deadline, requestID: requestID, readerAddress: readerAddress)
  }

  func named(_ requestID: String) -> Call {
    Call(
      patron: patron, deadline: deadline, requestID: requestID, readerAddress: readerAddress)
  }
}

extension Desk {
  func database<T: Sendable>(
    _ body: @Sendable () async throws(DatabaseError) -> T
  ) async throws(DeskError) -> T {
    do throws(DatabaseError) { return try await body() } catch { throw .database(error) }
  }

  func kept<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(DeskError) -> T {
    try await database { () throws(DatabaseError) in try await store.read(body) }
  }

  func saving<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> T
  ) async throws(DeskError) -> T {
    let end = ContinuousClock.now + settings.saving
    return try await database { () throws(DatabaseError) in
      try await store.write(by: end, body)
    }
  }

  /// The first that is written of an account. Where it was unlinked meanwhile nothing may be left behind
  /// that nobody would ever take away.
  func saving<T: Sendable>(
    of account: AccountID, by end: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> T
  ) async throws(DeskError) -> T {
    let end = end ?? .now + settings.saving
    let isLinked = isLinked
    let saved = try await database { () throws(DatabaseError) in
      try await store.write(by: end) { tx throws(DatabaseError) -> T? in
        guard try isLinked(tx, account) else { return nil }
        return try body(tx)
      }
    }
    guard let saved else { throw .unlinked }
    return saved
  }

  func milliseconds(_ span: Duration) -> Int64 { Int64(span / .milliseconds(1)) }

  func asked<T: Sendable>(
    _ body: @Sendable () async throws(CirculationError) -> T
  ) async throws(DeskError) -> T {
    do throws(CirculationError) { return try await body() } catch { throw .provider(error) }
  }
}
