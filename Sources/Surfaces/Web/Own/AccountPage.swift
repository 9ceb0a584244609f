import Circulation
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Membership
import Phrasebook
import ProviderKit
import Registry

/// One account: how it stands, signing in there anew, and giving it up.
struct AccountPage {
  private let own: Own
  private let account: Account
  /// Why somebody is here again.
  var trouble: FormTrouble?

  init(_ own: Own, _ account: Account) { (self.own, self.account) = (own, account) }

  func page() async throws(Problem) -> Page {
    let standing = CardStanding(account, try await CardStanding.freshness(own)[account.id], own)
    let path = OwnPaths.account.print(account.id.rawValue)
    let number = try await AdobeNumber(own, account.library)
    var page = own.page(
      standing.library, .accounts, under: (OwnPaths.accounts.print(), said("Cards and services"))
    ) {
      tag("h1") { standing.library }
      tag("dl", .init("class", "facts-of")) {
        fact(said("State"), standing.words)
        fact(said("Called"), account.name)
        if let card = account.maskedCard { fact(said("Card"), card) }
        fact(said("Now"), standing.counts)
        fact(said("Last heard of"), standing.heard)
        fact(said("Adobe ID"), number.words)
      }
      tag("div", .init("class", "actions")) {
        own.button(said("Check now"), "check", at: path, unseen: standing.library)
        tag(
          "a", .init("class", "button second"),
          .init("href", own.link(OwnPaths.unlink.print(account.id.rawValue)))
        ) {
          said("Unlink")
          tag("span", .init("class", "unseen")) { ": \(standing.library)" }
        }
        if number.canBeginAnew {
          own.button(said("New Adobe ID"), "adobe", at: path, unseen: standing.library)
        }
      }
      renewing(path)
    }
    if let words = trouble?.words { page.notice = .alert(words) }
    return page
  }

  private func fact(_ name: String, _ words: String) -> Node {
    tag("div") {
      tag("dt") { name }
      tag("dd") { words }
    }
  }

  private func renewing(_ path: String) -> Node? {
    guard let way = try? own.stock.enrollment.way(to: account.library) else { return nil }
    let fields = LinkPage.Fields(way)
    guard fields.isPage || !fields.all.isEmpty else { return nil }
    return tag("section", .init("aria-labelledby", "again")) {
      tag("h2", .init("id", "again")) { said("Sign in there again") }
      tag("p", .init("class", "small")) {
        fields.isPage
          ? said("On the service’s own page, if it asks for it.")
          : said(
            """
            After the PIN was changed, or when the card has a new number. What is kept now is \
            never shown in this form.
            """)
      }
      own.form(path, "fields") {
        hidden("do", "renew")
        fields.nodes(trouble, given: [:])
        tag("button", .init("class", "button"), .init("type", "submit")) {
          fields.isPage ? said("Go to its page") : said("Sign in")
        }
      }
    }
  }

  /// Asked for once more, since books and lists go with it.
  static func unlinking(_ own: Own, _ account: Account) -> Page {
    let library = own.lobby.stock.nameOfLibrary(account.library)
    let path = OwnPaths.account.print(account.id.rawValue)
    let loans = own.shelf.loans.count { $0.account == account.id }
    let holds = own.shelf.holds.count { $0.account == account.id }
    return own.page(said("Unlink \(library)?"), .accounts, under: (path, library)) {
      tag("h1") { said("Unlink \(library)?") }
      tag("p", .init("class", "lead")) {
        said(
          """
          Card and PIN, its loans and holds, and lists that were fetched from there are \
          forgotten here. Nothing changes at \(library) itself: loans and holds stay there.
          """)
      }
      if loans + holds > 0 {
        tag("p") {
          said("You have \(Words.loans(loans)) and \(Words.holds(holds)) there now.")
        }
      }
      if account.id == own.reader.pass.account {
        tag("p", .init("class", "notice alert")) {
          said("You signed in with this card: unlinking it signs you out.")
        }
      }
      tag("div", .init("class", "actions")) {
        own.form(OwnPaths.unlink.print(account.id.rawValue)) {
          hidden("sure", "yes")
          tag("button", .init("class", "button"), .init("type", "submit")) { said("Unlink it") }
        }
        tag("a", .init("class", "button second"), .init("href", own.link(path))) {
          said("Keep it", "linked")
        }
      }
    }
  }
}

extension Account {
  /// All but the last four hidden.
  var maskedCard: String? { cardEnding.map { "…\($0)" } }
}
