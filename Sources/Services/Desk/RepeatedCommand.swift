import Circulation
import Database

// A client that repeats a request wants its command carried out. Where the process that sent the command
// has ended and the library's shelf does not show the effect, the command is sent again: the library's
// answer is known at once, and not only when the first can no longer arrive. The first may still arrive,
// so a refusal of the second proves nothing, and until then no other command about the title is sent.

extension Intent {
  /// Whether a library that receives it twice has done it once, given what its shelf shows.
  func isRepeatable(on shelf: Shelf) -> Bool {
    switch verb {
    case .borrow, .cancelHold: return true
    case .giveBack:
      // With another end it is another loan, made elsewhere since. Ends may waver by seconds.
      let end = shelf.loan(of: item)?.until?.milliseconds
      guard let end, let until else { return end == nil && until == nil }
      return abs(end - until) <= 60_000
    // Some libraries place a second hold on a title, and renew a loan twice.
    case .placeHold, .renew, .suspendHold, .resumeHold, nil: return false
    }
  }

  /// The name that a process gets in its commands once it is known to have ended.
  static var endedProcess: String { "" }
}

extension Desk {
  /// The command, to be sent again by this process; nil where that may not be, or where another process
  /// does it.
  func takeOver(_ intent: Intent, in call: Call) async throws(DeskError) -> Intent? {
    guard let run, let process = run.process, intent.state == .open, intent.run == run.name,
      intent.process == Intent.endedProcess
    else { return nil }
    let (now, travel) = (tick(), travel(of: call))
    return try await saving(of: intent.account) { tx throws(DatabaseError) in
      try tx.first(
        """
        UPDATE desk_intent SET process = \(process), reason = 'repeated',
          arrives_until = \(max(intent.arrivesUntil, now.date + travel)),
          arrives_until_age = \(max(intent.arrivesUntilAge, now.age + travel))
        WHERE id = \(intent.id) AND state = 'open' AND process = \(Intent.endedProcess)
        RETURNING \(Intent.columns)
        """, Intent.init(row:))
    }
  }

  /// Where the first can no longer arrive, other commands need not wait. Told by the machine that sent it:
  /// another one can go by the calendar only, which takes longer.
  func endRepeats(at now: Tick) async throws(DeskError) {
    guard let run = now.run else { return }
    let ended: SQL = """
      reason = 'repeated' AND state = 'done' AND run = \(run) AND arrives_until_age < \(now.age)
      """
    let isThere = try await kept { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT 1 FROM desk_intent WHERE \(ended) LIMIT 1") {
        _ throws(DatabaseError) in true
      }
    }
    guard isThere != nil else { return }
    try await saving { tx throws(DatabaseError) in
      try tx.execute("UPDATE desk_intent SET reason = NULL WHERE \(ended)")
    }
  }

  /// The library refused the second: the first stays unconfirmed, as before.
  func leave(_ intent: Intent, as first: Intent) async {
    _ = try? await saving { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE desk_intent SET process = \(Intent.endedProcess), reason = NULL,
          arrives_until = \(first.arrivesUntil), arrives_until_age = \(first.arrivesUntilAge)
        WHERE id = \(intent.id) AND state = 'open' AND process = \(intent.process)
        """)
    }
  }
}

extension Transaction {
  /// The library answered the second: only the first can arrive now.
  func keepArrival(of first: Intent) throws(DatabaseError) {
    try execute(
      """
      UPDATE desk_intent SET arrives_until = \(first.arrivesUntil),
        arrives_until_age = \(first.arrivesUntilAge)
      WHERE id = \(first.id)
      """)
  }

  /// A command about the title that is done, of which a copy may still arrive.
  func repeatedIntent(
    on item: ItemID, of account: AccountID, at now: Tick
  ) throws(DatabaseError) -> Intent? {
    try rows(
      """
      SELECT \(Intent.columns) FROM desk_intent
      WHERE account = \(account.rawValue) AND item = \(item.rawValue) AND state = 'done'
        AND reason = 'repeated'
      """, Intent.init(row:)
    ).first { $0.mayArrive(at: now) }
  }
}
