import Catalog
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Registry

/// Where a paper copy shall wait: the library names its branches, the reader takes one.
enum PickUpPage {
  static func make(
    _ lobby: Lobby, _ caller: Caller, _ name: Stock.TitleName
  ) async throws(Problem) -> Page {
    guard let reader = caller.reader else { throw Lobby.unsealed }
    let wanted = try await lobby.stock.wanted(name, caller.reach)
    let library = lobby.stock.nameOfLibrary(wanted.library)
    let answers = await lobby.lending.pickups(of: [wanted.way], for: caller.request)
    let list = answers[wanted.way.key] ?? CopyList()
    let branches = list.pickups
    let cards = BookCards(lobby, caller)
    return Page(Phrases.pickUp(library)) {
      tag("p", .init("class", "back")) {
        tag("a", .init("href", cards.address(wanted.entry.work))) { wanted.entry.face.title }
      }
      tag("h1") { Phrases.pickUp(library) }
      if branches.isEmpty {
        tag("p", .init("class", "empty")) { Phrases.noBranches(library) }
      } else {
        tag(
          "form", .init("class", "box"), .init("method", "post"),
          .init("action", cards.address(wanted.entry.work))
        ) {
          lobby.sealed(reader)
          hidden("do", BookDeed.hold.rawValue)
          if let shelf = caller.shelf { hidden(BookDeed.keyField, shelf.formKey) }
          hidden("library", name.library)
          hidden("item", name.item)
          tag("fieldset") {
            tag("legend") { Phrases.whichBranch }
            for (place, branch) in branches.prefix(200).enumerated() {
              tag("label", .init("class", "choice")) {
                tag(
                  "input", .init("type", "radio"), .init("name", "branch"),
                  .init("value", branch.id.rawValue), .init("required", true),
                  .init("checked", place == 0))
                tag("span") {
                  list.words(at: branch)
                  if let address = branch.address {
                    tag("span", .init("class", "small")) { " \(address)" }
                  }
                }
              }
            }
          }
          tag("button", .init("class", "button"), .init("type", "submit")) { Phrases.placeHold }
        }
      }
    }
  }
}
