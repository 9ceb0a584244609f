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
    /// The shelf cannot show what became of it.
    case untold
  }

  let id: Int64
  let account: AccountID
  let item: ItemID
  /// Nil for a word that a newer release wrote: such an intent is kept, and never judged here.
  let verb: Verb?
  let state: State?
  let reason: String?
  /// When the present loan ended, for a renewal to be compared with.
  let until: Int64?
  /// Whether the patron waited already, so that a hold on the shelf proves nothing.
  let hadHold: Bool
  let writtenAt: Int64
  /// Until then it may still arrive at the provider: by the calendar, and by the age of the machine in
  /// the run that it was written in.
  let arrivesUntil: Int64
  let run: String?
  let arrivesUntilAge: Int64
  /// Which process of that run sends it; nil where that is not known, `endedProcess` where it has ended.
  let process: String?
  let turn: Int64
  /// The name of the request that sent it.
  let requestID: String
}

extension Intent {
  /// Whether the shelf shows the effect; nil where the shelf cannot tell.
  func isFulfilled(on shelf: Shelf) -> Bool? {
    guard let verb else { return nil }
    let loan = shelf.loan(of: item)
    let hold = shelf.hold(on: item)
    switch verb {
    case .borrow: return loan != nil || (hold != nil && !hadHold)
    case .giveBack: return loan == nil
    case .placeHold: return hold != nil || loan != nil
    case .cancelHold: return hold == nil
    case .suspendHold: if case .suspended = hold?.status { return true } else { return false }
    case .resumeHold:
      if case .suspended = hold?.status { return false } else { return hold != nil }
    case .renew:
      // Some lenders renew by a new place in the queue.
      if hold != nil, !hadHold { return true }
      guard let end = loan?.until?.milliseconds, let until else { return nil }
      // Ends that a provider counts from "now" waver by seconds.
      return end / 1000 - until / 1000 > 60
    }
  }
}

/// What became of the wish to write an intent.
enum Writing: Sendable {
  case written(Intent)
  /// This attempt was written before, by a double click say.
  case repeated(Intent)
  /// Another command about the same title is not settled yet. One after the other: a return that
  /// arrives late must not take back what was borrowed since.
  case underWay(Intent)
}

extension Transaction {
  func write(
    _ verb: Verb, _ item: ItemID, on account: AccountID, attempt: String, call: Call,
    travel: Int64, by process: String?, at now: Tick
  ) throws(DatabaseError) -> Writing {
    if let known = try intent(attempt, on: account) { return .repeated(known) }
    let other = try openIntents(of: account).first { open in
      open.item == item && (open.verb != nil || open.mayArrive(at: now))
    }
    if let other { return .underWay(other) }
    if let other = try repeatedIntent(on: item, of: account, at: now) { return .underWay(other) }
    let until: Int64?? = try first(
      """
      SELECT until FROM desk_loan
      WHERE account = \(account.rawValue) AND item = \(item.rawValue)
      """
    ) { row throws(DatabaseError) in try row[0] }
    let hold: String? = try first(
      """
      SELECT status FROM desk_hold
      WHERE account = \(account.rawValue) AND item = \(item.rawValue)
      """
    ) { row throws(DatabaseError) in try row[0] }
    let turn = try nextTurn(of: account)
    return .written(
      try one(
        """
        INSERT INTO desk_intent
          (account, item, verb, attempt, state, before_until, before_hold, request, written_at,
            arrives_until, run, arrives_until_age, process, turn)
        VALUES (\(account.rawValue), \(item.rawValue), \(verb.rawValue), \(attempt), 'open',
          \(until ?? nil), \(hold != nil), \(call.requestID), \(now.date),
          \(now.date + travel), \(now.run), \(now.age + travel), \(process), \(turn))
        RETURNING \(Intent.columns)
        """, Intent.init(row:)))
  }

  /// What the command itself heard. It outweighs what was concluded from a shelf meanwhile. False
  /// when the account was forgotten.
  func settle(_ intent: Intent, as state: Intent.State, reason: String? = nil, at now: Tick)
    throws(DatabaseError) -> Bool
  {
    guard try turn(of: intent.account) != nil else { return false }
    let turn = try nextTurn(of: intent.account)
    let reason = state == .done ? intent.reason : reason
    return try execute(
      """
      UPDATE desk_intent SET state = \(state.rawValue), reason = \(reason), settled_at = \(now.date),
        settled_run = \(now.run), settled_age = \(now.age), settled_turn = \(turn)
      WHERE id = \(intent.id)
      """) > 0
  }

  /// Idempotency is promised for a week, and old commands are nobody's business.
  func prune(_ account: AccountID, before moment: Int64) throws(DatabaseError) {
    try execute(
      """
      DELETE FROM desk_intent
      WHERE account = \(account.rawValue) AND state <> 'open' AND settled_at < \(moment)
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
  static let columns: SQL = """
    id, account, item, verb, state, reason, before_until, before_hold, written_at, arrives_until,
    run, arrives_until_age, process, turn, request
    """

  init(row: borrowing Row) throws(DatabaseError) {
    id = try row[0]
    account = AccountID(try row[1])
    item = ItemID(try row[2])
    verb = Verb(rawValue: try row[3])
    state = State(rawValue: try row[4])
    reason = try row[5]
    until = try row[6]
    hadHold = try row[7]
    writtenAt = try row[8]
    arrivesUntil = try row[9]
    run = try row[10]
    arrivesUntilAge = try row[11]
    process = try row[12]
    turn = try row[13]
    requestID = try row[14]
  }
}
