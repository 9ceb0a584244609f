import Catalog
import Circulation
import Covers
import FrontDesk
import HTTP
import HTTPServer
import Markup

/// Asks before a book is left out of a reader's shelves, where no script asks in its place.
enum IgnorePage {
  static func make(_ lobby: Lobby, _ caller: Caller, _ work: String) async throws(Problem) -> Page {
    guard let reader = caller.reader else { throw Lobby.unsealed }
    let entry = try await lobby.stock.whole(WorkID(work), caller.reach)
    let cards = BookCards(lobby, caller)
    return Page(Phrases.ignore) {
      tag("div", .init("class", "ask")) {
        cards.cover(entry, .thumbnail, .eager)
        tag("div") {
          tag("h1") {
            Phrases.ignoreQuestion([
              tag("q", BookCards.language(of: entry.face)) { entry.face.title }
            ])
          }
          tag("p") { Phrases.ignoreWhy }
          tag(
            "form", .init("class", "actions"), .init("method", "post"),
            .init("action", cards.address(entry.work))
          ) {
            lobby.sealed(reader)
            hidden("from", Onward(caller.query["from"]).path)
            tag("button", .init("class", "button"), .init("name", "do"), .init("value", "ignore")) {
              Phrases.ignoreYes
            }
            tag("a", .init("class", "button second"), .init("href", cards.address(entry.work))) {
              Phrases.cancel
            }
          }
        }
      }
    }
  }
}
