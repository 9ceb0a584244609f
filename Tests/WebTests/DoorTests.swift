import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Registry
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `At the door of the pages` {
  @Test(arguments: Engine.allCases)
  func `signing in with card and PIN sets a pass cookie that scripts cannot read`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      let answer = try await room.signIn()
      #expect(answer.status == 303 && answer.location == "/")
      let cookie = try #require(
        answer.head.all("Set-Cookie").first { $0.hasPrefix("carrel_pass=") })
      #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax"))
      #expect(cookie.contains("; Path=/") && !cookie.contains("Secure"))
      #expect(!cookie.contains("Max-Age"))
      let home = try await room.ask("/")
      #expect(home.text.contains(">You</a>") && home.text.contains("The library of ada"))
      #expect(home.head["Cache-Control"] == "private, no-cache")
    }
  }

  @Test
  func `behind TLS the pass cookie is sent over TLS only and below the base path only`()
    async throws
  {
    let address = ProxyPolicy.PublicAddress(
      scheme: "https", host: "books.example", basePath: "/carrel")
    try await LobbyRoom.open(publicURL: address) { room in
      let answer = try await room.signIn(then: "/my-books", stay: true)
      #expect(answer.location == "/carrel/my-books")
      let cookie = try #require(
        answer.head.all("Set-Cookie").first { $0.hasPrefix("__Secure-carrel_pass=") })
      #expect(cookie.contains("; Secure") && cookie.contains("; Path=/carrel;"))
      #expect(cookie.contains("Max-Age=2592000"))
      let home = try await room.ask("/")
      let links = home.text.matches(of: /(?:href|src|action)="([^"]*)"/).map { String($0.1) }
      #expect(links.count > 20 && links.allSatisfy { $0.hasPrefix("/carrel/") || $0 == "#main" })
    }
  }

  @Test(arguments: Engine.allCases)
  func `at a host's root over TLS the pass cookie has the Host prefix, and older ones last`(
    engine: Engine
  ) async throws {
    let address = ProxyPolicy.PublicAddress(scheme: "https", host: "books.example")
    try await LobbyRoom.open(engine, publicURL: address) { room in
      let door = try await room.ask("/sign-in")
      #expect(door.head.all("Set-Cookie").allSatisfy { $0.hasPrefix("__Host-carrel_door=") })
      let answer = try await room.signIn()
      let cookie = try #require(
        answer.head.all("Set-Cookie").first { $0.hasPrefix("__Host-carrel_pass=") })
      #expect(cookie.contains("; Secure") && cookie.contains("; Path=/;"))
      #expect(!cookie.contains("Domain"))
      #expect(try await room.ask("/my-books").status == 200)

      // Put under the plain name by a neighbor, the very same pass opens nothing.
      let pass = try #require(room.cookie("__Host-carrel_pass"))
      room.keep("__Host-carrel_pass", nil)
      room.keep("carrel_pass", pass)
      #expect(try await room.ask("/my-books").status == 303)

      // One that was given out before names were guarded opens what it opened, and goes at the next
      // sign-in.
      let old = try #require(
        try await room.registry.newPass(by: .card(room.ada.id), for: .month, request: "r"))
      room.keep("carrel_pass", old.revealText { $0 })
      #expect(try await room.ask("/my-books").status == 200)
      let seal = try #require(try await room.ask("/sign-out").value("seal"))
      #expect(try await room.ask("/sign-out", form: ["seal": seal]).status == 303)
      #expect(room.cookie("carrel_pass") == nil)
      #expect(try await room.registry.pass(with: old) == nil)
    }
  }

  @Test func `each sign-in makes a new pass, and a pass that a browser invented is worthless`()
    async throws
  {
    try await LobbyRoom.open { room in
      room.keep("carrel_pass", "chosen-by-somebody-else-0123456789")
      #expect(try await room.ask("/my-books").location == "/sign-in?then=/my-books")
      try await room.signIn()
      let first = try #require(room.cookie("carrel_pass"))
      #expect(!first.hasPrefix("chosen"))
      // The sign-in page is not shown to whoever is in: the door is asked again without the pass.
      room.keep("carrel_pass", nil)
      try await room.signIn()
      #expect(room.cookie("carrel_pass") != first)
    }
  }

  @Test func `web sign-in refuses a wrong PIN and an unknown card alike, and slows down after ten`()
    async throws
  {
    try await LobbyRoom.open { room in
      let wrong = try await room.signIn(pin: "9999")
      let unknown = try await room.signIn(card: "29999999", pin: "9999")
      #expect(wrong.status == 401 && wrong.text == unknown.text)
      #expect(room.cookie("carrel_pass") == nil)
      for _ in 0..<9 { try await room.signIn(pin: "9999") }
      let slowed = try await room.signIn()
      #expect(slowed.status == 429 && slowed.head["Retry-After"] != nil)
      #expect(slowed.text.contains("too many wrong attempts"))
    }
  }

  @Test func `a refused web sign-in repeats neither the PIN nor the card`() async throws {
    try await LobbyRoom.open { room in
      let answer = try await room.signIn(card: "27776665", pin: "8642")
      #expect(!answer.text.contains("27776665") && !answer.text.contains("8642"))
    }
  }

  @Test func `a sign-in form without this browser's form token is refused`() async throws {
    try await LobbyRoom.open { room in
      let form: FormFields = ["card": "21000001", "pin": "1234", "seal": "made-up"]
      #expect(try await room.ask("/sign-in", form: form).status == 403)
      try await room.ask("/sign-in")
      #expect(try await room.ask("/sign-in", form: form).status == 403)
      let seal = try #require(try await room.ask("/sign-in").value("seal"))
      let good: FormFields = ["card": "21000001", "pin": "1234", "seal": seal]
      let crossed = try await room.ask("/sign-in", ["Sec-Fetch-Site": "cross-site"], form: good)
      #expect(crossed.status == 403 && room.cookie("carrel_pass") == nil)
      #expect(try await room.ask("/sign-in", form: good).status == 303)
    }
  }

  @Test(arguments: [
    "https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "/\t/evil",
    "javascript:alert(1)", "", "/sign-out", "/\r\nSet-Cookie: x=y", "/.//evil.example",
    "/..//evil.example", "/%2e%2E//evil.example", "/my-books/../evil", "/my-books/%2e%2e/evil",
    "/my-books//evil.example", "/%5Cevil.example", "/my-books/%5C", "/%2F%2Fevil.example",
    "/%09/evil", "/my-books/%0d%0a", "/my-books?q=%0d%0aX:%20y", "/my-books#x", "/%",
    "/my-books/%zz",
    "/my-books/%FF", "/@evil.example", "/;x", "/%73ign-out", "/my-books/",
  ])
  func `At the door of the pages: sends nobody elsewhere afterwards`(target: String) async throws {
    #expect(Onward(target).path == "/")
    try await LobbyRoom.open { room in
      let answer = try await room.signIn(then: target)
      #expect(answer.location == "/")
    }
  }

  @Test func `At the door of the pages: sends back to where one came from`() async throws {
    try await LobbyRoom.open(isPublic: false) { room in
      let asked = try await room.ask("/search?q=volume%207")
      let query = try #require(asked.location?.split(separator: "?", maxSplits: 1).last)
      #expect(asked.status == 303)
      #expect(FormFields(parsing: String(query))["then"] == "/search?q=volume%207")
      let answer = try await room.signIn(then: "/search?q=volume%207")
      #expect(answer.location == "/search?q=volume%207")
      #expect(try await room.ask("/sign-in?then=/my-books").location == "/my-books")
    }
  }

  @Test func `At the door of the pages: signing out ends the pass everywhere, and needs the seal`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let pass = room.cookie("carrel_pass")
      #expect(try await room.ask("/sign-out", form: [:]).status == 403)
      let seal = try #require(try await room.ask("/sign-out").value("seal"))
      let out = try await room.ask("/sign-out", form: ["seal": seal])
      #expect(out.status == 303 && out.head["Clear-Site-Data"] == "\"cache\"")
      #expect(room.cookie("carrel_pass") == nil)
      // What the browser that kept it has of a patron's pages goes with the first answer.
      for path in ["/my-books", "/sign-in"] {
        room.keep("carrel_pass", pass)
        let late = try await room.ask(path)
        #expect(late.status == (path == "/sign-in" ? 200 : 303))
        #expect(late.head["Clear-Site-Data"] == "\"cache\"")
      }
      room.keep("carrel_pass", nil)
      #expect(try await room.ask("/sign-in").head["Clear-Site-Data"] == nil)
    }
  }

  @Test func `an app password signs in to the web pages only if it has all rights, until revoked`()
    async throws
  {
    try await LobbyRoom.open { room in
      let (_, few) = try await room.registry.addDevice(
        named: "reader", of: room.ada.patron, scopes: [.read, .lend], request: "r")
      let limited = try await room.signIn(card: "ada", pin: few.revealText { $0 })
      #expect(limited.status == 403 && room.cookie("carrel_pass") == nil)
      #expect(limited.text.contains("limited rights"))

      let (_, all) = try await room.registry.addDevice(
        named: "phone", of: room.ada.patron, scopes: .all, request: "r")
      #expect(try await room.signIn(card: "ada", pin: all.revealText { $0 }).status == 303)
      #expect(try await room.ask("/my-books").status == 200)
      // It is proved by an app password again, and not by the PIN of a card.
      try await room.age()
      let path = "/profile/cards/\(room.ada.id.rawValue)"
      #expect(try await room.send(["do": "pin", "proof": "1234"], to: path).status == 403)
      let word = all.revealText { $0 }
      #expect(try await room.send(["do": "pin", "proof": word], to: path).status == 200)
      try await room.registry.revokeDevice(named: "phone", of: room.ada.patron, request: "r")
      #expect(try await room.ask("/my-books").status == 303)
    }
  }
}
