import Books
import Catalog
import Circulation
import Database
import Desk
import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// Everything that one reader has, waits for or wants to keep in mind.
enum MyBooksPage {
  enum Part: String, CaseIterable {
    case all, loans, ready, holds, past, saved

    func holds(_ part: Part) -> Bool { self == .all || self == part }
  }

  struct Row {
    let part: Part
    let entry: CatalogEntry
    let key: BookKey
    var line: ShelfLine?
    var kept: KeptBook?
    var ticket: Ticket?
  }

  static func make(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> Page {
    guard let reader = caller.reader, let shelf = caller.shelf else { throw Lobby.unsealed }
    let part = caller.query["show"].flatMap { Part(rawValue: $0) } ?? .all
    let tickets = try await lobby.tickets(of: reader)
    let rows = try await rows(lobby, caller, reader, shelf, tickets)
    let shown = rows.filter { part.holds($0.part) }
    let view = MyBooksView(cards: BookCards(lobby, caller), reader: reader)
    return Page(Phrases.myBooks, .myBooks) {
      tag("h1") { Phrases.myBooks }
      silence(lobby, shelf)
      QueueView(lobby: lobby, caller: caller, reader: reader).section(tickets)
      // The whole shelf is what a device keeps of it.
      tag("div", .init("id", "mine"), .init("data-shelf", part == .all)) {
        tabs(part, rows, caller)
        if shown.isEmpty {
          emptiness(part, caller)
        } else {
          tag("ul", .init("class", "list mine")) {
            for row in shown { tag("li") { view.line(row) } }
          }
        }
      }
    }
  }

  // MARK: - What is there

  private static func rows(
    _ lobby: Lobby, _ caller: Caller, _ reader: Caller.Reader, _ shelf: ReaderShelf,
    _ tickets: [Ticket]
  ) async throws(Problem) -> [Row] {
    let kept: [KeptBook]
    do throws(DatabaseError) {
      kept = try await lobby.fetching.followed(shelf.accounts, reader.patron)
    } catch {
      throw Refusals.unread(said("Your books cannot be read."))
    }
    let known = Dictionary(kept.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let lines = ShelfLine.all(of: shelf)
    let entries = try await lobby.stock.entries(for: lines, caller.reach)
    let mine = zip(lines, entries).compactMap { line, entry -> Row? in
      let key = BookKey(line.account.library, line.item)
      // Its time is over by the library's clock, or it was put away, though the library still lists it.
      guard line.part == .holds || known[key]?.isGone != true else { return nil }
      return Row(
        part: Part(line.part), entry: entry ?? line.unlisted, key: key, line: line,
        kept: known[key],
        ticket: tickets.first { $0.wish.account == line.account.id && $0.wish.item == line.item })
    }
    let others = kept.filter { $0.isPast || $0.state == .saved }
    let found = try await lobby.stock.entries(of: others, caller.reach)
    let rest = zip(others, found).map { book, entry in
      Row(
        part: book.isPast ? .past : .saved, entry: entry ?? .unlisted(book.key, book.face),
        key: book.key, kept: book)
    }
    // What waits for its reader to do something comes first.
    let order: [Part] = [.ready, .loans, .holds, .past, .saved]
    return order.flatMap { part in (mine + rest).filter { $0.part == part } }
  }

  // MARK: - How it looks

  private static func silence(_ lobby: Lobby, _ shelf: ReaderShelf) -> Node? {
    let names = shelf.accounts.filter { shelf.stale.contains($0.id) }
      .map { lobby.stock.nameOfLibrary($0.library) }.distinct
    guard !names.isEmpty else { return nil }
    return tag("p", .init("class", "notice"), .init("role", "status")) {
      Phrases.notHeard(from: names)
    }
  }

  private static func emptiness(_ part: Part, _ caller: Caller) -> Node {
    tag("div", .init("class", "empty")) {
      tag("p") { Phrases.emptiness(of: part) }
      if part != .ready, part != .past {
        tag("p") {
          tag(
            "a", .init("class", "button second"),
            .init("href", caller.link(LobbyPaths.home.print()))
          ) {
            Phrases.findOne
          }
        }
      }
    }
  }

  private static func tabs(_ part: Part, _ rows: [Row], _ caller: Caller) -> Node {
    tag("nav", .init("class", "tabs"), .init("aria-label", Phrases.whichBooks)) {
      for choice in Part.allCases
      where choice != .past || rows.contains(where: { $0.part == .past }) {
        tag(
          "a", .init("href", caller.link(LobbyPaths.myBooks.print(), ["show": choice.rawValue])),
          .init("aria-current", choice == part ? "page" : nil)
        ) {
          Phrases.title(of: choice)
          tag("span", .init("class", "count")) { "\(rows.count { choice.holds($0.part) })" }
        }
      }
    }
  }
}

extension MyBooksPage.Part {
  init(_ part: ShelfLine.Part) {
    switch part {
    case .loans: self = .loans
    case .ready: self = .ready
    case .holds: self = .holds
    }
  }
}

extension KeptBook {
  /// Went by, and stays to be seen until its reader puts it away.
  fileprivate var isPast: Bool { state == .loanExpired || state == .loanOfferExpired }

  fileprivate var isGone: Bool { isPast || state == .none || state == .saved }
}

extension Stock {
  /// The work of each; nil where no library lists it any more.
  fileprivate func entries(
    of books: [KeptBook], _ reach: Reach
  ) async throws(Problem) -> [CatalogEntry?] {
    try await read { () throws(DatabaseError) in
      let works = try await catalog.works(for: books.map { ($0.key.library, $0.key.item) })
      let found = try await catalog.entries(
        of: works.compactMap(\.self).distinct, at: reach.libraries)
      let whole = Dictionary(found.map { ($0.work, $0) }, uniquingKeysWith: { first, _ in first })
      return works.map { work in work.flatMap { whole[$0] } }
    }
  }
}
