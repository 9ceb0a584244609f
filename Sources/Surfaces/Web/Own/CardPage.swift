import Barcodes
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Membership
import Phrasebook
import ProviderKit
import Registry
import Secrets

/// One card as it is held out at a desk. Its number and its PIN stand here only while the patron asks to
/// see them, and has proved lately who that is.
struct CardPage {
  private let own: Own
  private let account: Account
  private var path: String { OwnPaths.card.print(account.id.rawValue) }
  private var library: String { own.lobby.stock.nameOfLibrary(account.library) }

  init(_ own: Own, _ account: Account) { (self.own, self.account) = (own, account) }

  func page(
    _ shown: Credentials? = nil, showsPIN: Bool = false
  ) async throws(Problem) -> Page {
    let fields = try await kept { () throws(RegistryError) in
      try await own.lobby.registry.fieldNames(of: account.id)
    }
    return own.page(
      said("Card of \(library)"), .profile, under: (OwnPaths.profile.print(), said("Profile"))
    ) {
      tag("h1") { library }
      if let card = shown?["card"] { number(card) } else { masked(fields) }
      pin(fields, showsPIN ? shown?["pin"] : nil)
    }
  }

  private func masked(_ fields: [String]) -> [Node] {
    guard fields.contains("card") else {
      return [tag("p", .init("class", "empty")) { said("No number is kept for this account.") }]
    }
    return [
      tag("p", .init("class", "number")) {
        account.cardEnding.map { "•••• •••• \($0)" } ?? "••••"
      },
      own.button(said("Show number and bars"), "show", at: path, "button"),
    ]
  }

  private func number(_ card: Secret) -> [Node] {
    let bars = card.revealText { Barcode($0, Self.kind(of: account, $0, own)) }
    return [
      bars == nil
        ? tag("p", .init("class", "small")) {
          said("This number cannot be shown as bars of the library’s kind: tell it at the desk.")
        }
        : tag(
          "img", .init("class", "bars"),
          .init("src", own.link(OwnPaths.bars.print(account.id.rawValue))),
          .init("alt", said("The card’s number as bars")), .init("width", 320), .init("height", 110)
        ),
      card.revealText { text in tag("p", .init("class", "number")) { text } },
      tag("p") { tag("a", .init("href", own.link(path))) { said("Hide it") } },
    ]
  }

  private func pin(_ fields: [String], _ shown: Secret?) -> Node {
    tag("section", .init("aria-labelledby", "pin-title")) {
      tag("h2", .init("id", "pin-title")) { "PIN" }
      if let shown {
        shown.revealText { text in tag("p", .init("class", "number")) { text } }
      } else if !fields.contains("pin") {
        tag("p", .init("class", "small")) { said("No PIN is kept for this card.") }
      } else {
        own.button(said("Show the PIN"), "pin", at: path)
      }
    }
  }

  static func kind(of account: Account, _ number: String, _ own: Own) -> Barcode.Kind {
    own.stock.enrollment.houses.house(account.library)?.facts.bars
      .flatMap { Barcode.Kind(rawValue: $0) } ?? .usual(for: number)
  }

  // MARK: - What its forms do

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    switch form["do"] {
    case "show": return .page(try await page(try await credentials(account.id)))
    case "pin": return .page(try await page(try await credentials(account.id), showsPIN: true))
    default:
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
  }

  private func credentials(_ id: AccountID) async throws(Problem) -> Credentials {
    try await kept { () throws(RegistryError) in
      try await own.lobby.registry.credentials(of: id, request: own.caller.request.id.description)
    }
  }

  private func kept<T: Sendable>(
    _ body: () async throws(RegistryError) -> T
  ) async throws(Problem) -> T {
    do throws(RegistryError) { return try await body() } catch {
      throw Refusals.unread(said("Your card cannot be read just now."))
    }
  }

  /// For the page's own picture: kept by nobody.
  func bars() async throws(Problem) -> Response {
    let svg = try await credentials(account.id)["card"]?.revealText { text in
      Barcode(text, Self.kind(of: account, text, own))?.svg
    }
    guard let svg else { throw Problem(.notFound, code: "not_found") }
    var response = Response.text(svg, .svg)
    response.headers.set("Cache-Control", "no-store")
    response.headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    return response
  }
}
