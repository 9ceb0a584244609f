package import Circulation
package import Database

/// When the provider was asked: by the clock, for people, and in the order of what was written about
/// the account, for judging. Clocks jump and differ between gateways; the order does not.
struct Question: Sendable, Hashable {
  let account: AccountID
  let at: Tick
  let turn: Int64
}

extension Transaction {
  /// Makes the account known, so that a shelf that arrives after `forget` finds it gone.
  func begin(_ account: AccountID) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO desk_turn (account, turn, believed) VALUES (\(account.rawValue), 0, 0)
      ON CONFLICT (account) DO NOTHING
      """)
  }

  /// Counts one more event, and names it.
  func nextTurn(of account: AccountID) throws(DatabaseError) -> Int64 {
    try begin(account)
    return try value(
      """
      UPDATE desk_turn SET turn = turn + 1 WHERE account = \(account.rawValue) RETURNING turn
      """)
  }

  /// Takes the answer for the newest, unless one to a later question came first or the account is
  /// gone.
  func accept(_ question: Question) throws(DatabaseError) -> Bool {
    try execute(
      """
      UPDATE desk_turn SET believed = \(question.turn)
      WHERE account = \(question.account.rawValue) AND believed <= \(question.turn)
        AND turn >= \(question.turn)
      """) > 0
  }
}

extension Snapshot {
  /// How far the counts of accounts have come: another number after every command.
  package func turns(of accounts: [AccountID]) throws(DatabaseError) -> [AccountID: Int64] {
    let turns = try rows(
      "SELECT account, turn FROM desk_turn WHERE account IN (\(accounts.map(\.rawValue)))"
    ) { row throws(DatabaseError) -> (AccountID, Int64) in (AccountID(try row[0]), try row[1]) }
    return Dictionary(turns, uniquingKeysWith: { first, _ in first })
  }

  func turn(of account: AccountID) throws(DatabaseError) -> Int64? {
    try first("SELECT turn FROM desk_turn WHERE account = \(account.rawValue)") {
      row throws(DatabaseError) in try row[0]
    }
  }
}
