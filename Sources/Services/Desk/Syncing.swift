package import Circulation
package import Database
import FoundationEssentials
import Machine

/// What a sync found out about one account.
package struct Sync: Sendable {
  package let account: AccountID
  package let result: Result<Shelf, DeskError>
  /// Commands whose outcome had been open and is known now.
  package let settled: [SettledCommand]
}

/// A command that a crash or a silence had left open.
package struct SettledCommand: Sendable, Hashable {
  package let item: ItemID
  package let verb: Verb
  /// Nil where the provider's shelf cannot tell.
  package let happened: Bool?
}

extension Desk {
  /// Asks all accounts side by side, each with a deadline of its own: a dead one costs its own time
  /// and marks its own rows stale, and nobody else's.
  package func sync(_ accounts: [AccountID], in call: Call) async -> [Sync] {
    await concurrently(accounts) { account in await self.syncOne(account, call) }
  }

  private func syncOne(_ account: AccountID, _ call: Call) async -> Sync {
    let call = call.until(min(call.deadline, clock() + settings.accountLimit))
    do throws(DeskError) {
      let lender = try await lender(account, call)
      let belief = try await look(at: lender, in: call, settling: .everything)
      let forgotten = now() - milliseconds(settings.memory)
      try await saving { tx throws(DatabaseError) in
        try tx.prune(account, before: forgotten)
      }
      return Sync(account: account, result: .success(belief.shelf), settled: belief.settled)
    } catch {
      await markStale(account, error)
      return Sync(account: account, result: .failure(error), settled: [])
    }
  }

  private func markStale(_ account: AccountID, _ error: DeskError) async {
    let word: String
    switch error {
    // Called off by us: that says nothing about the library.
    case .provider(let error) where error.reason == .cancelled: return
    case .provider(let error): word = error.reason.code
    case .database, .unlinked, .attemptDiffers, .attemptEnded: return
    case .unopened: word = "not_configured"
    }
    let now = now()
    // The failure itself is what the caller hears of; that it could not be noted adds nothing.
    _ = try? await saving { tx throws(DatabaseError) in
      guard try tx.turn(of: account) != nil else { return }
      try tx.note(account, goodAt: nil, triedAt: now, trouble: word)
    }
  }

  /// Accounts of which there may be something to tell: a loan that ends between these moments, a book
  /// that waits for its reader, a library that gave no good answer. Of most there is nothing.
  package func stirred(
    from start: Int64, to end: Int64
  ) async throws(DeskError) -> Set<AccountID> {
    Set(
      try await kept { snapshot throws(DatabaseError) in
        try snapshot.rows(
          """
          SELECT account FROM desk_loan WHERE until > \(start) AND until <= \(end)
          UNION SELECT account FROM desk_hold WHERE status = 'ready'
          UNION SELECT account FROM desk_account WHERE trouble IS NOT NULL
          """
        ) { row throws(DatabaseError) -> AccountID in AccountID(try row[0]) }
      })
  }

  /// What is kept of the accounts' loans, soonest end first.
  package func loans(of accounts: [AccountID]) async throws(DeskError) -> [KeptLoan] {
    try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in try tx.loans(of: accounts) }
    }
  }

  /// What is kept of the accounts' holds, ready ones first.
  package func holds(of accounts: [AccountID]) async throws(DeskError) -> [KeptHold] {
    try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in try tx.holds(of: accounts) }
    }
  }

  package func freshness(of accounts: [AccountID]) async throws(DeskError) -> [Freshness] {
    try await database { () throws(DatabaseError) in
      var found: [Freshness] = []
      // A question holds so many names and no more; of a whole house there may be any number.
      for start in stride(from: 0, to: accounts.count, by: 5_000) {
        let part = Array(accounts[start..<min(start + 5_000, accounts.count)])
        found += try await store.read { tx throws(DatabaseError) in try tx.freshness(of: part) }
      }
      return found
    }
  }

  /// What was last heard on accounts whose library did not answer, and on all that were asked since:
  /// nothing at all while every library answers.
  package func lastSilence() async throws(DeskError) -> [Freshness] {
    try await kept { snapshot throws(DatabaseError) in
      let words = Self.silences
      let first: Int64? = try snapshot.value(
        "SELECT min(tried_at) FROM desk_account WHERE trouble IN (\(words))")
      guard let first else { return [] }
      return try snapshot.rows(
        """
        SELECT account, good_at, tried_at,
          CASE WHEN trouble IN (\(words)) THEN trouble END
        FROM desk_account WHERE tried_at >= \(first) ORDER BY tried_at DESC LIMIT 200
        """
      ) { row throws(DatabaseError) in
        let good: Int64? = try row[1]
        return Freshness(
          account: AccountID(try row[0]), goodAt: good.map(Date.init(milliseconds:)),
          triedAt: Date(milliseconds: try row[2]), trouble: try row[3])
      }
    }
  }

  private static let silences = [
    "provider_unavailable", "malformed_response", "network_failure", "deadline_exceeded",
  ]

  /// Accounts with commands whose outcome is not known: what a start looks at first.
  package func accountsInDoubt() async throws(DeskError) -> [AccountID] {
    try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        try tx.rows("SELECT DISTINCT account FROM desk_intent WHERE state = 'open'") {
          row throws(DatabaseError) in AccountID(try row[0])
        }
      }
    }
  }

  /// Forgets everything about an account, within the transaction that unlinks it.
  package static func forget(_ account: AccountID, in tx: Transaction) throws(DatabaseError) {
    for table in accountTables {
      try tx.execute("DELETE FROM \(name: table) WHERE account = \(account.rawValue)")
    }
  }
}

extension Transaction {
  func note(
    _ account: AccountID, goodAt: Int64?, triedAt: Int64, trouble: String?
  ) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO desk_account (account, good_at, tried_at, trouble)
      VALUES (\(account.rawValue), \(goodAt), \(triedAt), \(trouble))
      ON CONFLICT (account) DO UPDATE SET
        good_at = COALESCE(excluded.good_at, desk_account.good_at),
        tried_at = excluded.tried_at, trouble = excluded.trouble
      """)
  }
}
