import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Membership
import Phrasebook
import Profiles
import ProviderKit
import Registry

/// Who one is here: picture, cards to show at a desk, what waits, and which services are linked.
struct ProfilePage {
  private let own: Own

  init(_ own: Own) { self.own = own }

  func page() async throws(Problem) -> Page {
    let holds = try await holds()
    let changed: Int64?
    do throws(DatabaseError) {
      changed = try await own.stock.profiles.pictureChanged(of: own.reader.patron)
    } catch {
      throw Refusals.unread(said("Your profile cannot be read."))
    }
    return own.page(said("Profile"), .profile) {
      tag("div", .init("class", "person")) {
        face(changed)
        tag("div") {
          tag("h1") { own.reader.pass.owner }
          tag("p", .init("class", "small")) {
            "\(Words.loans(own.shelf.loans.count)) · \(Words.holds(own.shelf.holds.count))"
          }
        }
      }
      cards
      waiting(holds)
      services
      picture(changed)
    }
  }

  private func face(_ changed: Int64?) -> Node {
    guard let changed else {
      return tag("span", .init("class", "face"), .init("aria-hidden", "true")) {
        String(own.reader.pass.owner.prefix(1).uppercased())
      }
    }
    return tag(
      "img", .init("class", "face"),
      .init("src", own.link(OwnPaths.picture.print(), ["v": "\(changed)"])),
      .init("alt", said("Your picture")), .init("width", 96), .init("height", 96))
  }

  // MARK: - Cards

  private var cards: Node {
    tag("section", .init("aria-labelledby", "cards")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "cards")) { said("Your cards") }
        tag("a", .init("class", "more"), .init("href", own.link(OwnPaths.accounts.print()))) {
          said("All cards")
        }
      }
      let shown = own.shelf.accounts.filter { lends($0) }
      if shown.isEmpty {
        tag("p", .init("class", "empty")) {
          said(
            "No library card is linked. Add one under Cards, and it can be shown at the desk from here."
          )
        }
      } else {
        tag("ul", .init("class", "wallet")) {
          for account in shown {
            tag("li") {
              let library = own.lobby.stock.nameOfLibrary(account.library)
              tag("span", .init("class", "title")) { library }
              tag("span", .init("class", "number")) {
                account.cardEnding.map { "•••• •••• \($0)" } ?? said("No number is shown")
              }
              tag(
                "a", .init("class", "button second"),
                .init("href", own.link(OwnPaths.card.print(account.id.rawValue)))
              ) {
                said("Show")
                tag("span", .init("class", "unseen")) { ": \(said("Card of \(library)"))" }
              }
            }
          }
        }
        tag("p", .init("class", "small")) {
          said("Home branch: none of your libraries tells Carrel which one is yours.")
        }
      }
    }
  }

  private func listing(_ account: Account) -> ProviderListing? {
    own.stock.enrollment.houses.providers.first { $0.id == account.provider }
  }

  private func lends(_ account: Account) -> Bool {
    listing(account).map { provider in provider.fields.contains { $0.name == "card" } }
      ?? (account.cardEnding != nil)
  }

  private var services: Node? {
    let services = own.shelf.accounts.filter { !lends($0) }
    guard !services.isEmpty else { return nil }
    return tag("section", .init("aria-labelledby", "services")) {
      tag("h2", .init("id", "services")) { said("Linked services") }
      tag("ul", .init("class", "lines")) {
        for account in services {
          tag("li") {
            tag("a", .init("href", own.link(OwnPaths.account.print(account.id.rawValue)))) {
              tag("span", .init("class", "title")) {
                own.lobby.stock.nameOfLibrary(account.library)
              }
              tag("span", .init("class", "small")) { account.name }
            }
          }
        }
      }
    }
  }

  // MARK: - Holds

  private func holds() async throws(Problem) -> [Node] {
    let lines = ShelfLine.all(of: own.shelf).filter { $0.part != .loans }
    let entries = try await own.lobby.stock.entries(for: lines, own.caller.reach)
    let cards = BookCards(own.lobby, own.caller)
    return zip(lines, entries).map { line, entry in
      tag("li") {
        cards.card(entry ?? line.unlisted, .lazy) {
          tag("span", .init("class", "state mine")) {
            line.part == .ready ? said("ready for you") : said("waiting")
          }
        }
      }
    }
  }

  private func waiting(_ holds: [Node]) -> Node {
    tag("section", .init("aria-labelledby", "holds")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "holds")) { said("Holds") }
        if !holds.isEmpty {
          tag(
            "a", .init("class", "more"),
            .init("href", own.link(LobbyPaths.myBooks.print(), ["show": "holds"]))
          ) { said("All holds") }
        }
      }
      if holds.isEmpty {
        tag("p", .init("class", "empty")) { said("You wait for nothing.") }
      } else {
        tag("ul", attributes: [.init("class", "row")], children: holds)
      }
    }
  }

  // MARK: - Picture

  private func picture(_ changed: Int64?) -> Node {
    tag("details", .init("class", "more-ways")) {
      tag("summary") { changed == nil ? said("Add a picture") : said("Change the picture") }
      own.form(OwnPaths.picture.print(), "fields", takesFiles: true) {
        hidden("do", "keep")
        tag("div", .init("class", "field")) {
          tag("label", .init("for", "photo")) { said("A picture of yours") }
          tag(
            "input", .init("id", "photo"), .init("name", "photo"), .init("type", "file"),
            .init("accept", "image/*"), .init("required", true),
            .init("aria-describedby", "photo-hint"))
          tag("p", .init("class", "small"), .init("id", "photo-hint")) {
            said("Its middle is kept as a small square, and nothing else of the file.")
          }
        }
        tag("button", .init("class", "button second"), .init("type", "submit")) { said("Keep it") }
      }
      if changed != nil {
        own.button(said("Remove the picture"), "drop", at: OwnPaths.picture.print())
      }
    }
  }
}
