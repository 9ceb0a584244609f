import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A reader with a card at each of three lenders` {
  /// The library of each lender that the tests play at, by the name the settings give it.
  private static let libraries = [
    ("overdrive", "4225", "city"), ("cloudlibrary", "qs7tmf", "quay"),
    ("axis360", "demo", "harbor"),
  ]

  /// Settings for all three, from what the mock says of itself and the provider asks for.
  private func furnish(_ stage: Stage) async throws {
    let providers = try await stage.json("provider", "list").items
    var text = "libraries:\n"
    for (provider, id, name) in Self.libraries {
      let library = try #require(
        stage.mock.ready["libraries"]?.array?.first {
          $0["provider"]?.string == provider && $0["id"]?.string == id
        })
      let endpoints = try #require(library["endpoints"]?.object)
      let wanted = providers.first { $0["id"]?.string == provider }?["settings"]?.array ?? []
      text += "  \(name):\n    provider: \(provider)\n    endpoints:\n"
      for member in endpoints.members {
        guard let address = member.value.string, address.hasPrefix("http://") else { continue }
        text += "      \(member.name): \(address)\n"
      }
      for setting in wanted.compactMap(\.string) {
        let key = setting.hasSuffix("?") ? String(setting.dropLast()) : setting
        let plain = key.hasSuffix("_file") ? String(key.dropLast(5)) : key
        guard let value = endpoints[plain] else { continue }
        let word = value.string ?? value.text()
        guard plain != key else {
          text += "    \(key): \"\(word)\"\n"
          continue
        }
        let file = stage.key("\(name)-\(plain)")
        try Data(word.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        text += "    \(key): \(file)\n"
      }
    }
    let database = try String(contentsOfFile: stage.settings, encoding: .utf8)
      .components(separatedBy: "libraries:\n")[0]
    try Data((database + text).utf8).write(to: URL(filePath: stage.settings))
    for (provider, _, name) in Self.libraries {
      let pin = provider == "axis360" ? "" : #", "pin": "1111""#
      try await stage.json(
        "link", provider, "--library", name, "--credentials-stdin",
        input: #"{"card": "\#(Mock.ada)"\#(pin)}"#)
    }
  }

  private func outage(_ stage: Stage) async throws {
    try await stage.mock.add([
      "name": "outage", "kind": "status", "status": 503, "provider": "cloudlibrary",
    ])
  }

  /// How often each lender was asked since the journal was cleared, tokens apart.
  private func questions(_ stage: Stage) async throws -> [String: Int] {
    let journal = try await stage.mock.admin(.get, "/requests?limit=100")
    let asked = (journal["requests"]?.array ?? []).filter {
      $0["operation"]?.string?.lowercased().contains("token") != true
    }
    return Dictionary(grouping: asked) { $0["provider"]?.string ?? "" }.mapValues(\.count)
  }

  @Test(arguments: Engine.allCases)
  func `a reader with cards at three lenders sees one shelf while one of them is down`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await furnish(stage)
      #expect(try await stage.json("harvest").items.map { $0["complete"] } == [true, true, true])
      let found = try await stage.json("search", "the", "--available", "--limit", "200").items
      var borrowed: [String] = []
      for (_, _, name) in Self.libraries {
        let offer = try #require(
          found.compactMap { $0["offers"]?[0] }.first { $0["account"]?.string == name })
        let id = try #require(offer["id"]?.string)
        #expect(try await stage.json("borrow", id).item["result"] == "borrowed", "\(id)")
        borrowed.append(name)
      }
      #expect(
        try await stage.json("sync").items.map { $0["state"] } == ["fresh", "fresh", "fresh"])
      #expect(
        Set(try await stage.json("loans").items.compactMap { $0["account"]?.string })
          == Set(borrowed))

      try await outage(stage)
      let partly = try await stage.json("sync", exit: 3)
      #expect(partly.items.map { $0["state"] } == ["fresh", "stale", "fresh"])
      let loans = try await stage.json("loans").items
      #expect(loans.count == 3)
      for loan in loans {
        #expect(loan["stale"] == .bool(loan["account"]?.string == "quay"))
        #expect(loan["as_of"]?.string != nil)
      }
      try await stage.mock.removeFaults()
    }
  }

  @Test(arguments: [
    ["search", "the", "--limit", "40"],
    ["lane", "show", "popular", "--sort", "title", "--limit", "40"],
  ])
  func `a page of titles queries each lender at most twice and waits for no late one`(
    _ words: [String]
  ) async throws {
    try await Stage.play { stage in
      try await furnish(stage)
      try await stage.json("harvest")
      try await stage.mock.admin(.delete, "/requests")
      try await Self.page(words, stage)
      #expect(try await questions(stage) == [:])

      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
      try Data((settings + "catalog:\n  ask_after: 0\n  patience: 1s\n").utf8)
        .write(to: URL(filePath: stage.settings))
      let page = try await Self.page(words, stage)
      #expect(page.count > 15)
      let asked = try await questions(stage)
      #expect(Set(asked.keys) == Set(Self.libraries.map(\.0)))
      #expect(asked.values.allSatisfy { (1...2).contains($0) })

      try await stage.mock.add([
        "name": "late", "kind": "timeout", "provider": "cloudlibrary",
      ])
      let known = try await Self.page(words, stage)
      #expect(known.map { $0["id"] } == page.map { $0["id"] })
      try await stage.mock.removeFaults()
    }
  }

  @discardableResult
  private static func page(_ words: [String], _ stage: Stage) async throws -> [JSONValue] {
    let ending = try await stage.carrel(words + ["--json"])
    #expect(ending.code == 0 && ending.faults == [], "\(ending.error)")
    return ending.items
  }

  @Test func `the lane of available titles drops a title whose copies are gone`() async throws {
    try await Stage.play { stage in
      try await furnish(stage)
      try await stage.json("harvest", "city")
      let lane = ["lane", "show", "available", "--limit", "500"]
      let before = try await Self.page(lane, stage)
      let title = try await stage.mock.truth().titles[0]
      let isIt = { (work: JSONValue) in
        work["offers"]?.array?.contains { $0["id"]?.string == "city:\(title.id)" } == true
      }
      #expect(before.contains(where: isIt))
      try await stage.mock.change(["titles": [["id": .string(title.id), "copies": 0]]])
      #expect(try await Self.page(lane, stage).contains(where: isIt))
      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
      try Data((settings + "catalog:\n  ask_after: 0\n").utf8)
        .write(to: URL(filePath: stage.settings))
      let after = try await Self.page(lane, stage)
      #expect(!after.contains(where: isIt) && !after.isEmpty)
    }
  }

  @Test func `borrowing a title queries only the lender that offers it`() async throws {
    try await Stage.play { stage in
      try await furnish(stage)
      try await stage.json("harvest")
      let found = try await stage.json("search", "the", "--available", "--limit", "200").items
      let offer = try #require(
        found.compactMap { $0["offers"]?[0] }.first { $0["account"]?.string == "harbor" })
      try await stage.mock.admin(.delete, "/requests")
      try await stage.json("borrow", offer["id"]?.string ?? "")
      let asked = try await stage.mock.admin(.get, "/requests?limit=100")["requests"]?.array ?? []
      #expect(!asked.isEmpty)
      #expect(asked.allSatisfy { $0["provider"]?.string == "axis360" })
    }
  }
}
