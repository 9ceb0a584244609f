import Circulation
import Database

/// What the desk is about to ask of a provider.
package enum Verb: String, Sendable, Hashable, CaseIterable {
  case borrow
  case giveBack = "give_back"
  case renew
  case placeHold = "place_hold"
  case cancelHold = "cancel_hold"
  case suspendHold = "suspend_hold"
  case resumeHold = "resume_hold"
}

/// A command that was written down before it was sent.
struct Intent: Sendable, Hashable {
  enum State: String, Sendable {
    /// Written, perhaps sent; the outcome is not known.
    case open
    case done
    case refused
    /// The provider's shelf shows that it never happened.
    case lapsed
  }

  let id: Int64
  let account: AccountID
  let item: ItemID
  let verb: Verb
  let state: State
  /// When the present loan ended, for a renewal to be compared with.
  let until: Int64?
  /// Until then it may still arrive at the provider, so that its absence there proves nothing.
  let arrivesUntil: Int64
}

extension Intent {
  /// Whether the shelf shows the effect; nil where the shelf cannot tell.
  func isFulfilled(on shelf: Shelf) -> Bool {
    let loan = shelf.loan(of: item)
    let hold = shelf.hold(on: item)
    switch verb {
    case .borrow: return loan != nil
    case .giveBack: return loan == nil
    case .placeHold: return hold != nil || loan != nil
    case .cancelHold: return hold == nil
    case .suspendHold: if case .suspended = hold?.status { return true } else { return false }
    case .resumeHold:
      if case .suspended = hold?.status { return false } else { return hold != nil }
    case .renew:
      if hold != nil { return true }
      guard let end = loan?.until?.milliseconds, let until else { return false }
      return end > until
    }
  }
}

extension Transaction {
  /// Writes the intent; nil when this attempt was written before, by a double click say.
  func write(
    _ verb: Verb, _ item: ItemID, on account: AccountID, attempt: String, call: Call,
    arrivesUntil: Int64, at now: Int64
  ) throws(DatabaseError) -> Intent? {
    let until: Int64?? = try first(
      """
      SELECT until FROM desk_loan
      WHERE account = \(account.rawValue) AND item = \(item.rawValue)
      """
    ) { row throws(DatabaseError) in try row[0] }
    return try first(
      """
      INSERT INTO desk_intent
        (account, item, verb, attempt, state, before_until, request, written_at, arrives_until)
      VALUES (\(account.rawValue), \(item.rawValue), \(verb.rawValue), \(attempt), 'open',
        \(until ?? nil), \(call.requestID), \(now), \(arrivesUntil))
      ON CONFLICT (account, attempt) DO NOTHING
      RETURNING \(Intent.columns)
      """, Intent.init(row:))
  }

  func settle(_ intent: Intent, as state: Intent.State, reason: String? = nil, at now: Int64)
    throws(DatabaseError)
  {
    // Only once: another process may have looked at the same shelf.
    try execute(
      """
      UPDATE desk_intent SET state = \(state.rawValue), reason = \(reason), settled_at = \(now)
      WHERE id = \(intent.id) AND state = 'open'
      """)
  }
}

extension Snapshot {
  func openIntents(of account: AccountID) throws(DatabaseError) -> [Intent] {
    try rows(
      """
      SELECT \(Intent.columns) FROM desk_intent
      WHERE account = \(account.rawValue) AND state = 'open' ORDER BY id
      """, Intent.init(row:))
  }

  func intent(_ attempt: String, on account: AccountID) throws(DatabaseError) -> Intent? {
    try first(
      """
      SELECT \(Intent.columns) FROM desk_intent
      WHERE account = \(account.rawValue) AND attempt = \(attempt)
      """, Intent.init(row:))
  }
}

extension Intent {
  static let columns: SQL = "id, account, item, verb, state, before_until, arrives_until"

  init(row: borrowing Row) throws(DatabaseError) {
    id = try row[0]
    account = AccountID(try row[1])
    item = ItemID(try row[2])
    // Words that a newer release wrote are kept open and never acted on here.
    verb = Verb(rawValue: try row[3]) ?? .renew
    state = State(rawValue: try row[4]) ?? .open
    until = try row[5]
    arrivesUntil = try row[6]
  }
}
