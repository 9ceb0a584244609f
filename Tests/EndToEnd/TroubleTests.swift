import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `When something is wrong` {
  /// A card with one loan, and then the trouble: told to people, told to scripts, and nothing lost.
  @Test(arguments: Trouble.all)
  func `each failure is explained in a clear sentence, and the shelf is kept`(_ trouble: Trouble)
    async throws
  {
    try await Stage.play(scenario: trouble.scenario) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let title = try await stage.mock.truth().titles[2]
      try await stage.json("borrow", "city:\(title.id)")
      try await trouble.spoil(stage)

      let told = try await stage.carrel(trouble.words, input: trouble.input)
      #expect(told.code == trouble.exit, "\(told.error)")
      for words in trouble.says { #expect(told.error.contains(words), "\(told.error)") }
      let attempt = try #require(told.attempt, "\(told.error)")
      #expect(Ending.canBePasted(attempt), "\(attempt)")

      let json = try await stage.carrel(trouble.words + ["--json"], input: trouble.input)
      #expect(json.code == trouble.exit)
      #expect(json.faults == [])
      #expect(json.failure["code"]?.string == trouble.code, "\(json.error)")
      #expect(json.failure["try"]?.string == attempt)
      if trouble.exit == 8 { #expect(json.failure["retry_after_s"] == 60) }
      if !json.output.isEmpty { #expect(json.document["partial"] == true) }

      let loans = try await stage.json("loans")
      #expect(loans.items.map { $0["item"]?.string } == [title.id])
      #expect(loans.item["stale"]?.bool == trouble.marksStale)
    }
  }

  @Test(arguments: [-1.0, 1.0])
  func `a library whose clock is a day off still lends`(_ days: Double) async throws {
    try await Stage.play(daysOff: days) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let title = try await stage.mock.truth().titles[0]
      #expect(try await stage.json("borrow", "city:\(title.id)").item["result"] == "borrowed")
      #expect(try await stage.json("sync").item["state"] == "fresh")
      let loan = try await stage.json("loans").item
      #expect(loan["item"]?.string == title.id)
      #expect(loan["stale"] == false)
      #expect(try await stage.json("return", "city:\(title.id)").item["result"] == "returned")
    }
  }

  @Test func `a borrow whose answer is lost is confirmed from the shelf`() async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let title = try await stage.mock.truth().titles[0]
      try await stage.mock.add([
        "name": "lost", "kind": "reset-after", "operation": "checkOut",
      ])
      #expect(try await stage.json("borrow", "city:\(title.id)").item["result"] == "borrowed")
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])
      #expect(try await stage.rows("SELECT id FROM desk_intent WHERE state = 'open'") == [])
    }
  }

  @Test
  func `a borrow that is never answered is reported as in doubt and adds no loan`() async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let title = try await stage.mock.truth().titles[0]
      try await stage.mock.add(["name": "lost", "kind": "timeout", "operation": "checkOut"])
      let borrowed = try await stage.json("borrow", "city:\(title.id)", "--timeout", "1s", exit: 7)
      #expect(borrowed.item["result"] == "in_doubt")
      #expect(borrowed.failure["code"] == "in_doubt")
      #expect(borrowed.failure["card"] == "city")
      #expect(Ending.canBePasted(borrowed.failure["try"]?.string ?? ""))
      #expect(try await stage.json("loans").items == [])
      // It may still be on its way, so that its absence there proves nothing yet.
      #expect(try await stage.json("sync").item["settled"] == [])
    }
  }

  @Test func `a sync with one blocked card still refreshes the other cards`() async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "ada")
      try await stage.link(Mock.bruno, "2222", as: "bruno")
      try await stage.mock.change(Mock.ada, ["block": "fines"])
      let synced = try await stage.json("sync", exit: 3)
      #expect(synced.items.map { $0["state"] } == ["stale", "fresh"])
      #expect(synced.document["partial"] == true)
      #expect(synced.failure["code"] == "partly_failed")
      let told = try await stage.carrel("sync")
      #expect(told.error.contains("…0001"))
      #expect(Ending.canBePasted(try #require(told.attempt)))
      #expect(try await stage.json("loans").items.map { $0["stale"] } == [false, false])
    }
  }
}
