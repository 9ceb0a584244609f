import Foundation
import HTTP
import JSON
import JourneySupport
import OPDS
import TestSupport
import Testing

/// A book that nobody has as a file, fetched on foot.
@Suite struct `A copy on paper` {
  private static let library = "bridgeport"

  /// The town's own desk beside the lender of files, and a title of both that the lender has lost.
  private func furnish(_ stage: Stage, lender: Bool = true) async throws {
    let town = try #require(
      stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == Self.library })
    let endpoints = try #require(town["endpoints"])
    let secret = stage.key("town-secret")
    try Data((endpoints["koha_client_secret"]?.string ?? "").utf8).write(to: URL(filePath: secret))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
    let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
    try Data(
      (settings + """
          town:
            provider: library_desk
            name: Bridgeport Town Library
            sign_in: koha
            titles: koha
            holds: koha
            koha_client_id: \(endpoints["koha_client_id"]?.string ?? "")
            koha_client_secret_file: \(secret)
            endpoints:
              koha: \(endpoints["koha"]?.string ?? "")

        """).utf8
    ).write(to: URL(filePath: stage.settings))
    for (provider, library) in [("overdrive", "city"), ("library_desk", "town")]
    where lender || library == "town" {
      try await stage.json(
        "link", provider, "--library", library, "--credentials-stdin",
        input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
    }
    if lender { try await stage.json("harvest", "city") }
  }

  /// The work of a title that both have, and that no lender has a copy of any more.
  private func lostTitle(_ stage: Stage) async throws -> String {
    let state = try await stage.mock.admin(.get, "/state")
    func titles(_ id: String) -> [JSONValue] {
      state["libraries"]?.array?.first { $0["id"]?.string == id }?["titles"]?.array ?? []
    }
    let paper = titles(Self.library).filter { ($0["available"]?.integer ?? 0) > 0 }
    for name in paper.compactMap({ $0["name"]?.string }) {
      let found = try await stage.json("search", name).items
      let work = found.first { work in
        let offers = work["offers"]?.array ?? []
        return work["title"]?.string == name
          && offers.contains { $0["terms"]?["kind"] == "physical" } == false
          && offers.map { $0["account"] } == ["city"] && offers[0]["format"] == "epub"
      }
      guard let work, let item = work["offers"]?[0]?["item"]?.string,
        let file = titles(Mock.library).first(where: { $0["id"]?.string?.lowercased() == item }),
        let id = file["id"], file["copies"] != nil
      else { continue }
      try await stage.mock.change(["titles": [["id": id, "copies": 0]]])
      return try #require(work["id"]?.string)
    }
    throw TestSupportError("both have no title in common")
  }

  /// What the town has, for readers who have no card anywhere else.
  private func paperOnly(_ stage: Stage, count: Int) async throws -> [String] {
    let state = try await stage.mock.admin(.get, "/state")
    func names(_ id: String) -> [String] {
      let all = state["libraries"]?.array?.first { $0["id"]?.string == id }?["titles"]?.array
      return (all ?? []).filter { ($0["available"]?.integer ?? 0) > 0 }
        .compactMap { $0["name"]?.string }
    }
    let found = names(Self.library)
    try #require(found.count >= count)
    return Array(found.prefix(count))
  }

  @Test(arguments: Engine.allCases)
  func `a print title that only one library lists is found by its words and held`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await furnish(stage, lender: false)
      let names = try await paperOnly(stage, count: 3)
      let found = try await stage.json("search", names[0].uppercased()).items
      let work = try #require(found.first { $0["title"]?.string == names[0] }, "\(names)")
      #expect(work["offers"]?.array?.map { $0["account"] } == ["town"], "\(work.text())")
      #expect(work["offers"]?[0]?["format"] == "paper")
      let id = try #require(work["id"]?.string)
      #expect(
        try await stage.json("hold", "add", id, exit: 9).failure["code"] == "branch_needed")
      let held = try await stage.json("hold", "add", id, "--at", "Mott Haven").item
      #expect(held["result"] == "waiting")
      #expect(try await holds(stage) == 1)
      // The next search for the same words is answered from what was told.
      try await stage.mock.add([
        "name": "down", "kind": "timeout", "provider": "library_desk",
      ])
      #expect(try await stage.json("search", names[0].uppercased()).items.count == found.count)
      // A desk that is down is told of, and the others are searched all the same.
      let silent = try await stage.json("search", names[1], exit: 7)
      #expect(silent.document["partial"] == true, "\(silent)")
      try await stage.mock.removeFaults()
    }
  }

  @Test func `A copy on paper is found by reading apps, too`() async throws {
    try await Stage.play { stage in
      try await furnish(stage, lender: false)
      let names = try await paperOnly(stage, count: 1)
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app(accept: "application/opds+json")
        let start = try #require(try await app.ask(gateway.start).feed)
        let found = try await app.search(names[0], from: start)
        #expect(found.everyPublication.map(\.title).contains(names[0]))
      }
    }
  }

  /// How many the library itself knows of.
  private func holds(_ stage: Stage) async throws -> Int {
    let state = try await stage.mock.admin(.get, "/state")
    let town = state["libraries"]?.array?.first { $0["id"]?.string == Self.library }
    return (town?["holds"]?.array ?? []).count { $0["card"]?.string == Mock.ada }
  }

  private func atTheDesk(_ verb: String, _ title: String, _ stage: Stage) async throws {
    try await stage.mock.admin(
      .put, "/state",
      [
        "libraries": [
          [
            "id": .string(Self.library),
            "desk": [
              ["do": .string(verb), "title": .string(title), "card": .string(Mock.ada)]
            ],
          ]
        ]
      ])
  }

  @Test(arguments: Engine.allCases)
  func `a print title is held at a branch, reported when ready and shown as picked up`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await furnish(stage)
      let name = try await lostTitle(stage)
      let shown = try await stage.json("show", name).item
      let offers = shown["offers"]?.array ?? []
      let paper = try #require(
        offers.first { $0["terms"]?["kind"] == "physical" }, "\(shown.text())")
      #expect(offers.first?["id"] == paper["id"])
      #expect(paper["copies"]?.array?.isEmpty == false)
      let pickups = paper["pickups"]?.array ?? []
      #expect(pickups.contains { $0["name"] == "Mott Haven" })
      #expect(!pickups.contains { $0["name"] == "Hillside Book Stop" })
      let id = try #require(paper["id"]?.string)
      let item = try #require(paper["item"]?.string)

      // It cannot be borrowed from afar, and it waits nowhere without a word on where.
      #expect(
        try await stage.json("borrow", id, exit: 6).failure["code"] == "on_paper")
      #expect(
        try await stage.json("hold", "add", id, exit: 9).failure["code"] == "branch_needed")

      let placed = try await stage.json("hold", "add", id, "--at", "Mott Haven").item
      #expect(placed["result"] == "waiting")
      #expect(placed["hold"]?["pickup"] == "Mott Haven")
      // Twice is once.
      let again = try await stage.json("hold", "add", id, "--at", "Mott Haven").item
      #expect(again["result"] == "already_waiting")
      #expect(try await holds(stage) == 1)
      let title = String(item.dropFirst("title-".count))

      try await atTheDesk("ready", title, stage)
      try await stage.json("sync")
      let held = try await stage.json("hold", "list").items
      #expect(held.map { $0["status"] } == ["ready"])
      #expect(held.map { $0["pickup"] } == ["Mott Haven"])
      #expect(held.first?["until"]?.string != nil)
      try await stage.json("sync", "--due")
      let inbox = try await stage.json("notify", "inbox").items
      #expect(inbox.map { $0["kind"] } == ["hold_ready"])
      #expect(inbox.first?["body"]?.string?.contains("Mott Haven") == true, "\(inbox)")

      try await atTheDesk("fetch", title, stage)
      try await stage.json("sync")
      #expect(try await stage.json("hold", "list").items == [])
      let loans = try await stage.json("loans").items
      #expect(loans.map { $0["format"] } == ["paper"])
      #expect(loans.map { $0["returnable"] } == [false])
      #expect(try await stage.carrel("loans").output.contains("on paper"))
    }
  }
}
