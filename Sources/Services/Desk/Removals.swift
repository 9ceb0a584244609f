package import Circulation
package import Database

extension Desk {
  /// What is kept of these accounts and their reader.
  package static func removals(of leaver: Leaver) -> [Removal] {
    .each(
      "loans, holds and commands", of: accountTables,
      where: "account IN (\(leaver.accounts.map(\.rawValue)))")
      + [
        Removal("rules for holds", from: "desk_pace", where: "patron = \(leaver.patron.rawValue)")
      ]
  }

  /// Those whose rows are an account's.
  static let accountTables: [SQLName] = [
    "desk_loan", "desk_hold", "desk_account", "desk_intent", "desk_turn", "desk_not_before",
    "desk_rest",
  ]
}

extension Snapshot {
  /// How many loans are kept of these accounts.
  package func loans(of leaver: Leaver) throws(DatabaseError) -> Int {
    try value(
      "SELECT count(*) FROM desk_loan WHERE account IN (\(leaver.accounts.map(\.rawValue)))")
  }
}
