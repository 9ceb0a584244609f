import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Membership
import Phrasebook
import ProviderKit
import Registry

/// All cards and services of a reader with how they stand, and all that could be added.
struct AccountsPage {
  private let own: Own
  private var houses: Houses { own.stock.enrollment.houses }

  init(_ own: Own) { self.own = own }

  func page() async throws(Problem) -> Page {
    let fresh = try await CardStanding.freshness(own)
    return own.page(said("Cards and services"), .accounts) {
      tag("h1") { said("Cards and services") }
      if own.shelf.accounts.isEmpty {
        tag("p", .init("class", "empty")) { said("No card is linked. Add one below.") }
      } else {
        tag("ul", .init("class", "tiles")) {
          for account in own.shelf.accounts {
            tag("li") { tile(CardStanding(account, fresh[account.id], own)) }
          }
        }
      }
      adding
    }
  }

  private func tile(_ standing: CardStanding) -> [Node] {
    let account = standing.account
    return [
      tag("h2") {
        tag("a", .init("href", own.link(OwnPaths.account.print(account.id.rawValue)))) {
          standing.library
        }
      },
      tag("p", .init("class", "small")) {
        account.name
        if let card = account.maskedCard { " · \(said("card \(card)"))" }
      },
      tag("p", .init("class", "state \(standing.isGood ? "now" : "soon")")) { standing.words },
      tag("p", .init("class", "small")) { standing.counts },
    ]
  }

  // MARK: - What can be added

  private var adding: [Node] {
    let linked = Set(own.shelf.accounts.map(\.library))
    let open = houses.all.filter(\.facts.patronsLink)
    let (lists, lenders) = (open.filter { keepsLists($0) }, open.filter { !keepsLists($0) })
    let unset = houses.providers.filter { provider in
      !houses.all.contains { $0.provider == provider.id } && provider.needs.addressEndpoint == nil
    }
    return [
      group(said("Add a library card"), "add-card", lenders, linked),
      byAddress,
      group(said("Add a reading-list service"), "add-service", lists, linked),
      unset.isEmpty
        ? nil
        : tag("p", .init("class", "small")) {
          said(
            """
            Carrel also speaks with \(unset.map(\.title).joined(separator: ", ")): whoever runs \
            this gateway sets a library up there first.
            """)
        },
    ].compactMap(\.self)
  }

  private func keepsLists(_ house: House) -> Bool {
    houses.providers.first { $0.id == house.provider }.map { provider in
      provider.capabilities.contains(.lists) && !provider.capabilities.contains(.lending)
    } ?? false
  }

  private func group(
    _ title: String, _ id: String, _ houses: [House], _ linked: Set<LibraryID>
  ) -> Node? {
    guard !houses.isEmpty else { return nil }
    return tag("section", .init("aria-labelledby", id)) {
      tag("h2", .init("id", id)) { title }
      tag("ul", .init("class", "lines")) {
        for house in houses {
          tag("li") {
            tag(
              "a",
              .init("href", own.link(OwnPaths.newAccount.print(), ["at": house.id.rawValue]))
            ) {
              tag("span", .init("class", "title")) { house.name }
              tag("span", .init("class", "small")) {
                provider(of: house)
                if linked.contains(house.id) { " · \(said("linked; add another"))" }
              }
            }
            if let page = house.facts.joining {
              tag("a", .init("class", "small"), .init("href", page), .init("rel", "noreferrer")) {
                said("Get a card")
                tag("span", .init("class", "unseen")) { ": \(house.name)" }
              }
            }
          }
        }
      }
    }
  }

  private func provider(of house: House) -> String {
    houses.providers.first { $0.id == house.provider }?.title ?? house.provider.rawValue
  }

  /// A catalogue that nobody set up here, by its address.
  private var byAddress: Node? {
    guard houses.providers.contains(where: { $0.needs.addressEndpoint != nil }) else { return nil }
    return tag("details", .init("class", "more-ways")) {
      tag("summary") { said("A library that is not in the list") }
      tag(
        "form", .init("method", "get"), .init("action", own.link(OwnPaths.newAccount.print()))
      ) {
        FormField("at", said("Address of its OPDS catalogue")) { field in
          (field.type, field.mode, field.fill, field.longest) = ("url", "url", "url", 1000)
        }.node
        tag("button", .init("class", "button second"), .init("type", "submit")) { said("Go on") }
      }
    }
  }
}

/// How one account stands, in words.
struct CardStanding {
  let account: Account
  let library: String
  let words: String
  let isGood: Bool
  let counts: String
  let heard: String

  init(_ account: Account, _ fresh: Freshness?, _ own: Own) {
    self.account = account
    let library = own.lobby.stock.nameOfLibrary(account.library)
    self.library = library
    let trouble = fresh?.trouble
    isGood = account.status == .linked && trouble == nil
    words =
      switch account.status {
      case .rejected: said("Card or PIN refused: sign in again.")
      case .expired: said("The card has expired: renew it at the library.")
      case .blocked: said("The library has blocked the card: ask there.")
      case .linked:
        trouble.map {
          said("In order, but: \(Refusals.problem(code: $0, at: library).detail ?? $0)")
        }
          ?? said("In order.")
      }
    let loans = own.shelf.loans.count { $0.account == account.id }
    let holds = own.shelf.holds.count { $0.account == account.id }
    counts = [
      account.loanLimit.map { said("\(loans) of \($0) loans") } ?? Words.loans(loans),
      account.holdLimit.map { said("\(holds) of \($0) holds") } ?? Words.holds(holds),
    ].joined(separator: " · ")
    let goodAt = fresh?.goodAt.map { Int64($0.timeIntervalSince1970 * 1000) }
    heard =
      (goodAt ?? account.lastGoodSync).map { Ago.words($0, own.caller.now) }
      ?? said("not asked yet")
  }

  static func freshness(_ own: Own) async throws(Problem) -> [AccountID: Freshness] {
    do throws(DeskError) {
      let all = try await own.lobby.lending.desk.freshness(of: own.shelf.accounts.map(\.id))
      return Dictionary(all.map { ($0.account, $0) }, uniquingKeysWith: { first, _ in first })
    } catch {
      throw Refusals.unread(said("Your accounts cannot be read."))
    }
  }
}
