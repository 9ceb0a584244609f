import Books
import Catalog
import Circulation
import Database
import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Machine
import Markup
import Phrasebook
import ReadingLists
import Registry

/// What stands around one work for one reader.
struct BookFacts: Sendable {
  let entry: CatalogEntry
  let saving: OffersView.Saving
  let tickets: [Ticket]
  /// Cards whose library puts paper aside.
  let withPaper: Set<AccountID>
  let lists: [CustomList]

  init(
    _ entry: CatalogEntry, _ ways: [Way], _ lobby: Lobby, _ caller: Caller
  ) async throws(Problem) {
    self.entry = entry
    guard let reader = caller.reader, let shelf = caller.shelf else {
      (saving, tickets, withPaper, lists) = (.unknown, [], [], [])
      return
    }
    let saved = shelf.saved.first { entry.lists($0.item, at: $0.library) }
    saving = saved.map { .saved(BookKey($0.library, $0.item)) } ?? .open
    tickets = ways.contains { $0.loan != nil } ? try await lobby.tickets(of: reader) : []
    withPaper = await lobby.lending.accountsWithPaper(among: ways, for: caller.request)
    do throws(ListError) { lists = try await lobby.lending.lists.lists(of: reader.patron) } catch {
      throw Refusals.unread(said("Your lists cannot be read."))
    }
  }
}

/// What can be done with a book besides getting it: putting it on a list, telling others, ignoring it.
struct BookAsides {
  let cards: BookCards
  let facts: BookFacts
  private var caller: Caller { cards.caller }
  private var entry: CatalogEntry { facts.entry }

  @Children var nodes: [Node] {
    tag("div", .init("class", "asides")) {
      if let reader = caller.reader { list(reader) }
      share
      if let reader = caller.reader { ignoring(reader) }
    }
  }

  private func list(_ reader: Caller.Reader) -> Node {
    tag("details") {
      tag("summary") { Phrases.addToList }
      tag(
        "form", .init("class", "box"), .init("method", "post"),
        .init("action", cards.address(entry.work))
      ) {
        cards.lobby.sealed(reader)
        hidden("do", BookDeed.enlist.rawValue)
        if !facts.lists.isEmpty {
          tag("div", .init("class", "field")) {
            tag("label", .init("for", "list")) { Phrases.whichList }
            tag("select", .init("id", "list"), .init("name", "list")) {
              for list in facts.lists {
                tag("option", .init("value", list.id.rawValue)) { list.name }
              }
              tag("option", .init("value", "")) { Phrases.newList }
            }
          }
        }
        tag("div", .init("class", "field")) {
          tag("label", .init("for", "name")) { Phrases.newListName }
          tag(
            "input", .init("id", "name"), .init("name", "name"), .init("type", "text"),
            .init("maxlength", 200), .init("required", facts.lists.isEmpty))
        }
        tag("button", .init("class", "button second"), .init("type", "submit")) { Phrases.add }
      }
    }
  }

  /// Works without script: an address to copy, and a letter.
  private var share: Node {
    let title = entry.face.title
    let address = caller.request.absoluteLink(LobbyPaths.work.print(entry.work.rawValue))
    let letter: FormFields = ["subject": title, "body": address]
    return tag("details") {
      tag("summary") { Phrases.share }
      tag(
        "div", .init("class", "box"), .init("data-share", title),
        .init("data-word-share", Phrases.share), .init("data-word-copy", Phrases.copy),
        .init("data-word-copied", Phrases.copied)
      ) {
        tag("div", .init("class", "field")) {
          tag("label", .init("for", "address")) { Phrases.address }
          tag(
            "input", .init("id", "address"), .init("type", "text"), .init("readonly", true),
            .init("value", address))
        }
        tag(
          "a", .init("class", "button second"),
          .init("href", "mailto:?" + letter.encoded.replacing("+", with: "%20"))
        ) { Phrases.byMail }
      }
    }
  }

  @Children private func ignoring(_ reader: Caller.Reader) -> [Node] {
    if caller.shelf?.hides(entry) == true {
      tag("form", .init("method", "post"), .init("action", cards.address(entry.work))) {
        cards.lobby.sealed(reader)
        tag("button", .init("class", "plain"), .init("name", "do"), .init("value", "unignore")) {
          Phrases.showAgain
        }
      }
    } else {
      cards.ignoring(entry, "ignore plain")
    }
  }
}
