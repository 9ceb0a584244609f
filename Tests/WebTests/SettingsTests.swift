import Books
import Circulation
import Crypto
import FrontDesk
import HTTP
import HTTPServer
import Notices
import Profiles
import Reading
import ReadingLists
import Registry
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite struct `The settings` {
  @Test func `The settings are all there, each with one heading and the way back`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let index = try await room.ask("/settings")
      let paths = index.text.matches(of: /href="(\/settings\/[a-z]+)"/).map { String($0.1) }
      #expect(paths.count == 11)
      for path in paths {
        let page = try await room.ask(path)
        #expect(page.status == 200, "\(path)")
        #expect(page.text.matches(of: /<h1/).count == 1, "\(path)")
        #expect(page.text.contains("href=\"/settings\""), "\(path)")
      }
      #expect(try await room.ask("/settings/credits").text.contains("libpaper"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The settings keep how pages are liked, beside what other programs know of it`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let tastes = Tastes(store: room.store, now: { 1 })
      var before = Taste()
      before["width"] = "44"
      try await tastes.keep(before, of: room.ada.patron)
      let kept = try await room.send(
        ["colors": "sepia", "size": "150", "manner": "scroll"], to: "/settings/reading")
      #expect(kept.location == "/settings/reading?did=kept")
      let taste = try await tastes.taste(of: room.ada.patron)
      #expect(taste["colors"] == "sepia" && taste["width"] == "44" && taste["size"] == "150")
      let page = try await room.ask("/settings/reading")
      #expect(page.text.contains("value=\"sepia\" checked"))
      #expect(
        try await room.send(["colors": "x\" onload=y"], to: "/settings/reading").status == 400)
    }
  }

  @Test func `The settings keep liked genres, and nothing that is none`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      var form: FormFields = ["genre": "romance"]
      form.add("genre", "<script>")
      #expect(try await room.send(form, to: "/settings/genres").status == 303)
      let page = try await room.ask("/settings/genres")
      #expect(page.text.contains("value=\"romance\" checked"))
      #expect(!page.text.contains("<script>"))
    }
  }

  @Test func `The settings bring an ignored book back`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let key = BookKey(LobbyRoom.town, ItemID("hostile"))
      _ = try await room.lobby.books.ignore(
        key, BookFace(title: LobbyRoom.hostile, authors: []), of: room.ada.patron)
      let page = try await room.ask("/settings/ignored")
      #expect(page.text.contains("&lt;script&gt;alert(1)") && !page.text.contains("<script>alert"))
      let form: FormFields = ["do": "unignore", "library": "town", "item": "hostile"]
      #expect(try await room.send(form, to: "/settings/ignored").status == 303)
      #expect(try await room.ask("/settings/ignored").text.contains("You ignore nothing"))
    }
  }

  @Test func `The settings make a password for an app, show it once, and take it back`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let made = try await room.send(
        ["do": "add", "name": "phone", "scope": "read"], to: "/settings/devices")
      #expect(made.status == 200 && made.head["Cache-Control"] == "no-store")
      let password = try #require(made.text.firstMatch(of: /class="number">([^<]+)</)).1
      let answer = try await room.lobby.lending.doorkeeper.admit(
        Secret("ada"), Secret(String(password)), from: .local, request: "r")
      guard case .entered(let entrant) = answer else {
        Issue.record("the password opens nothing: \(answer)")
        return
      }
      #expect(entrant.scopes == [.read])
      let list = try await room.ask("/settings/devices")
      #expect(list.text.contains("phone") && !list.text.contains(password))
      let again = try await room.send(
        ["do": "add", "name": "phone", "scope": "read"], to: "/settings/devices")
      #expect(again.status == 422 && again.text.contains("name-wrong"))
      #expect(
        try await room.send(["do": "revoke", "name": "phone"], to: "/settings/devices").status
          == 303)
      #expect(try await room.registry.devices(of: room.ada.patron).isEmpty)
    }
  }

  @Test func `The settings make an address for calendars, show it once, and take it back`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let made = try await room.send(["do": "new"], to: "/settings/calendar")
      #expect(made.text.contains("<code>http://localhost/calendar/"))
      #expect(try await room.registry.calendar(of: room.ada.patron) != nil)
      #expect(!(try await room.ask("/settings/calendar").text.contains("/calendar/")))
      #expect(try await room.send(["do": "revoke"], to: "/settings/calendar").status == 303)
      #expect(try await room.registry.calendar(of: room.ada.patron) == nil)
    }
  }

  @Test func `The settings send notices where the reader says, or nowhere`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      #expect(
        try await room.ask("/settings/notices").text.contains("you are told in the app alone"))
      let bad = try await room.send(
        ["do": "add", "medium": "email", "email-address": "nobody"], to: "/settings/notices")
      #expect(bad.status == 422 && bad.text.contains("email-address-wrong"))
      let form: FormFields = [
        "do": "add", "medium": "email", "email-address": "ada@town.example", "kind": "hold_ready",
        "email-from": "22:00", "email-to": "07:00",
      ]
      #expect(try await room.send(form, to: "/settings/notices").status == 303)
      let page = try await room.ask("/settings/notices")
      #expect(page.text.contains("a hold is ready, not from 22:00 to 07:00"))
      #expect(page.text.contains("Not confirmed yet") && page.text.contains("Send the code again"))
      let wrong = try await room.send(
        ["do": "confirm", "name": "email", "code-email": "1"], to: "/settings/notices")
      #expect(wrong.status == 422 && wrong.text.contains("code-email-wrong"))
      let letter = PaperOffice.letters.withLock { $0.last { $0.contains("Your code is") } }
      let code = try #require(letter?.firstMatch(of: /\d{6}/)).output
      let confirmed = try await room.send(
        ["do": "confirm", "name": "email", "code-email": String(code)], to: "/settings/notices")
      #expect(confirmed.location == "/settings/notices?did=confirmed")
      let tested = try await room.send(
        ["do": "test", "name": "email"], to: "/settings/notices")
      #expect(tested.text.contains("The test is on its way."))
      #expect(
        try await room.send(["do": "remove", "name": "email"], to: "/settings/notices").status
          == 303)
      #expect(try await room.ask("/settings/notices").text.contains("SMS") == false)
    }
  }

  @Test func `The settings tell a browser of one's own, as often as one asks, until it is left`()
    async throws
  {
    try await LobbyRoom.open { room in
      try await room.signIn()
      #expect(try await room.ask("/settings/notices").text.contains("data-push") == false)
      try await room.ask("/sign-out", form: ["seal": try await room.ask("/").value("seal") ?? ""])
      try await room.signIn(stay: true)
      let page = try await room.ask("/settings/notices")
      #expect(page.text.firstMatch(of: /data-push="[A-Za-z0-9_-]{87}"/) != nil)
      let point = Base64.urlSafe.encode(try ES256.PrivateKey().publicKey().point, padded: false)
      let form: FormFields = [
        "do": "device", "endpoint": "https://push.example/one", "p256dh": point,
        "auth": "AAAAAAAAAAAAAAAAAAAAAA",
      ]
      for _ in 0..<2 {
        let kept = try await room.send(form, to: "/settings/notices")
        #expect(kept.location == "/settings/notices?did=kept", "\(kept.text)")
      }
      let channels = try await room.lobby.own?.notices.channels(of: room.ada.patron) ?? []
      #expect(channels.map(\.medium) == [.push] && channels.first?.tellsTitles == false)
      #expect(
        try await room.ask("/settings/notices").text.contains("This browser: https://push.example"))
      let broken: FormFields = [
        "do": "device", "endpoint": "https://push.example/two", "p256dh": "AAAA", "auth": "AAAA",
      ]
      #expect(try await room.send(broken, to: "/settings/notices").status == 400)
      let left: FormFields = ["do": "device-off", "endpoint": "https://push.example/one"]
      #expect(try await room.send(left, to: "/settings/notices").status == 303)
      #expect(try await room.lobby.own?.notices.channels(of: room.ada.patron).isEmpty == true)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The settings carry a letter to whoever runs the gateway`(engine: Engine) async throws {
    try await LobbyRoom.open(engine) { room in
      try await room.signIn()
      let empty = try await room.send(["text": "  "], to: "/settings/feedback")
      #expect(empty.status == 422 && empty.text.contains("text-wrong"))
      let wrong = try await room.send(
        ["text": "<b>Good</b>", "email": "a b@c"], to: "/settings/feedback")
      #expect(wrong.status == 422 && wrong.text.contains("&lt;b&gt;Good"))
      let sent = try await room.send(
        ["text": "<b>Good</b>\r\nBye", "email": "ada@town.example"], to: "/settings/feedback")
      #expect(sent.location == "/settings/feedback?did=told")
      let letters = try await room.lobby.own?.profiles.feedback() ?? []
      #expect(letters.map(\.text) == ["<b>Good</b>\nBye"])
      #expect(letters.map(\.answerTo) == ["ada@town.example"] && letters[0].isMailed)
    }
  }

  @Test func `The settings give out what is the reader's own as files`() async throws {
    try await LobbyRoom.open { room in
      try await room.signIn()
      let book = try await room.book("Volume 3")
      try await room.press("save", of: "t3", at: book)
      for format in ["md", "html", "json", "w3c", "enex", "csv", "bibtex"] {
        let notes = try await room.send(
          ["format": format], to: "/settings/export/notes", from: "/settings/export")
        #expect(notes.status == 200, "\(format)")
        #expect(notes.head["Content-Disposition"]?.hasPrefix("attachment") == true)
        #expect(notes.head["Content-Type"]?.contains("html") == false)
      }
      let books = try await room.send(
        ["format": "json"], to: "/settings/export/books", from: "/settings/export")
      #expect(books.text.contains("Volume 3 of Everything") && books.text.contains("saved"))
      let list = try await room.lobby.lending.lists.create(
        named: "To <read>", for: room.ada.patron)
      let page = try await room.ask("/settings/export")
      #expect(page.text.contains("List: To &lt;read&gt;"))
      let file = try await room.send(
        ["format": "json"], to: "/settings/export/\(list.id.rawValue)", from: "/settings/export")
      #expect(file.status == 200 && file.head["Cache-Control"] == "no-store")
      #expect(
        try await room.send(
          ["format": "json"], to: "/settings/export/none", from: "/settings/export"
        ).status == 404)
    }
  }
}
