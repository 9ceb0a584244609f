package import Circulation
import Database
import FoundationEssentials

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
  package let happened: Bool
}

extension Desk {
  /// Asks all accounts side by side, each with a deadline of its own: a dead one costs its own time
  /// and marks its own rows stale, and nobody else's.
  package func sync(_ accounts: [AccountID], in call: Call) async -> [Sync] {
    await withTaskGroup(of: (Int, Sync).self) { group in
      for (index, account) in accounts.enumerated() {
        group.addTask { (index, await self.syncOne(account, call)) }
      }
      var found: [(Int, Sync)] = []
      for await one in group { found.append(one) }
      return found.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func syncOne(_ account: AccountID, _ call: Call) async -> Sync {
    let call = call.until(min(call.deadline, .now + settings.accountLimit))
    do throws(DeskError) {
      let provider = try await open(account, call)
      let (shelf, asked) = try await shelfBelieved(of: account, provider, call)
      let settled = try await believe(shelf, of: account, asked: asked)
      return Sync(account: account, result: .success(shelf), settled: settled)
    } catch {
      await markStale(account, error)
      return Sync(account: account, result: .failure(error), settled: [])
    }
  }

  /// A shelf that is suddenly empty is asked for twice: some services answer so while they start.
  private func shelfBelieved(
    of account: AccountID, _ provider: any CirculationProvider, _ call: Call
  ) async throws(DeskError) -> (Shelf, asked: Int64) {
    var moment = now()
    let shelf = try await asked { () throws(CirculationError) in try await provider.shelf(in: call)
    }
    guard shelf.loans.isEmpty, shelf.holds.isEmpty else { return (shelf, moment) }
    let kept = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        let loans = try tx.loans(of: [account])
        return loans.isEmpty ? try !tx.holds(of: [account]).isEmpty : true
      }
    }
    guard kept else { return (shelf, moment) }
    moment = now()
    return (
      try await asked { () throws(CirculationError) in try await provider.shelf(in: call) }, moment
    )
  }

  /// Puts a good answer in the place of what was kept. What a command settled since the question was
  /// asked is newer than the answer, and stays.
  @discardableResult
  func believe(_ shelf: Shelf, of account: AccountID, asked: Int64)
    async throws(DeskError) -> [SettledCommand]
  {
    let now = now()
    return try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        let newer = try tx.settledItems(of: account, since: asked)
        for kept in try tx.loans(of: [account])
        where shelf.loan(of: kept.loan.item) == nil && !newer.contains(kept.loan.item)
          && kept.asOf.milliseconds <= asked
        { try tx.dropLoan(of: kept.loan.item, on: account) }
        for kept in try tx.holds(of: [account])
        where shelf.hold(on: kept.hold.item) == nil && !newer.contains(kept.hold.item)
          && kept.asOf.milliseconds <= asked
        { try tx.dropHold(on: kept.hold.item, on: account) }
        for loan in shelf.loans where !newer.contains(loan.item) {
          try tx.keep(loan, of: account, asOf: asked)
        }
        for hold in shelf.holds where !newer.contains(hold.item) {
          try tx.keep(hold, of: account, asOf: asked)
        }
        try tx.note(account, goodAt: asked, triedAt: now, trouble: nil)
        return try tx.settleOpen(of: account, by: shelf, asked: asked, at: now)
      }
    }
  }

  private func markStale(_ account: AccountID, _ error: DeskError) async {
    let word: String
    switch error {
    case .provider(let error): word = error.reason.code
    case .database: return
    case .unopened: word = "not_configured"
    }
    let now = now()
    // The failure itself is what the caller hears of; that it could not be noted adds nothing.
    _ = try? await store.write { tx throws(DatabaseError) in
      try tx.note(account, goodAt: nil, triedAt: now, trouble: word)
    }
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
      try await store.read { tx throws(DatabaseError) in
        try tx.rows(
          """
          SELECT account, good_at, tried_at, trouble FROM desk_account
          WHERE account IN (\(accounts.map(\.rawValue)))
          """
        ) { row throws(DatabaseError) in
          let good: Int64? = try row["good_at"]
          return Freshness(
            account: AccountID(try row["account"]), goodAt: good.map(Date.init(milliseconds:)),
            triedAt: Date(milliseconds: try row["tried_at"]), trouble: try row["trouble"])
        }
      }
    }
  }

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

  /// Forgets everything about an account that is unlinked.
  package func forget(_ account: AccountID) async throws(DeskError) {
    _ = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        for table in ["desk_loan", "desk_hold", "desk_account", "desk_intent"] as [SQLName] {
          try tx.execute("DELETE FROM \(name: table) WHERE account = \(account.rawValue)")
        }
      }
    }
  }
}

extension Transaction {
  fileprivate func settledItems(of account: AccountID, since: Int64)
    throws(DatabaseError) -> Set<ItemID>
  {
    Set(
      try rows(
        """
        SELECT item FROM desk_intent
        WHERE account = \(account.rawValue) AND state = 'done' AND settled_at >= \(since)
        """
      ) { row throws(DatabaseError) in ItemID(try row[0]) })
  }

  fileprivate func note(
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

  /// What the shelf shows happened; what it does not show did not, once nothing can be under way.
  fileprivate func settleOpen(
    of account: AccountID, by shelf: Shelf, asked: Int64, at now: Int64
  ) throws(DatabaseError) -> [SettledCommand] {
    var settled: [SettledCommand] = []
    for intent in try openIntents(of: account) {
      let happened = intent.isFulfilled(on: shelf)
      guard happened || asked > intent.arrivesUntil else { continue }
      try settle(intent, as: happened ? .done : .lapsed, at: now)
      settled.append(
        SettledCommand(item: intent.item, verb: intent.verb, happened: happened))
    }
    return settled
  }
}
