package import Circulation
package import Database
package import Desk
import FoundationEssentials

/// A card as its shelf is followed.
package struct Card: Sendable, Hashable {
  package let account: AccountID
  package let library: LibraryID

  package init(_ account: AccountID, at library: LibraryID) {
    (self.account, self.library) = (account, library)
  }
}

/// The books of each reader, every one in exactly one of the twelve states. What the libraries say,
/// what the reader does and what the clock does all go through the one table in `BookMove.swift`;
/// the shelf that the desk keeps is followed step by step, so that no state is ever jumped to.
package struct MyBooks: Sendable {
  /// What else is to be done where a loan is over, in the transaction that ends it.
  package typealias Leaving =
    @Sendable (Transaction, AccountID, ItemID) throws(DatabaseError) -> Void

  let store: Store
  let now: @Sendable () -> Int64
  let leaving: Leaving

  /// `now` is in milliseconds since 1970.
  package init(
    store: Store, now: @escaping @Sendable () -> Int64,
    leaving: @escaping Leaving = { _, _, _ in }
  ) {
    (self.store, self.now, self.leaving) = (store, now, leaving)
  }

  /// Where the reader's books stand, with the shelves of these cards followed up to now. A reader
  /// whose books stand where their libraries say costs no writing.
  package func follow(
    _ cards: [Card], of patron: PatronID
  ) async throws(DatabaseError) -> Following {
    let now = now()
    let seen = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.followed(cards, of: patron, at: now)
    }
    if seen.changed.isEmpty { return Following(books: seen.books, left: []) }
    return try await store.write { tx throws(DatabaseError) in
      let followed = try tx.followed(cards, of: patron, at: now)
      var left: [EndedLoan] = []
      for change in followed.changed {
        // A download goes first: the state that the table has for the book is written over it.
        if change.isLeaving, let account = change.before.account {
          let item = change.before.key.item
          try leaving(tx, account, item)
          left.append(EndedLoan(patron: patron, account: account, item: item))
        }
        try tx.keep(change.after, of: patron)
      }
      return Following(books: followed.books, left: left)
    }
  }

  /// How far the library's clock is ahead of ours: what it lends ends by its own.
  package func note(
    clockOf library: LibraryID, ahead milliseconds: Int64
  ) async throws(DatabaseError) {
    let now = now()
    let known: Int64? = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT ahead FROM book_clock WHERE library = \(library.rawValue)") {
        row throws(DatabaseError) in try row[0]
      }
    }
    // A second is what the field itself is rounded to, and nothing to write for.
    if let known, abs(known - milliseconds) < 2_000 { return }
    if known == nil, abs(milliseconds) < 2_000 { return }
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO book_clock (library, ahead, heard_at)
        VALUES (\(library.rawValue), \(milliseconds), \(now))
        ON CONFLICT (library) DO UPDATE SET ahead = excluded.ahead, heard_at = excluded.heard_at
        """)
      try tx.execute(
        """
        UPDATE book SET due = until - \(milliseconds)
        WHERE library = \(library.rawValue) AND until IS NOT NULL
        """)
    }
  }

  /// An account takes its books along, within the transaction that unlinks it; what the reader only
  /// saved stays.
  package static func forget(_ account: AccountID, in tx: Transaction) throws(DatabaseError) {
    try tx.execute(
      "DELETE FROM book WHERE account = \(account.rawValue) AND ignored = \(false)")
    try tx.execute(
      """
      UPDATE book SET account = NULL, state = 'none', until = NULL, due = NULL, dismissed = NULL
      WHERE account = \(account.rawValue)
      """)
  }
}

/// Where a reader's books stand, and which loans were over.
package struct Following: Sendable {
  package let books: [KeptBook]
  package let left: [EndedLoan]
}

struct Followed: Sendable {
  var books: [KeptBook] = []
  var changed: [Change] = []

  struct Change: Sendable {
    let before: KeptBook
    let after: KeptBook

    var isLeaving: Bool {
      before.state.isOnLoan && (!after.state.isOnLoan || before.account != after.account)
    }
  }
}

/// What one card has of one title.
private struct CardLine: Sendable {
  var fact: Fact
  var account: AccountID
  var until: Int64?
  var due: Int64?
  var face: BookFace?
}

extension Snapshot {
  fileprivate func followed(
    _ cards: [Card], of patron: PatronID, at now: Int64
  ) throws(DatabaseError) -> Followed {
    var known: [BookKey: KeptBook] = [:]
    var order: [BookKey] = []
    for book in try books(of: patron) {
      known[book.key] = book
      order.append(book.key)
    }
    let said = try facts(cards, at: now)
    for key in said.order where known[key] == nil {
      known[key] = KeptBook(key, at: now)
      order.append(key)
    }
    let present = Set(cards.map(\.account))
    var followed = Followed()
    for key in order {
      guard let before = known[key] else { continue }
      var book = before
      // A card that is not followed here says nothing of its books.
      if let account = book.account, !present.contains(account), said.facts[key] == nil {
        followed.books.append(book)
        continue
      }
      book.follow(said.facts[key], at: now)
      if book != before { followed.changed.append(.init(before: before, after: book)) }
      if !book.isBlank { followed.books.append(book) }
    }
    return followed
  }

  private func facts(
    _ cards: [Card], at now: Int64
  ) throws(DatabaseError) -> (facts: [BookKey: CardLine], order: [BookKey]) {
    let libraries = Dictionary(cards.map { ($0.account, $0.library) }) { first, _ in first }
    let clocks = try clocks(of: Array(Set(libraries.values)))
    var found: [BookKey: CardLine] = [:]
    var order: [BookKey] = []
    func take(_ key: BookKey, _ line: CardLine) {
      guard let other = found[key] else {
        found[key] = line
        order.append(key)
        return
      }
      // Two cards at one library: the one that has more of the title speaks for it.
      if line.fact.weight > other.fact.weight { found[key] = line }
    }
    for kept in try loans(of: cards.map(\.account)) {
      guard let library = libraries[kept.account] else { continue }
      let until = kept.loan.until?.milliseconds
      let due = until.map { $0 - (clocks[library] ?? 0) }
      take(
        BookKey(library, kept.loan.item),
        CardLine(
          fact: due.map { $0 <= now } == true ? .ended : .lent, account: kept.account,
          until: until, due: due,
          face: kept.loan.title.map { BookFace(title: $0, authors: kept.loan.authors) }))
    }
    for kept in try holds(of: cards.map(\.account)) {
      guard let library = libraries[kept.account] else { continue }
      var line = CardLine(fact: .waiting, account: kept.account)
      line.face = kept.hold.title.map { BookFace(title: $0, authors: kept.hold.authors) }
      switch kept.hold.status {
      case .waiting, .suspended: break
      case .expired: line.fact = .missed
      case .ready(let end):
        line.until = end?.milliseconds
        line.due = line.until.map { $0 - (clocks[library] ?? 0) }
        line.fact = line.due.map { $0 <= now } == true ? .missed : .offered
      }
      take(BookKey(library, kept.hold.item), line)
    }
    return (found, order)
  }

  private func clocks(of libraries: [LibraryID]) throws(DatabaseError) -> [LibraryID: Int64] {
    Dictionary(
      try rows(
        """
        SELECT library, ahead FROM book_clock WHERE library IN (\(libraries.map(\.rawValue)))
        """
      ) { row throws(DatabaseError) in (LibraryID(try row[0]), try row[1]) }
    ) { first, _ in first }
  }
}

extension Fact {
  fileprivate var weight: Int {
    switch self {
    case .lent: 5
    case .offered: 4
    case .waiting: 3
    case .ended: 2
    case .missed: 1
    case .nothing: 0
    }
  }
}

extension KeptBook {
  /// Walks to where the library says the book is.
  fileprivate mutating func follow(_ line: CardLine?, at now: Int64) {
    let fact = line?.fact ?? .nothing
    // Put away already: that the library still lists it brings it back only when it lists it anew.
    if let dismissed, state == .none || state == .saved, fact == .ended || fact == .missed,
      line?.until ?? dismissed == dismissed
    {
      return
    }
    if fact == .nothing, state == .none { dismissed = nil }
    let term: Term = due.map { $0 <= now } == true ? .over : .running
    for event in state.way(towards: fact, term) { _ = apply(event, at: now) }
    guard let line, state != .none, state != .saved else { return }
    account = line.account
    if let said = line.face { face = said }
    // What ended keeps the end it had, whatever the library says of the queue since.
    if state == .loanOfferExpired, fact == .waiting { return }
    // A hold that is told as missed has no end any more; the offer's own is known.
    if fact == .missed, line.until == nil { return }
    (until, due) = (line.until, line.due)
  }
}
