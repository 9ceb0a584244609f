package import Circulation
package import Database
import Desk
import Machine

/// The line of those who want a loan as a file. It is kept in the database, so that every gateway of
/// the house sees one line, and whoever asked first is served first. Whatever moves a ticket tells the
/// hook in the same transaction: the state of the book moves with it or not at all.
package struct DownloadQueue: Sendable {
  package struct Settings: Sendable, Hashable {
    /// At a time, over all processes of the house, and from one library.
    package var atOnce = 2
    package var perLibrary = 2
    /// How long a worker that says nothing is waited for.
    package var lease = Duration.seconds(30)
    /// Tries in vain before it has failed for good, and the waits between them.
    package var tries = 5
    package var firstWait = Duration.seconds(4)
    package var longestWait = Duration.seconds(3600)
    /// Before it is looked again whether the disk has room.
    package var houseWait = Duration.seconds(300)

    package init() {}
  }

  package typealias Hook =
    @Sendable (Transaction, Ticket, BookEvent) throws(DatabaseError) -> Void

  let store: Store
  let settings: Settings
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// Between nought and one; spreads the waits.
  let chance: @Sendable () -> Double
  let moved: Hook

  package init(
    store: Store, settings: Settings = Settings(), now: @escaping @Sendable () -> Int64,
    chance: @escaping @Sendable () -> Double, moved: @escaping Hook
  ) {
    (self.store, self.settings, self.now) = (store, settings, now)
    (self.chance, self.moved) = (chance, moved)
  }

  // MARK: - Asking

  package enum Answer: Sendable, Hashable {
    /// In the line now, or under way.
    case taken(Ticket)
    /// It was in the line before.
    case waiting(Ticket)
    /// The file is here.
    case already(Ticket)

    package var ticket: Ticket {
      switch self {
      case .taken(let ticket), .waiting(let ticket), .already(let ticket): ticket
      }
    }
  }

  /// Asks for a file. Asked again, it is the same ticket; one that failed gets another chance, and so
  /// does one whose file is worth nothing any more, where it is to come anew.
  package func ask(
    _ wish: Wish, anew: Bool = false
  ) async throws(DatabaseError) -> Answer {
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      guard var ticket = try tx.ticket(of: wish.patron, wish.account, wish.item) else {
        return try enter(wish, at: now, tx)
      }
      let isHere = try digest(of: ticket.wish, tx) != nil
      switch ticket.state {
      case .queued, .running, .paused: return .waiting(ticket)
      case .done where isHere && !anew: return .already(ticket)
      case .done, .failed:
        try line(up: &ticket, at: now, tx)
        return .taken(ticket)
      }
    }
  }

  /// Of the file that is here for a loan.
  private func digest(of wish: Wish, _ tx: Snapshot) throws(DatabaseError) -> String? {
    try tx.first(
      """
      SELECT digest FROM book_holder WHERE patron = \(wish.patron.rawValue)
      AND account = \(wish.account.rawValue) AND item = \(wish.item.rawValue)
      """
    ) { row throws(DatabaseError) in try row[0] }
  }

  private func enter(
    _ wish: Wish, at now: Int64, _ tx: Transaction
  ) throws(DatabaseError) -> Answer {
    let place = try tx.nextPlace()
    let id: Int64 = try tx.one(
      """
      INSERT INTO download (
        patron, account, item, library, title, authors, format, content, protection, locks_loan,
        open_access, until, state, tries, received, place, asked_at, changed_at)
      VALUES (
        \(wish.patron.rawValue), \(wish.account.rawValue), \(wish.item.rawValue),
        \(wish.library.rawValue), \(Line.clean(wish.title)), \(Line.lines(wish.authors)),
        \(wish.format?.id), \(wish.format?.content.rawValue), \(wish.format?.protection.rawValue),
        \(wish.format?.locksLoan ?? false), \(wish.isOpenAccess), \(wish.until), 'queued', 0, 0,
        \(place), \(now), \(now))
      RETURNING id
      """
    ) { row throws(DatabaseError) in try row[0] }
    var ticket = try tx.one(
      "SELECT \(Ticket.columns) FROM download WHERE id = \(id)", Ticket.init)
    guard wish.isOpenAccess, let digest = try digest(of: wish, tx) else {
      try start(&ticket, at: now, tx)
      return .taken(ticket)
    }
    // What is free for everybody stayed here when it was given back.
    try move(&ticket, to: .running, at: now, tx)
    try moved(tx, ticket, .downloadStarted)
    ticket.digest = digest
    try move(&ticket, to: .done, at: now, tx)
    try moved(tx, ticket, .downloadCompleted)
    return .already(ticket)
  }

  /// To the end of the line, as if asked for the first time.
  func line(
    up ticket: inout Ticket, at now: Int64, _ tx: Transaction
  ) throws(DatabaseError) {
    (ticket.tries, ticket.nextAt, ticket.reason) = (0, nil, nil)
    (ticket.digest, ticket.place) = (nil, try tx.nextPlace())
    // Out of the line first, so that it does not see itself waiting.
    ticket.state = .paused
    try tx.keep(ticket)
    try start(&ticket, at: now, tx)
  }

  /// Under way at once where a place is free and nobody waits for it, else into the line.
  private func start(
    _ ticket: inout Ticket, at now: Int64, _ tx: Transaction
  ) throws(DatabaseError) {
    let isFree = try hasRoom(for: ticket, at: now, tx)
    try move(&ticket, to: isFree ? .running : .queued, at: now, tx)
    try moved(tx, ticket, isFree ? .downloadStarted : .queued)
  }

  private func hasRoom(
    for ticket: Ticket, at now: Int64, _ tx: Snapshot
  ) throws(DatabaseError) -> Bool {
    let running = try tx.running()
    guard running.count < settings.atOnce,
      running.count(where: { $0.wish.library == ticket.wish.library }) < settings.perLibrary
    else { return false }
    let earlier = try nextInLine(besides: running, at: now, tx)
    return earlier.map { $0.id == ticket.id } ?? true
  }

  func move(
    _ ticket: inout Ticket, to state: Ticket.State, at now: Int64, _ tx: Transaction
  ) throws(DatabaseError) {
    (ticket.state, ticket.changedAt) = (state, now)
    (ticket.owner, ticket.lease) = (nil, nil)
    try tx.keep(ticket)
  }

  // MARK: - Looking

  /// As they stand in the line.
  package func tickets(of patron: PatronID) async throws(DatabaseError) -> [Ticket] {
    try await store.read { tx throws(DatabaseError) in try tx.tickets(of: patron) }
  }

  package func ticket(_ id: Int64) async throws(DatabaseError) -> Ticket? {
    try await store.read { tx throws(DatabaseError) in try tx.ticket(id) }
  }

  /// How many stand before it, of all patrons; nil where it does not wait.
  package func ahead(of ticket: Ticket) async throws(DatabaseError) -> Int? {
    guard ticket.state == .queued else { return nil }
    return try await store.read { tx throws(DatabaseError) in
      try tx.value(
        """
        SELECT count(*) FROM download WHERE state = 'queued' AND place < \(ticket.place)
        """, as: Int.self)
    }
  }
}
