package import Circulation
package import Database
package import FoundationEssentials

/// A loan as it was last told, with the time of telling.
package struct KeptLoan: Sendable, Hashable {
  package let account: AccountID
  package let loan: Loan
  package let asOf: Date

  package init(account: AccountID, loan: Loan, asOf: Date) {
    (self.account, self.loan, self.asOf) = (account, loan, asOf)
  }
}

package struct KeptHold: Sendable, Hashable {
  package let account: AccountID
  package let hold: Hold
  package let asOf: Date

  package init(account: AccountID, hold: Hold, asOf: Date) {
    (self.account, self.hold, self.asOf) = (account, hold, asOf)
  }
}

/// How fresh an account's rows are.
package struct Freshness: Sendable, Hashable {
  package let account: AccountID
  package let goodAt: Date?
  package let triedAt: Date
  /// The reason of the last failure, in the contract's word; nil when the last try went well.
  package let trouble: String?
}

/// What is kept of loans and holds. Formats are kept as lines, each `id content protection locks`,
/// and authors as lines.
extension Transaction {
  func keep(_ loan: Loan, of account: AccountID, asOf now: Int64) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO desk_loan (account, item, since, until, locked, formats, renewable, returnable,
        title, authors, as_of, keys)
      VALUES (\(account.rawValue), \(loan.item.rawValue), \(loan.since?.milliseconds),
        \(loan.until?.milliseconds), \(loan.lockedFormat.map(Line.text)),
        \(Line.lines(loan.formats.map(Line.text))), \(loan.isRenewable), \(loan.isReturnable),
        \(loan.title.map(Line.clean)), \(Line.lines(loan.authors)), \(now),
        \(loan.sealedKeys))
      ON CONFLICT (account, item) DO UPDATE SET since = COALESCE(excluded.since, desk_loan.since),
        until = excluded.until, locked = excluded.locked, formats = excluded.formats,
        renewable = excluded.renewable, returnable = excluded.returnable,
        title = COALESCE(excluded.title, desk_loan.title),
        authors = CASE WHEN excluded.authors = '' THEN desk_loan.authors ELSE excluded.authors END,
        as_of = excluded.as_of, keys = COALESCE(excluded.keys, desk_loan.keys)
      """)
  }

  func keep(_ hold: Hold, of account: AccountID, asOf now: Int64) throws(DatabaseError) {
    var place: Int?
    var total: Int?
    var until: Date?
    switch hold.status {
    case .waiting(let position, let length): (place, total) = (position, length)
    case .ready(let end), .suspended(let end): until = end
    case .expired: break
    }
    try execute(
      """
      INSERT INTO desk_hold (account, item, since, status, place, total, until, pickup,
        pickup_name, title, authors, as_of)
      VALUES (\(account.rawValue), \(hold.item.rawValue), \(hold.since?.milliseconds),
        \(hold.word), \(place), \(total), \(until?.milliseconds), \(hold.pickup.map { Line.clean($0.rawValue) }),
        \(hold.pickupName.map(Line.clean)), \(hold.title.map(Line.clean)), \(Line.lines(hold.authors)), \(now))
      ON CONFLICT (account, item) DO UPDATE SET since = COALESCE(excluded.since, desk_hold.since),
        status = excluded.status, place = excluded.place, total = excluded.total,
        until = excluded.until, pickup = excluded.pickup,
        pickup_name = excluded.pickup_name, title = COALESCE(excluded.title, desk_hold.title),
        authors = CASE WHEN excluded.authors = '' THEN desk_hold.authors ELSE excluded.authors END,
        as_of = excluded.as_of
      """)
  }

  func dropLoan(of item: ItemID, on account: AccountID) throws(DatabaseError) {
    try execute(
      "DELETE FROM desk_loan WHERE account = \(account.rawValue) AND item = \(item.rawValue)")
  }

  func dropHold(on item: ItemID, on account: AccountID) throws(DatabaseError) {
    try execute(
      "DELETE FROM desk_hold WHERE account = \(account.rawValue) AND item = \(item.rawValue)")
  }
}

extension Snapshot {
  package func freshness(of accounts: [AccountID]) throws(DatabaseError) -> [Freshness] {
    try rows(
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

  package func loans(of accounts: [AccountID]) throws(DatabaseError) -> [KeptLoan] {
    try rows(
      """
      SELECT account, item, since, until, locked, formats, renewable, returnable, title, authors,
        as_of, keys
      FROM desk_loan WHERE account IN (\(accounts.map(\.rawValue)))
      ORDER BY until NULLS LAST, account, item
      """
    ) { row throws(DatabaseError) in
      let until: Int64? = try row["until"]
      var loan = Loan(item: ItemID(try row["item"]), until: until.map(Date.init(milliseconds:)))
      let since: Int64? = try row["since"]
      loan.since = since.map(Date.init(milliseconds:))
      let locked: String? = try row["locked"]
      loan.lockedFormat = locked.flatMap(Line.format)
      loan.formats = Line.parts(try row["formats"]).compactMap(Line.format)
      loan.isRenewable = try row["renewable"]
      loan.isReturnable = try row["returnable"]
      loan.title = try row["title"]
      loan.authors = Line.parts(try row["authors"])
      loan.sealedKeys = try row["keys"]
      return KeptLoan(
        account: AccountID(try row["account"]), loan: loan,
        asOf: Date(milliseconds: try row["as_of"]))
    }
  }

  package func holds(of accounts: [AccountID]) throws(DatabaseError) -> [KeptHold] {
    try rows(
      """
      SELECT account, item, since, status, place, total, until, pickup, pickup_name, title, authors,
        as_of
      FROM desk_hold WHERE account IN (\(accounts.map(\.rawValue)))
      ORDER BY CASE status WHEN 'ready' THEN 0 ELSE 1 END, place NULLS LAST, account, item
      """
    ) { row throws(DatabaseError) in
      let until: Int64? = try row["until"]
      let end = until.map(Date.init(milliseconds:))
      let word: String = try row["status"]
      let status: Hold.Status =
        switch word {
        case "ready": .ready(until: end)
        case "suspended": .suspended(until: end)
        case "expired": .expired
        default: .waiting(position: try row["place"], total: try row["total"])
        }
      var hold = Hold(item: ItemID(try row["item"]), status: status)
      let since: Int64? = try row["since"]
      hold.since = since.map(Date.init(milliseconds:))
      let pickup: String? = try row["pickup"]
      hold.pickup = pickup.map { BranchID($0) }
      hold.pickupName = try row["pickup_name"]
      hold.title = try row["title"]
      hold.authors = Line.parts(try row["authors"])
      return KeptHold(
        account: AccountID(try row["account"]), hold: hold,
        asOf: Date(milliseconds: try row["as_of"]))
    }
  }
}

extension Desk {
  /// For the statements of other services: whether the loan is kept that a row called `h` names.
  package static let keepsLoan: SQL = """
    EXISTS (SELECT 1 FROM desk_loan l WHERE l.account = h.account AND l.item = h.item)
    """
}
