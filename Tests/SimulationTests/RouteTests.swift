import Circulation
import Desk
import Downloads
import Foundation
import HTTP
import HTTPServer
import ReadingLists
import Registry
import Secrets
import TestSupport
import Testing

@testable import Bootstrap

/// The gateway with all it has, on one evening: one reader with books, files, a list and a password for
/// an app, and another who has nothing.
struct OpenGateway {
  let house: Bootstrap.House
  let gateway: Gateway
  let stranger: Visitor
  /// Each with a pass.
  let ada: Visitor
  let brun: Visitor
  let patrons: [String: PatronID]

  static let mark = "Zephyrine"

  static func run(_ body: (OpenGateway) async throws -> Void) async throws {
    let town = try await Town()
    let campaign = try await Campaign(town: town, seed: 1, name: "routes")
    let result: Result<Void, any Error>
    do { result = .success(try await body(OpenGateway(campaign, town))) } catch {
      result = .failure(error)
    }
    await campaign.house.close()
    await town.leave(campaign.path)
    try result.get()
  }

  private init(_ campaign: Campaign, _ town: Town) async throws {
    house = campaign.house
    let city = campaign.accounts[0].account
    var (attempt, call) = (0, campaign.call)
    call = call.until(call.deadline)
    for item in campaign.items(at: 0) {
      attempt += 1
      guard
        case .lent(let loan) = try? await house.desk.borrow(
          item, on: city.id, attempt: "route-\(attempt)", in: call)
      else { continue }
      _ = try await house.storeroom.queue.ask(
        Downloads.Wish(
          loan, on: city.id, of: city.library, for: city.patron, edition: nil,
          isOpenAccess: false))
    }
    await house.porter().workOff()
    _ = try await house.lists.create(named: Self.mark, for: city.patron)
    gateway = try await town.wholeGateway(house)
    stranger = Visitor(gateway: gateway)
    var visitors: [String: Visitor] = [:]
    var patrons: [String: PatronID] = [:]
    for (card, account) in campaign.accounts where visitors[card.reader] == nil {
      patrons[card.reader] = account.patron
      guard
        let pass = try await house.registry.newPass(
          by: .card(account.id), for: .day, request: "routes")
      else { throw TestSupportError("no pass") }
      visitors[card.reader] = Visitor(
        gateway: gateway, fields: ["Cookie": pass.revealText { "carrel_pass=\($0)" }])
    }
    guard let ada = visitors["adalmina"], let brun = visitors["brunhold"] else {
      throw TestSupportError("no readers")
    }
    (self.ada, self.brun, self.patrons) = (ada, brun, patrons)
  }

  /// What the first reader has, in a word: to see whether anybody changed it.
  func belongings() async throws -> String {
    guard let patron = patrons["adalmina"] else { return "" }
    let accounts = try await house.registry.accounts(of: patron)
    let loans = try await house.desk.loans(of: accounts.map(\.id)).map(\.loan.item.rawValue)
    let holds = try await house.desk.holds(of: accounts.map(\.id)).map(\.hold.item.rawValue)
    let devices = try await house.registry.devices(of: patron).map(\.name)
    let tickets = try await house.storeroom.queue.tickets(of: patron).map { "\($0.id) \($0.state)" }
    let lists = try await house.lists.lists(of: patron).map(\.name)
    return "\(accounts.map(\.name)) \(loans) \(holds) \(devices) \(tickets) \(lists)"
  }
}

@Suite(.timeLimit(.minutes(10))) struct `Every route of the gateway` {
  private static func filled(_ pattern: String) -> String {
    pattern.replacing(/\{section\}/, with: "1").replacing(/\{[a-z]+\}/, with: "x")
  }

  @Test func `Every route of the gateway shows strangers the door, or nothing`() async throws {
    try await OpenGateway.run { open in
      var asked = 0
      for row in open.gateway.routes.table where [.reader, .operators].contains(row.note) {
        for method in row.methods where ![.options, .head].contains(method) {
          let form = method == .get ? nil : FormFields()
          let answer = try await open.stranger.ask(method, Self.filled(row.pattern), form)
          let isShut =
            [401, 403, 404].contains(answer.status.code)
            || (answer.headers["Location"] ?? "").contains("/sign-in")
          #expect(isShut, "\(method) \(row.pattern): \(answer.status.code)")
          asked += 1
        }
      }
      #expect(asked > 100)
    }
  }

  /// What a browser sends by itself: its cookies, and a form that another site made.
  @Test func `Every route of the gateway takes no form without its seal, and none from elsewhere`()
    async throws
  {
    try await OpenGateway.run { open in
      let before = try await open.belongings()
      let forms = try await open.ada.walk().forms
      #expect(forms.count > 8)
      let words = forms.flatMap(\.fields).filter { $0.name != "seal" }
      let seal = forms.lazy.compactMap { form in form.fields.first { $0.name == "seal" } }.first
      var asked = 0
      // The colors of pages are everybody's to choose, and do no harm.
      for row in open.gateway.routes.table
      where row.note != .operators && !["/look", "/tongue"].contains(row.pattern) {
        for method in row.methods where ![.get, .head, .options].contains(method) {
          // An app's own routes take no cookie; there the whole door is shut.
          let actions = forms.map(\.action).filter { Self.fits($0, row.pattern) }
          for target in Set([Self.filled(row.pattern)] + actions) {
            let unsealed = try await open.ada.ask(method, target, FormFields(words))
            #expect(
              (400..<500).contains(unsealed.status.code),
              "\(method) \(target) without a seal: \(unsealed.status.code)")
            let foreign = try await open.ada.ask(
              method, target, FormFields(words + [seal].compactMap(\.self)), from: "cross-site")
            #expect(
              (400..<500).contains(foreign.status.code),
              "\(method) \(target) from elsewhere: \(foreign.status.code)")
            var elsewhere = open.ada
            for origin in ["https://evil.example", "null"] {
              elsewhere.fields.set("Origin", origin)
              let answer = try await elsewhere.ask(
                method, target, FormFields(words + [seal].compactMap(\.self)))
              #expect(
                (400..<500).contains(answer.status.code),
                "\(method) \(target) of \(origin): \(answer.status.code)")
            }
            asked += 1
          }
        }
      }
      #expect(asked > 50)
      #expect(try await open.belongings() == before)
    }
  }

  private static func fits(_ action: String, _ pattern: String) -> Bool {
    let path = action.split(separator: "?", maxSplits: 1)[0].split(separator: "/")
    let wanted = pattern.split(separator: "/")
    return path.count == wanted.count
      && zip(path, wanted).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
  }

  @Test func `Every route of the gateway knows nothing of one reader's under another's name`()
    async throws
  {
    try await OpenGateway.run { open in
      let before = try await open.belongings()
      let (pages, forms) = try await open.ada.walk()
      let own = try await open.brun.walk()
      let seal = own.forms.lazy.compactMap { $0.fields.first { $0.name == "seal" }?.value }.first
      let marks = ["adalmina", OpenGateway.mark]
      // Or nothing below would mean anything.
      #expect(pages.values.contains { $0.text.contains(OpenGateway.mark) })
      #expect(pages.keys.contains { $0.hasPrefix("/accounts/of/") })
      var owned = 0
      for target in pages.keys.sorted() where own.pages[target] == nil {
        for visitor in [open.brun, open.stranger] {
          let answer = try await visitor.ask(.get, target)
          #expect(!marks.contains { answer.text.contains($0) }, "\(target)")
          guard target.hasPrefix("/accounts/of/") || target.hasPrefix("/profile/cards/") else {
            continue
          }
          #expect(answer.status != .ok, "\(target): \(answer.status.code)")
          owned += 1
        }
      }
      #expect(owned > 3)
      for form in forms where !form.action.hasPrefix("/sign-out") {
        // With a seal of the sender's own: only whose it is stands in the way.
        _ = try await open.brun.ask(.post, form.action, form.with(seal: seal))
      }
      #expect(try await open.belongings() == before)
    }
  }

  @Test func `Every route of the gateway tells browsers what its answers are`() async throws {
    try await OpenGateway.run { open in
      let pages = try await open.ada.walk().pages
      for (target, answer) in pages {
        let headers = answer.headers
        #expect(headers["X-Content-Type-Options"] == "nosniff", "\(target)")
        #expect(["same-origin", "no-referrer"].contains(headers["Referrer-Policy"]), "\(target)")
        #expect(headers["Cross-Origin-Opener-Policy"] == "same-origin", "\(target)")
        // Covers are for reading apps in other pages, too.
        if !target.hasPrefix("/opds") {
          #expect(headers["Access-Control-Allow-Origin"] == nil, "\(target)")
        }
        guard !answer.text.isEmpty else { continue }
        let type = headers["Content-Type"] ?? ""
        #expect(!type.isEmpty, "\(target)")
        guard type.hasPrefix("text/") else { continue }
        #expect(type.contains("charset=utf-8"), "\(target): \(type)")
        guard type.hasPrefix("text/html") else { continue }
        let policy = headers["Content-Security-Policy"] ?? ""
        for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors"] {
          #expect(policy.contains(part), "\(target): \(policy)")
        }
        #expect(!policy.contains("unsafe"), "\(target): \(policy)")
      }
      #expect(pages.count > 25)
    }
  }
}
