import HTTP
import JSON
import MockKit
import Testing

@Suite struct `A scenario` {
  private let ada = "23000000000001"
  private let bruno = "23000000000002"
  private let chinua = "23000000000003"

  @Test func `A scenario with everything out lends nothing and has queues`() async throws {
    try await PlayedDesk.run(.allOut) { desk in
      desk.house.main.withState { state in
        let lending = state.libraries[0].lending
        #expect(lending.order.allSatisfy { lending.copiesAvailable(of: $0) == 0 })
        #expect(lending.order.allSatisfy { lending.queue(for: $0).count == 2 })
      }
    }
  }

  @Test(arguments: [(Scenario.fines, [200, 401, 200]), (.expiredCard, [200, 200, 401])])
  func `A scenario that blocks a card refuses that one alone`(
    _ scenario: Scenario, _ expected: [Int]
  )
    async throws
  {
    let statuses = try await PlayedDesk.run(scenario) { desk in
      [
        try await desk.signIn(ada, "1111").status, try await desk.signIn(bruno, "2222").status,
        try await desk.signIn(chinua, "3333").status,
      ]
    }
    #expect(statuses == expected)
  }

  @Test func `A scenario of an outage answers 503 in the vendor's words until it is over`()
    async throws
  {
    try await PlayedDesk.run(.outage) { desk in
      let answer = try await desk.send(.get, "/titles")
      #expect((answer.status, answer.json) == (503, ["desk": 503]))
      _ = try await desk.admin(.delete, "/faults?name=outage")
      #expect(try await desk.send(.get, "/titles").status == 200)
    }
  }

  @Test func `A scenario of a limit sends every third away for two seconds`() async throws {
    try await PlayedDesk.run(.rateLimited) { desk in
      var answers: [PlayedDesk.Answer] = []
      for _ in 0..<6 { answers.append(try await desk.send(.get, "/titles")) }
      #expect(answers.map(\.status) == [200, 200, 429, 200, 200, 429])
      #expect(answers[2].headers["Retry-After"] == "2")
    }
  }

  @Test func `A scenario that is flaky fails now and then, and the same way for the same seed`() {
    func strikes(_ seed: UInt64) -> [[String]] {
      let world = MockWorld(.flaky, seed: seed, dialects: [Desk.dialect])
      return world.withState { state in
        (0..<500).map { _ in
          state.faults.strike(
            provider: "desk", operation: "titles", path: "/titles", at: state.now
          ).faults.map(\.name)
        }
      }
    }
    let run = strikes(1)
    #expect((50...150).contains(run.count { !$0.isEmpty }))
    #expect(Set(run.joined()).count == 5)
    #expect(run == strikes(1))
    #expect(run != strikes(2))
  }

  @Test func `A scenario of a big catalogue has five thousand titles, and is reset in an instant`()
  {
    let world = MockWorld(.bigCatalogue, dialects: [Desk.dialect])
    #expect(world.withState { $0.libraries[0].lending.order.count } == 5000)
    let first = world.withState { $0.libraries[0].lending.order[0] }
    world.withState { state in
      for id in state.libraries[0].lending.order.prefix(3000) {
        state.libraries[0].lending.withdraw(id)
      }
    }
    let start = ContinuousClock.now
    world.reset()
    #expect(ContinuousClock.now - start < .milliseconds(50))
    #expect(world.withState { $0.libraries[0].lending.order[0] } == first)
  }

  @Test(arguments: Scenario.all.map(\.name))
  func `A scenario begins the same for the same seed`(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let state = { (seed: UInt64) in
      MockWorld(scenario, seed: seed, dialects: [Desk.dialect]).withState { $0.json }
    }
    #expect(state(5) == state(5))
    #expect(state(5)["libraries"]?[0]?["titles"] != state(6)["libraries"]?[0]?["titles"])
  }
}

@Suite struct `The clock` {
  @Test func `The clock runs everything that falls due, each thing at its own time`() async throws {
    try await PlayedDesk.run { desk in
      // Bruno waits behind two copies; both come back after three weeks, and his offer lasts three
      // days from then, however far the clock is moved.
      let title = desk.house.main.withState { $0.libraries[0].lending.order[5] }
      let until = { () -> String in
        desk.house.main.withState { state in
          state.libraries[0].lending.hold(on: title, by: "23000000000002")?.readyUntil?.text ?? ""
        }
      }
      _ = try await desk.admin(.post, "/clock", ["advance": "22d"])
      #expect(until() == "2026-04-09T09:00:00Z")
      _ = try await desk.admin(.post, "/clock", ["advance": "30d"])
      let hold = desk.house.main.withState {
        $0.libraries[0].lending.hold(on: title, by: "23000000000002")
      }
      #expect(hold?.missedOffers == 1)
      #expect(hold?.suspension?.since.text == "2026-04-09T09:00:00Z")
    }
  }

  @Test func `The clock stands, is set, runs sixty times as fast, and is frozen`() async throws {
    try await PlayedDesk.run { desk in
      #expect(try await desk.admin(.get, "/clock").json["frozen"] == true)
      let set = try await desk.admin(.post, "/clock", ["set": "2030-01-01T00:00:00Z"])
      #expect(set.json["now"] == "2030-01-01T00:00:00Z")
      #expect(try await desk.admin(.post, "/clock", ["run": "x60"]).json["speed"] == 60)
      #expect(try await desk.admin(.post, "/clock", ["freeze": true]).json["frozen"] == true)
      #expect(try await desk.admin(.post, "/clock", ["leap": 1]).status == 400)
    }
  }

  @Test func `The clock opens and closes the time of a fault, and ends a token`() async throws {
    try await PlayedDesk.run { desk in
      let token = try await desk.signIn().json["access_token"]?.string ?? ""
      _ = try await desk.admin(
        .post, "/faults",
        ["name": "f", "kind": "status", "status": 500, "window": ["from": "+1h", "to": "+2h"]])
      var statuses: [Int] = []
      for _ in 0..<3 {
        statuses.append(try await desk.send(.get, "/titles").status)
        _ = try await desk.admin(.post, "/clock", ["advance": "1h"])
      }
      #expect(statuses == [200, 500, 200])
      #expect(try await desk.shelf(token).status == 200)
      _ = try await desk.admin(.post, "/clock", ["advance": "1d"])
      #expect(try await desk.shelf(token).status == 401)
    }
  }
}
