import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import ProviderKit
import Registry
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The page of cards` {
  @Test func `The page of cards shows how each stands and all that could be added`() async throws {
    try await LobbyRoom.open { room in
      #expect(try await room.ask("/accounts").location == "/sign-in?then=/accounts")
      try await room.signIn()
      let page = try await room.ask("/accounts")
      #expect(page.status == 200 && page.head["Cache-Control"] == "private, no-cache")
      #expect(page.text.contains("Town &lt;Library&gt;") && page.text.contains("In order."))
      #expect(page.text.contains("0 loans") && page.text.contains("card …0001"))
      #expect(page.text.contains("Village") && page.text.contains("Shelfmates"))
      #expect(page.text.contains(#"href="https://town.example/join" rel="noreferrer""#))
      #expect(!page.text.contains("21000001") && !page.text.contains("1234"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The page of cards links a card that its library takes, and no other`(engine: Engine)
    async throws
  {
    try await LobbyRoom.open(engine) { room in
      room.lender.change { $0.cards["21000002"] = "4321" }
      try await room.signIn()
      let form = try await room.ask("/accounts/new?at=town")
      #expect(form.text.contains("name=\"with-card\"") && form.text.contains("name=\"with-pin\""))
      #expect(form.text.contains("autocomplete=\"current-password\""))
      let order: FormFields = ["at": "town", "with-card": "21000002", "with-pin": "9999"]
      let wrong = try await room.send(order, to: "/accounts/new", from: "/accounts/new?at=town")
      #expect(wrong.status == 401 && wrong.head["Cache-Control"] == "no-store")
      #expect(wrong.text.contains("aria-invalid=\"true\" aria-describedby=\"with-pin-wrong\""))
      #expect(wrong.text.contains("role=\"alert\"") && wrong.text.contains("value=\"21000002\""))
      #expect(!wrong.text.contains("9999"))
      #expect(try await room.registry.accounts(of: room.ada.patron).count == 1)
      let right: FormFields = [
        "at": "town", "with-card": "2100 0002", "with-pin": "4321", "name": "second",
      ]
      room.lender.change { $0.cards["2100 0002"] = "4321" }
      let linked = try await room.send(right, to: "/accounts/new", from: "/accounts/new?at=town")
      #expect(linked.status == 303 && linked.location == "/accounts?did=linked")
      let accounts = try await room.registry.accounts(of: room.ada.patron)
      #expect(accounts.first { $0.name == "second" }?.loanLimit == 10)
      let twice = try await room.send(right, to: "/accounts/new", from: "/accounts/new?at=town")
      #expect(twice.status == 409 && twice.text.contains("linked already, as second"))
      let missing = try await room.send(
        ["at": "town", "with-card": "21"], to: "/accounts/new", from: "/accounts/new?at=town")
      #expect(missing.status == 422 && missing.text.contains("PIN: this is missing."))
      #expect(try await room.ask("/accounts/new?at=nowhere").status == 404)
    }
  }

  @Test func `The page of cards slows whoever guesses at a PIN, before the library does`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let seal = try #require(try await room.ask("/accounts/new?at=town").value("seal"))
      let order: FormFields = [
        "at": "town", "with-card": "21000009", "with-pin": "1", "seal": seal,
      ]
      for _ in 0..<10 { #expect(try await room.ask("/accounts/new", form: order).status == 401) }
      let asked = room.lender.commands.count
      let slowed = try await room.ask("/accounts/new", form: order)
      #expect(slowed.status == 429 && slowed.text.contains("too many wrong attempts"))
      #expect(room.lender.commands.count == asked)
      // Another card is another matter.
      room.lender.change { $0.cards["21000010"] = "7" }
      let other: FormFields = [
        "at": "town", "with-card": "21000010", "with-pin": "7", "seal": seal,
      ]
      #expect(try await room.ask("/accounts/new", form: other).status == 303)
    }
  }

  @Test
  func `renewing a card with a new PIN keeps this browser signed in and ends its old pass`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let old = room.cookie("carrel_pass")
      let path = "/accounts/of/\(room.ada.id.rawValue)"
      let page = try await room.ask(path)
      #expect(page.text.contains("Adobe ID") && !page.text.contains("21000001"))
      room.lender.change { $0.cards["21000001"] = "5678" }
      let form: FormFields = ["do": "renew", "with-card": "21000001", "with-pin": "5678"]
      #expect(try await room.send(form, to: path).status == 303)
      #expect(room.cookie("carrel_pass") != old)
      #expect(try await room.ask("/accounts").status == 200)
      let checked = try await room.send(["do": "check"], to: path)
      #expect(checked.location == "\(path)?did=checked")
      // The pass of the old PIN opens nothing.
      room.keep("carrel_pass", old)
      #expect(try await room.ask("/accounts").status == 303)
    }
  }

  @Test func `The page of cards tells what the library says when it is asked`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      room.lender.change { $0.cards = [:] }
      let path = "/accounts/of/\(room.ada.id.rawValue)"
      let answer = try await room.send(["do": "check"], to: path)
      #expect(answer.status == 409 && answer.text.contains("role=\"alert\""))
    }
  }

  @Test func `unlinking a card asks for confirmation and ends the pass made with it`() async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let path = "/accounts/of/\(room.ada.id.rawValue)/unlink"
      let page = try await room.ask(path)
      #expect(page.text.contains("unlinking it signs you out"))
      #expect(try await room.send([:], to: path).status == 200)
      #expect(try await room.registry.accounts(of: room.ada.patron).count == 1)
      let gone = try await room.send(["sure": "yes"], to: path)
      #expect(gone.status == 303 && gone.location == "/sign-in")
      #expect(room.cookie("carrel_pass") == nil)
      #expect(try await room.registry.accounts(of: room.ada.patron).isEmpty)
    }
  }

  @Test func `The page of cards leads to a service's own page and takes its answer once`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let away = try await room.send(
        ["at": "shelfmates"], to: "/accounts/new", from: "/accounts/new?at=shelfmates")
      #expect(away.status == 200)
      let link = try #require(away.text.firstMatch(of: /href="(https:[^"]*)"/)).1
      #expect(link.contains("to=http%3A%2F%2Flocalhost%2Faccounts%2Fback"))
      let state = try #require(away.value("state"))
      // Kept where any gateway finds it, and where nobody reads it.
      let kept = try await room.store.read { snapshot throws(DatabaseError) in
        try snapshot.rows("SELECT mark, sealed FROM page_visit") { row throws(DatabaseError) in
          (try row[0] as String, try row[1] as [UInt8])
        }
      }
      #expect(kept.count == 1)
      let one = try #require(kept.first)
      #expect(one.0 != state)
      #expect(!String(decoding: one.1, as: UTF8.self).contains("https:"))
      let back = "/accounts/back?state=\(state)&code=granted"
      let page = try await room.ask(back)
      #expect(page.status == 200 && page.head["Cache-Control"] == "no-store")
      let form: FormFields = ["state": state, "answer": "state=\(state)&code=granted"]
      let linked = try await room.send(form, to: "/accounts/back", from: back)
      #expect(linked.location == "/accounts?did=linked")
      #expect(
        Set(try await room.registry.accounts(of: room.ada.patron).map(\.library.rawValue))
          == ["town", "shelfmates"])
      #expect(try await room.send(form, to: "/accounts/back", from: back).status == 409)
    }
  }

  @Test func `The page of cards takes no answer that was asked for by nobody, or by somebody else`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let form: FormFields = ["state": "made-up", "answer": "state=made-up&code=granted"]
      let answer = try await room.send(form, to: "/accounts/back")
      #expect(answer.status == 409)
      #expect(try await room.registry.accounts(of: room.ada.patron).count == 1)
    }
  }

  @Test func `The page of cards shows nobody else's, and takes no form without the seal`()
    async throws
  {
    try await LobbyRoom.open { room in
      let bob = try await room.registry.patron(named: "bob")
      let his = try await room.registry.link(
        patron: bob.id, name: .like("town"), provider: ProviderID("paper"),
        library: LobbyRoom.town,
        credentials: .init(["card": Secret("21000077"), "pin": Secret("1")]), pinVerified: true,
        request: "r")
      try await room.signIn()
      for path in ["/accounts/of/\(his.id.rawValue)", "/profile/cards/\(his.id.rawValue)"] {
        #expect(try await room.ask(path).status == 404)
      }
      #expect(try await room.ask("/profile/cards/\(his.id.rawValue)/bars.svg").status == 404)
      let own = room.ada.id.rawValue
      let paths = [
        "/accounts/new", "/accounts/back", "/accounts/of/\(own)", "/accounts/of/\(own)/unlink",
        "/profile/picture", "/profile/cards/\(own)", "/settings/notices", "/settings/reading",
        "/settings/genres", "/settings/ignored", "/settings/devices", "/settings/calendar",
        "/settings/feedback", "/settings/export/notes",
      ]
      for path in paths {
        #expect(try await room.ask(path, form: ["do": "show", "sure": "yes"]).status == 403)
        let seal = try await room.ask("/sign-out").value("seal") ?? ""
        let crossed = try await room.ask(
          path, ["Sec-Fetch-Site": "cross-site"], form: ["seal": seal, "do": "show"])
        #expect(crossed.status == 403, "\(path)")
      }
      #expect(try await room.registry.accounts(of: room.ada.patron).count == 1)
    }
  }
}
