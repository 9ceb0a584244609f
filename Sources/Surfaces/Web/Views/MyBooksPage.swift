import Books
import Catalog
import Circulation
import Covers
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Registry

/// Everything that one reader has, waits for or wants to keep in mind.
enum MyBooksPage {
  private enum Part: String, CaseIterable {
    case all, loans, ready, holds, saved

    var title: String {
      switch self {
      case .all: "All"
      case .loans: "Loans"
      case .ready: "Ready"
      case .holds: "Holds"
      case .saved: "Saved"
      }
    }

    var emptiness: String {
      switch self {
      case .all: "No books yet. Find one, borrow it, and it stands here."
      case .loans: "Nothing is on loan."
      case .ready: "Nothing waits to be picked up."
      case .holds: "You wait for nothing."
      case .saved: "Nothing is saved for later. The star on a book’s page puts it here."
      }
    }

    func holds(_ part: Part) -> Bool { self == .all || self == part }
  }

  private struct Row {
    let part: Part
    let entry: CatalogEntry
    let key: BookKey
    let account: AccountID?
    var line: ShelfLine?
  }

  static func make(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> Page {
    guard let reader = caller.reader, let shelf = caller.shelf else { throw Lobby.unsealed }
    let part = caller.query["show"].flatMap { Part(rawValue: $0) } ?? .all
    let rows = try await rows(lobby, caller, reader, shelf)
    let shown = rows.filter { part.holds($0.part) }
    let cards = BookCards(lobby, caller)
    var page = Page("My books", .myBooks) {
      tag("h1") { "My books" }
      silence(lobby, shelf)
      tabs(part, rows, caller)
      if shown.isEmpty {
        tag("p", .init("class", "empty")) { part.emptiness }
      } else {
        tag("ul", .init("class", "list mine")) {
          for row in shown { tag("li") { line(row, part, cards, reader) } }
        }
      }
    }
    page.notice = Page.Notice(caller.query, lobby)
    return page
  }

  // MARK: - What is there

  private static func rows(
    _ lobby: Lobby, _ caller: Caller, _ reader: Caller.Reader, _ shelf: ReaderShelf
  ) async throws(Problem) -> [Row] {
    let lines = ShelfLine.all(of: shelf)
    let entries = try await lobby.stock.entries(for: lines, caller.reach)
    // What waits for its reader to do something comes first.
    let mine = zip(lines, entries).map { line, entry in
      let part: Part =
        switch line.part {
        case .loans: .loans
        case .ready: .ready
        case .holds: .holds
        }
      return Row(
        part: part, entry: entry ?? line.unlisted, key: BookKey(line.account.library, line.item),
        account: line.account.id, line: line)
    }
    let order: [Part] = [.ready, .loans, .holds]
    return order.flatMap { part in mine.filter { $0.part == part } }
      + (try await saved(lobby, caller, reader))
  }

  private static func saved(
    _ lobby: Lobby, _ caller: Caller, _ reader: Caller.Reader
  ) async throws(Problem) -> [Row] {
    let kept: [KeptBook]
    do throws(DatabaseError) { kept = try await lobby.books.saved(by: reader.patron) } catch {
      throw Refusals.unread("Your books cannot be read.")
    }
    let entries = try await lobby.stock.read { () throws(DatabaseError) in
      let catalog = lobby.stock.catalog
      let works = try await catalog.works(for: kept.map { ($0.key.library, $0.key.item) })
      let found = try await catalog.entries(
        of: works.compactMap(\.self).distinct, at: caller.reach.libraries)
      let whole = Dictionary(found.map { ($0.work, $0) }, uniquingKeysWith: { first, _ in first })
      return works.map { work in work.flatMap { whole[$0] } }
    }
    return zip(kept, entries).map { book, entry in
      Row(part: .saved, entry: entry ?? book.unlisted, key: book.key, account: nil)
    }
  }

  // MARK: - How it looks

  private static func silence(_ lobby: Lobby, _ shelf: ReaderShelf) -> Node? {
    let names = shelf.accounts.filter { shelf.stale.contains($0.id) }
      .map { lobby.stock.nameOfLibrary($0.library) }.distinct
    guard !names.isEmpty else { return nil }
    return tag("p", .init("class", "notice"), .init("role", "status")) {
      "Not heard from lately: \(names.joined(separator: ", ")). What is shown was known before."
    }
  }

  private static func tabs(_ part: Part, _ rows: [Row], _ caller: Caller) -> Node {
    tag("nav", .init("class", "tabs"), .init("aria-label", "Which books")) {
      for choice in Part.allCases {
        tag(
          "a", .init("href", caller.link(LobbyPaths.myBooks.print(), ["show": choice.rawValue])),
          .init("aria-current", choice == part ? "page" : nil)
        ) {
          choice.title
          tag("span", .init("class", "count")) { " \(rows.count { choice.holds($0.part) })" }
        }
      }
    }
  }

  @Children private static func line(
    _ row: Row, _ part: Part, _ cards: BookCards, _ reader: Caller.Reader
  ) -> [Node] {
    let face = row.entry.face
    let way = cards.ways(row.entry).first { way in
      way.listed.library == row.key.library && way.listed.edition.item == row.key.item
    }
    tag("a", .init("class", "line"), .init("href", cards.address(row.entry.work))) {
      cards.cover(row.entry, .thumbnail)
      tag("span", .init("class", "told")) {
        tag("span", .init("class", "title"), BookCards.language(of: face)) { face.title }
        if !face.authors.isEmpty {
          tag("span", .init("class", "who")) { face.authors.joined(separator: ", ") }
        }
        state(row, way, cards)
      }
    }
    actions(row, way, part, cards, reader)
  }

  @Children private static func state(
    _ row: Row, _ way: Way?, _ cards: BookCards
  ) -> [Node] {
    let library = cards.lobby.stock.nameOfLibrary(row.key.library)
    if row.part == .loans, let until = row.line?.until {
      tag("span", .init("class", "small")) { library }
      cards.due(until, since: row.line?.since)
    } else if row.part == .saved {
      cards.state(cards.glance(row.entry))
    } else {
      tag("span", .init("class", "state mine")) { way?.words(library) ?? "At \(library)." }
    }
  }

  private static func actions(
    _ row: Row, _ way: Way?, _ part: Part, _ cards: BookCards, _ reader: Caller.Reader
  ) -> Node? {
    let offers =
      row.part == .saved
      ? [OffersView.Offer(deed: .unsave, words: "Remove")] : way.map(OffersView.offers) ?? []
    let view = OffersView(cards, row.entry.work, .unknown)
    let read = way.map { view.read($0, ": \(row.entry.face.title)") } ?? []
    guard !offers.isEmpty || !read.isEmpty else { return nil }
    return tag("div", .init("class", "actions")) {
      read
      for offer in offers {
        view.form(
          offer, row.key, reader, offer.deed == .borrow ? "button" : "button second",
          ": \(row.entry.face.title)", from: ["from": "my-books", "show": part.rawValue])
      }
    }
  }
}

extension KeptBook {
  /// What no library lists any more, by what was kept of it.
  fileprivate var unlisted: CatalogEntry {
    var edition = Edition(item: key.item, title: face.title)
    edition.contributors = face.authors.map { Contributor(name: $0, role: .author) }
    return CatalogEntry(
      work: WorkID("\(key.library.rawValue):\(key.item.rawValue)"),
      editions: [
        ListedEdition(
          library: key.library, provider: ProviderID(""), edition: edition, availability: nil)
      ])
  }
}
