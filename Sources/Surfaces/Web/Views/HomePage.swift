import Catalog
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Registry
import Shelving

/// What one sees first: what is on loan, what waits to be taken, and a few books of each lane.
enum HomePage {
  private static let each = 14

  static func make(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> Page {
    let cards = BookCards(lobby, caller)
    var shown: [(Lane, [CatalogEntry])] = []
    var wish = try PageWish(FormFields())
    wish.count = each
    for lane in lobby.stock.lanes {
      if lane.isGroup {
        shown.append((lane, []))
        continue
      }
      if lane.isRecommending, caller.reach.taste.isEmpty { continue }
      let page = try await lobby.stock.page(of: lane, wish, caller.reach, .books)
      if !page.entries.isEmpty { shown.append((lane, page.entries)) }
    }
    let loans = try await loans(lobby, caller)
    let waiting = waiting(caller)
    return Page("Library", .library, .remembered) {
      heading(lobby, caller)
      waiting
      if caller.reader != nil { onLoan(loans, cards) }
      if shown.allSatisfy({ $0.1.isEmpty }) { nothing }
      for (place, (lane, entries)) in shown.enumerated() {
        if entries.isEmpty {
          group(lane, caller)
        } else {
          section(lane, cards.row(entries, place == 0 && loans.isEmpty ? .eager : .lazy), caller)
        }
      }
    }
  }

  private static func heading(_ lobby: Lobby, _ caller: Caller) -> [Node] {
    guard let reader = caller.reader else {
      return [
        tag("h1") { lobby.settings.title },
        tag("p", .init("class", "lead")) { "Look around; sign in with a library card to borrow." },
      ]
    }
    return [tag("h1", .init("class", "unseen")) { "The library of \(reader.pass.owner)" }]
  }

  // MARK: - The reader's own

  private static func waiting(_ caller: Caller) -> Node? {
    let ready = caller.shelf?.holds.count { $0.hold.isReady } ?? 0
    guard ready > 0 else { return nil }
    return tag("p", .init("class", "notice ready")) {
      tag(
        "a", .init("href", caller.link(LobbyPaths.myBooks.print(), ["show": "ready"]))
      ) {
        Words.count(ready, "book is ready for you", "books are ready for you")
      }
      " — borrow before somebody else’s turn comes."
    }
  }

  private struct Lent {
    let entry: CatalogEntry
    let line: ShelfLine
  }

  private static func loans(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> [Lent] {
    guard let shelf = caller.shelf else { return [] }
    let lines = ShelfLine.all(of: shelf).filter { $0.part == .loans }
    let entries = try await lobby.stock.entries(for: lines, caller.reach)
    return zip(lines, entries).map { Lent(entry: $1 ?? $0.unlisted, line: $0) }
  }

  private static func onLoan(_ loans: [Lent], _ cards: BookCards) -> Node {
    tag("section", .init("aria-labelledby", "on-loan")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "on-loan")) { "On loan" }
        if !loans.isEmpty {
          tag(
            "a", .init("class", "more"),
            .init("href", cards.caller.link(LobbyPaths.myBooks.print()))
          ) { "My books" }
        }
      }
      if loans.isEmpty {
        tag("p", .init("class", "empty")) {
          "Nothing is on loan. Borrow a book, and it stands here with the days it has left."
        }
      } else {
        tag("ul", .init("class", "row")) {
          for lent in loans {
            tag("li") {
              cards.card(lent.entry, .eager) {
                if let until = lent.line.until {
                  cards.due(until, since: lent.line.since, at: lent.line.account.library)
                } else {
                  tag("span", .init("class", "state mine")) { "yours to keep" }
                }
              }
            }
          }
        }
      }
    }
  }

  // MARK: - Lanes

  private static func section(_ lane: Lane, _ row: Node, _ caller: Caller) -> Node {
    tag("section", .init("aria-labelledby", "lane-\(lane.id)")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "lane-\(lane.id)")) { lane.title }
        tag(
          "a", .init("class", "more"), .init("href", caller.link(LobbyPaths.lane.print(lane.id)))
        ) {
          "More"
          tag("span", .init("class", "unseen")) { " of \(lane.title)" }
        }
      }
      row
    }
  }

  private static func group(_ lane: Lane, _ caller: Caller) -> Node {
    tag("section", .init("aria-labelledby", "lane-\(lane.id)")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "lane-\(lane.id)")) { lane.title }
      }
      LaneView.chips(lane.lanes, caller)
    }
  }

  private static var nothing: Node {
    tag("div", .init("class", "empty")) {
      tag("p") { "The shelves are still empty." }
      tag("p") {
        "What the libraries have is fetched by "
        tag("code") { "carrel harvest" }
        ", and from then on by itself."
      }
    }
  }
}
