package import Circulation
package import Database
import Desk

/// A loan that somebody wants as a file, and what is known of it for that.
package struct Wish: Sendable, Hashable {
  package let patron: PatronID
  package let account: AccountID
  package let item: ItemID
  /// Whose rules about how many at once count.
  package let library: LibraryID
  package var title: String
  package var authors: [String]
  /// Nil for the best that the lender has.
  package var format: Format?
  /// Free for everybody: the file may stay when the loan is over.
  package var isOpenAccess: Bool
  /// The end of the loan, in milliseconds since 1970.
  package var until: Int64?

  package init(
    _ item: ItemID, on account: AccountID, of library: LibraryID, for patron: PatronID,
    title: String, authors: [String] = [], format: Format? = nil, isOpenAccess: Bool = false,
    until: Int64? = nil
  ) {
    (self.item, self.account, self.library, self.patron) = (item, account, library, patron)
    (self.title, self.authors, self.format) = (title, authors, format)
    (self.isOpenAccess, self.until) = (isOpenAccess, until)
  }
}

/// A wish in the line.
package struct Ticket: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    case queued, running, paused, failed, done
  }

  package let id: Int64
  package let wish: Wish
  package internal(set) var state: State
  /// Why it failed, or was put back; one of the words in `Trouble`.
  package internal(set) var reason: String?
  /// How often it was tried in vain.
  package internal(set) var tries: Int
  /// When it is tried again, by itself; nil for at once, and for a failure that is final.
  package internal(set) var nextAt: Int64?
  package internal(set) var received: Int
  package internal(set) var total: Int?
  /// Of the file, when it is here.
  package internal(set) var digest: String?
  package internal(set) var place: Int64
  package let askedAt: Int64
  package internal(set) var changedAt: Int64
  var owner: String?
  var lease: Int64?

  package var willBeTriedAgain: Bool { state == .failed && nextAt != nil }
}

extension Ticket {
  static var columns: SQL {
    """
    id, patron, account, item, library, title, authors, format, content, protection, locks_loan,
    open_access, until, state, reason, tries, next_at, received, total, digest, place, owner,
    lease, asked_at, changed_at
    """
  }

  init(_ row: borrowing Row) throws(DatabaseError) {
    id = try row[0]
    var wish = Wish(
      ItemID(try row[3]), on: AccountID(try row[2]), of: LibraryID(try row[4]),
      for: PatronID(try row[1]), title: try row[5], authors: Line.parts(try row[6]))
    let (format, content): (String?, String?) = (try row[7], try row[8])
    let (protection, locksLoan): (String?, Bool) = (try row[9], try row[10])
    if let format {
      // A word of a newer release is one we do not know, and no error.
      wish.format = Format(
        id: format, content: content.flatMap(Format.Content.init) ?? .other,
        protection: protection.flatMap(Format.Protection.init) ?? .unknown, locksLoan: locksLoan)
    }
    wish.isOpenAccess = try row[11]
    wish.until = try row[12]
    self.wish = wish
    let state: String = try row[13]
    self.state = State(rawValue: state) ?? .failed
    reason = try row[14]
    tries = try row[15]
    nextAt = try row[16]
    received = try row[17]
    total = try row[18]
    digest = try row[19]
    place = try row[20]
    owner = try row[21]
    lease = try row[22]
    askedAt = try row[23]
    changedAt = try row[24]
  }
}

extension Snapshot {
  /// As they stand in the line.
  package func tickets(of patron: PatronID) throws(DatabaseError) -> [Ticket] {
    try rows(
      """
      SELECT \(Ticket.columns) FROM download WHERE patron = \(patron.rawValue)
      ORDER BY place, id
      """, Ticket.init)
  }

  func ticket(_ id: Int64) throws(DatabaseError) -> Ticket? {
    try first("SELECT \(Ticket.columns) FROM download WHERE id = \(id)", Ticket.init)
  }

  func ticket(
    of patron: PatronID, _ account: AccountID, _ item: ItemID
  ) throws(DatabaseError) -> Ticket? {
    try first(
      """
      SELECT \(Ticket.columns) FROM download WHERE patron = \(patron.rawValue)
      AND account = \(account.rawValue) AND item = \(item.rawValue)
      """, Ticket.init)
  }
}

extension Transaction {
  /// Everything of a ticket that changes.
  func keep(_ ticket: Ticket) throws(DatabaseError) {
    try execute(
      """
      UPDATE download SET state = \(ticket.state.rawValue), reason = \(ticket.reason),
      tries = \(ticket.tries), next_at = \(ticket.nextAt), received = \(ticket.received),
      total = \(ticket.total), digest = \(ticket.digest), place = \(ticket.place),
      owner = \(ticket.owner), lease = \(ticket.lease), changed_at = \(ticket.changedAt)
      WHERE id = \(ticket.id)
      """)
  }

  func nextPlace() throws(DatabaseError) -> Int64 {
    try value("SELECT COALESCE(MAX(place), 0) + 1 FROM download", as: Int64.self)
  }
}
