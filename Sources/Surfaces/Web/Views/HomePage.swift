import Catalog
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Shelving

/// What one sees first: what is on loan, what waits to be taken, and a few books of each lane.
enum HomePage {
  private static let each = 14

  static func make(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> Page {
    let cards = BookCards(lobby, caller)
    var shown: [(Lane, [CatalogEntry])] = []
    for lane in lobby.stock.lanes {
      if lane.isGroup {
        shown.append((lane, []))
        continue
      }
      if lane.isRecommending, caller.reach.isWithoutTaste { continue }
      let first = try await lobby.lanes.first(each, of: lane, from: lobby.stock, caller)
      if !first.isEmpty { shown.append((lane, first)) }
    }
    let loans = try await loans(lobby, caller)
    let waiting = waiting(caller)
    return Page(said("Library"), .library, .remembered) {
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
        tag("p", .init("class", "lead")) { Phrases.lookAround },
      ]
    }
    return [tag("h1", .init("class", "unseen")) { Phrases.library(of: reader.pass.owner) }]
  }

  // MARK: - The reader's own

  private static func waiting(_ caller: Caller) -> Node? {
    let ready = caller.shelf?.holds.count { $0.hold.isReady } ?? 0
    guard ready > 0 else { return nil }
    return tag("p", .init("class", "notice ready")) {
      tag(
        "a", .init("href", caller.link(LobbyPaths.myBooks.print(), ["show": "ready"]))
      ) {
        Phrases.ready(ready)
      }
      " — "
      Phrases.readyWhy
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
        tag("h2", .init("id", "on-loan")) { Phrases.onLoan }
        if !loans.isEmpty {
          tag(
            "a", .init("class", "more"),
            .init("href", cards.caller.link(LobbyPaths.myBooks.print()))
          ) { Phrases.myBooks }
        }
      }
      if loans.isEmpty {
        tag("p", .init("class", "empty")) {
          Phrases.nothingOnLoan
        }
      } else {
        tag("ul", .init("class", "row")) {
          for lent in loans {
            tag("li") {
              cards.card(lent.entry, .eager) {
                if let until = lent.line.until {
                  cards.due(until, since: lent.line.since, at: lent.line.account.library)
                } else {
                  tag("span", .init("class", "state mine")) { Phrases.allYours }
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
        tag("h2", .init("id", "lane-\(lane.id)")) { said(known: lane.title) }
        tag(
          "a", .init("class", "more"), .init("href", caller.link(LobbyPaths.lane.print(lane.id)))
        ) {
          Phrases.more
          tag("span", .init("class", "unseen")) { ": \(said(known: lane.title))" }
        }
      }
      row
    }
  }

  private static func group(_ lane: Lane, _ caller: Caller) -> Node {
    tag("section", .init("aria-labelledby", "lane-\(lane.id)")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "lane-\(lane.id)")) { said(known: lane.title) }
      }
      LaneView.chips(lane.lanes, caller)
    }
  }

  private static var nothing: Node {
    tag("div", .init("class", "empty")) {
      tag("p") { Phrases.emptyShelves }
      tag("p") {
        marked(
          "What the libraries have is fetched by \(tag("code") { "carrel harvest" }), and from then on by itself."
        )
      }
    }
  }
}
