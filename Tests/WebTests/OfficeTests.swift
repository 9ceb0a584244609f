import BackOffice
import Circulation
import Database
import FoundationEssentials
import FrontDesk
import HTTP
import ReadingLists
import Registry
import Schedule
import StoreSupport
import TestSupport
import Testing

@testable import Web

@Suite struct `The office` {
  static let pages = [
    "/office", "/office/libraries", "/office/services", "/office/jobs", "/office/lanes",
    "/office/lists", "/office/readers", "/office/log",
  ]

  private func enter(_ room: LobbyRoom) async throws {
    try await room.registry.makeOperator(room.ada.patron, by: "test", request: "r")
    try await room.signIn()
  }

  private func post(
    _ room: LobbyRoom, _ path: String, _ fields: FormFields
  ) async throws -> LobbyRoom.Answer {
    let page = try await room.ask(path)
    var form = fields
    form.add("seal", page.value("seal") ?? "")
    return try await room.ask(path, form: form)
  }

  @Test(arguments: pages + ["/office/lists/l1", "/office/readers/p1"])
  func `The office is nowhere for strangers and readers, whatever they send`(path: String)
    async throws
  {
    try await LobbyRoom.open { room in
      let nothing = try await room.ask("/nothing", ["Accept": "text/html"])
      let stranger = try await room.ask(path, ["Accept": "text/html"])
      #expect(stranger.status == 404 && stranger.text == nothing.text)
      try await room.signIn()
      let reader = try await room.ask(path, ["Accept": "text/html"])
      #expect(reader.status == 404 && reader.text == nothing.text)
      let seal = try #require(try await room.ask("/").value("seal"))
      let form: FormFields = ["do": "run", "seal": seal]
      let sent = try await room.ask(path, ["Accept": "text/html"], form: form)
      #expect([404, 405].contains(sent.status))
      #expect(try await room.ask("/").text.contains(#"href="/office""#) == false)
    }
  }

  @Test func `The office opens for an operator and closes as soon as the role ends`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      #expect(try await room.ask("/").text.contains(#"href="/office""#))
      for path in Self.pages {
        let page = try await room.ask(path)
        #expect(page.status == 200, "\(path)")
        #expect(page.head["Cache-Control"] == "no-store")
        #expect(page.text.matches(of: /<h1/).count == 1, "\(path)")
        #expect(page.text.matches(of: /<script/).count == 1 && !page.text.contains(" style="))
      }
      try await room.registry.endOperator(room.ada.patron, by: "test", request: "r")
      #expect(try await room.ask("/office").status == 404)
      #expect(try await room.ask("/").text.contains(#"href="/office""#) == false)
    }
  }

  @Test func `The office speaks the tongue of its operator`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let english = />(Overview|Libraries|Run now|Find|Last seen|Next|never)</
      for path in Self.pages {
        let page = try await room.ask(path, ["Accept-Language": "de"]).text
        #expect(page.contains("<html lang=\"de\"") && page.contains(">Überblick</a>"), "\(path)")
        #expect(page.firstMatch(of: english) == nil, "\(path)")
      }
      #expect(try await room.ask("/office/jobs").text.contains(">Overview</a>"))
    }
  }

  @Test func `The office takes no form without its seal`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let list = try await room.registryList("Summer")
      let reader = "/office/readers/\(room.ada.patron.rawValue)"
      for path in [
        "/office/jobs", "/office/lanes", "/office/lists", "/office/lists/\(list)", reader,
      ] {
        for seal in [nil, "", "x"] as [String?] {
          var form: FormFields = ["do": "drop", "confirm": "ada"]
          if let seal { form.add("seal", seal) }
          #expect(try await room.ask(path, form: form).status == 403, "\(path)")
        }
        let seal = try #require(try await room.ask(path).value("seal"))
        let foreign = try await room.ask(
          path, ["Sec-Fetch-Site": "cross-site"], form: ["do": "drop", "seal": seal])
        #expect(foreign.status == 403)
      }
      #expect(try await room.registry.patron(room.ada.patron) != nil)
    }
  }

  @Test func `The office tells of libraries and services what is known`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let libraries = try await room.ask("/office/libraries").text
      #expect(libraries.contains("Town &lt;Library&gt;") && libraries.contains("Paper"))
      #expect(libraries.contains(">42<") && libraries.contains("Answers"))
      let services = try await room.ask("/office/services").text
      #expect(services.contains("Left alone; tried again in 40 seconds"))
      #expect(services.contains("2 hours</time>") || services.contains("2 hours ago"))
      #expect(services.contains("0.4 s") && services.contains("3 wait, 1 on their way"))
    }
  }

  @Test func `The office runs a job at once, and says so in the log`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let schedule = try #require(room.lobby.office?.schedule)
      let later = Int64(LobbyRoom.day.timeIntervalSince1970 * 1000) + 3_600_000
      try await schedule.plan([
        Plan(
          OfficePaper.harvest, of: "town", every: .seconds(86_400), firstAt: later)
      ])
      #expect(try await room.ask("/office/jobs?kind=harvest").text.contains("in 60 minutes"))
      let done = try await post(
        room, "/office/jobs", ["do": "run", "kind": "harvest", "subject": "town"])
      #expect(done.status == 303 && done.location == "/office/jobs?done=hastened")
      #expect(try await schedule.dueCount([OfficePaper.harvest]) == 1)
      let other = try await post(room, "/office/jobs", ["do": "run", "kind": "x", "subject": "y"])
      #expect(other.status == 400)
      #expect(try await room.ask("/office/log").text.contains("Ran a job at once"))
    }
  }

  @Test func `The office saves lanes that are sound, and nothing else`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let mark = try #require(try await room.ask("/office/lanes").value("mark"))
      let bad = try await post(
        room, "/office/lanes", ["do": "save", "mark": mark, "text": "a\r\nbad <b>\r\n"])
      #expect(bad.status == 422 && bad.text.contains("Line 2: 'bad &lt;b&gt;' is no lane"))
      #expect(bad.text.contains("a\nbad &lt;b&gt;"))
      #expect(room.lobby.stock.lanes.map(\.id).contains("popular"))
      let stale = try await post(
        room, "/office/lanes", ["do": "save", "mark": "older", "text": "a"])
      #expect(stale.status == 409 && stale.value("mark") == mark)
      let good = try await post(
        room, "/office/lanes", ["do": "save", "mark": mark, "text": "new-ones\r\n"])
      #expect(good.status == 303)
      #expect(room.lobby.stock.lanes.map(\.id) == ["new-ones"])
      // Strangers see it as well, without waiting.
      #expect(try await room.ask("/").text.contains("/lanes/new-ones"))
      #expect(try await room.ask("/office/log").text.contains("Wrote the lanes"))
      let trial = try await room.ask("/office/lanes?rule=bad")
      #expect(trial.text.contains("Line 1:"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The office keeps the lists of librarians`(engine: Engine) async throws {
    try await LobbyRoom.open(engine) { room in
      try await enter(room)
      let made = try await post(
        room, "/office/lists", ["do": "make", "name": "Summer <b>", "curator": "Ms Page"])
      let path = String(try #require(made.location?.split(separator: "?").first))
      #expect(path.hasPrefix("/office/lists/"))
      let twin = try await post(
        room, "/office/lists", ["do": "make", "name": "summer <b>", "curator": "Ms Page"])
      #expect(twin.status == 409)
      let find = try await room.ask("\(path)?find=volume")
      #expect(find.text.contains("Summer &lt;b&gt;") && !find.text.contains("<b>"))
      let works = find.text.matches(of: /name="work" value="([^"]+)"/).map { String($0.1) }
      #expect(works.count == 10)
      for work in works.prefix(3) {
        let added = try await post(room, path, ["do": "add", "work": work])
        #expect(added.location == "\(path)?done=added")
      }
      let again = try await post(room, path, ["do": "add", "work": works[0]])
      #expect(again.location == "\(path)?done=there")
      let members = try await room.ask(path).text.matches(of: /name="member" value="([^"]+)"/)
        .map { String($0.1) }
      let first = try #require(members.first)
      _ = try await post(room, path, ["do": "move", "member": first, "place": "3"])
      _ = try await post(
        room, path, ["do": "publish", "curator": "Ms Page", "sharing": "everyone"])
      _ = try await post(room, path, ["do": "rename", "name": "Autumn"])
      let list = try #require(try await room.lobby.lending.lists.librarians().first)
      #expect(list.name == "Autumn" && list.sharing == .everyone && list.count == 3)
      let order = try await room.lobby.lending.lists.members(of: list.id, of: list.patron)
      #expect(order.last?.id == first)
      _ = try await post(room, path, ["do": "remove", "member": first])
      #expect(try await room.lobby.lending.lists.librarians().first?.count == 2)
      #expect(try await post(room, path, ["do": "drop"]).location == "/office/lists?done=dropped")
      #expect(try await room.ask(path).status == 404)
    }
  }

  @Test func `The office leaves lists that are no librarian's alone`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let mine = try await room.lobby.lending.lists.create(named: "Mine", for: room.ada.patron)
      #expect(try await room.ask("/office/lists").text.contains("Mine") == false)
      #expect(try await room.ask("/office/lists/\(mine.id.rawValue)").status == 404)
    }
  }

  @Test func `operator pages ask for a proof that is not older than ten minutes`() async throws {
    try await LobbyRoom.open { room in
      try await enter(room)
      let path = "/office/readers/\(room.ada.patron.rawValue)"
      let seal = try #require(try await room.ask(path).value("seal"))
      try await room.age()
      for page in Self.pages + [path] {
        let shown = try await room.ask(page)
        #expect(shown.status == 303, "\(page)")
        #expect(shown.location == "/sign-in/proof?then=\(page)", "\(page)")
      }
      let sent = try await room.ask(path, form: ["do": "everywhere", "seal": seal])
      #expect(sent.status == 403 && sent.text.contains("Confirm that it is you"))
      let form: FormFields = ["then": path, "proof": "1234"]
      let wrong = try await room.send(
        ["then": path, "proof": "0000"], to: "/sign-in/proof")
      #expect(wrong.status == 403 && wrong.value("then") == path)
      let right = try await room.send(form, to: "/sign-in/proof")
      #expect(right.status == 303 && right.location == path)
      #expect(try await room.ask(path).status == 200)
      #expect(try await room.ask("/sign-in/proof?then=\(path)").location == path)
      #expect(try await room.ask("/sign-in/proof?then=//evil.example").location == "/")
    }
  }

  @Test(arguments: Engine.allCases)
  func `The office finds readers by name and card, and forgets one whose name was typed`(
    engine: Engine
  ) async throws {
    try await LobbyRoom.open(engine) { room in
      try await enter(room)
      let bert = try await room.registry.patron(named: "Bert <i>")
      try await room.registry.makeOperator(bert.id, by: "test", request: "r")
      #expect(try await room.ask("/office/readers?q=bert").text.contains("Bert &lt;i&gt;"))
      #expect(try await room.ask("/office/readers?q=0001").text.contains(">ada<"))
      #expect(try await room.ask("/office/readers?q=0002").text.contains("Nobody is found"))
      let path = "/office/readers/\(bert.id.rawValue)"
      let wrong = try await post(room, path, ["do": "purge", "confirm": "bert"])
      #expect(wrong.status == 422 && wrong.text.contains("Nobody was forgotten"))
      let gone = try await post(room, path, ["do": "purge", "confirm": "Bert <i>"])
      #expect(gone.status == 200 && gone.text.contains("Bert &lt;i&gt; is forgotten"))
      #expect(try await room.registry.patron(bert.id) == nil)
      #expect(try await room.ask(path).status == 404)
      // Nobody forgets themselves by a slip.
      let own = try await post(
        room, "/office/readers/\(room.ada.patron.rawValue)", ["do": "purge", "confirm": "ada"])
      #expect(own.status == 400)
      #expect(try await room.ask("/office/log").text.contains("Forgot a reader"))
    }
  }
}

extension LobbyRoom {
  fileprivate func registryList(_ name: String) async throws -> String {
    try await lobby.lending.lists.create(named: name, for: ada.patron, by: "Ms Page").id.rawValue
  }
}
