import Circulation
import Database
import Desk
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite struct `What is kept of an account` {
  @Test(arguments: Engine.allCases)
  func `What is kept of an account: is forgotten, and does not come back with a late answer`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.stock("persuasion")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(await gateway.reader("bob").perform(.borrow, "persuasion") == "lent")
      house.town.plan(.shelf, .then { await forget("ada", gateway) })
      await ada.sync()
      house.town.plan(.checkIn, .then { await forget("ada", gateway) })
      #expect(await ada.perform(.giveBack, "emma") == "done")
      house.town.plan(.shelf, .thenLost { await forget("ada", gateway) })
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == Shelf())
      #expect(try await gateway.states(of: "ada").isEmpty)
      #expect(try await gateway.desk.freshness(of: ["ada"]).isEmpty)
      #expect(try await gateway.shelf(of: "bob").loans.count == 1)
    }
  }

  private func forget(_ account: AccountID, _ gateway: Gateway) async {
    do { try await gateway.forget(account) } catch { Issue.record(error) }
  }

  @Test(arguments: Engine.allCases)
  func `the desk lists an account for a check exactly when a loan of it ends`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(try await gateway.desk.stirred(from: .min, to: .max).isEmpty)
      #expect(await ada.perform(.borrow, "emma") == "lent")
      await ada.sync()
      let until = try #require(try await gateway.shelf(of: "ada").loans.first?.until)
      let end = Int64(until.timeIntervalSince1970 * 1000)
      #expect(try await gateway.desk.stirred(from: end - 1, to: end) == ["ada"])
      #expect(try await gateway.desk.stirred(from: end, to: end + 1).isEmpty)
      #expect(try await gateway.desk.stirred(from: end - 2, to: end - 1).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What is kept of an account: is found among more cards than a question can name`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { _, gateway, ada async throws in
      await ada.sync()
      let all = (0..<100_000).map { AccountID("card\($0)") } + ["ada"]
      #expect(try await gateway.desk.freshness(of: all).map(\.account) == ["ada"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `What is kept of an account: tells how fresh it is`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      #expect(try await gateway.desk.freshness(of: ["ada"]).isEmpty)
      house.town.plan(.shelf, .fail(.credentialsRejected))
      await ada.sync()
      var fresh = try #require(try await gateway.desk.freshness(of: ["ada"]).first)
      #expect(fresh.goodAt == nil && fresh.trouble == "credentials_rejected")
      await ada.sync()
      fresh = try #require(try await gateway.desk.freshness(of: ["ada"]).first)
      #expect(fresh.goodAt == fresh.triedAt && fresh.trouble == nil)
      house.clock.step(seconds: 60)
      house.town.plan(.shelf, .fail(.providerUnavailable))
      await ada.sync()
      let last = try #require(try await gateway.desk.freshness(of: ["ada"]).first)
      #expect(last.goodAt == fresh.goodAt && last.trouble == "provider_unavailable")
      #expect(last.triedAt > fresh.triedAt)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What is kept of an account: goes on in a clock that was set back a day`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.stock("persuasion")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.town.plan(.checkOut, .late(seconds: 15, .networkFailure))
      #expect(await ada.perform(.borrow, "persuasion") == "in doubt")
      house.town.plan(.checkIn, .fail(.networkFailure))
      house.clock.step(seconds: 11)
      house.clock.set(seconds: -86_400)
      // The desk does not wait a day for what is resolved in seconds, nor gives up too early.
      house.town.change("ada") { $0.loans.removeAll { $0.item == "emma" } }
      #expect(await ada.sync().settled.isEmpty)
      #expect(try await gateway.shelf(of: "ada") == Shelf())
      house.clock.step(seconds: 9)
      #expect(await ada.sync().told == ["borrow persuasion: true"])
      #expect(await ada.perform(.giveBack, "persuasion") == "in doubt")
      house.clock.step(seconds: 25)
      #expect(await ada.sync().told == ["give_back persuasion: false"])
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `What is kept of an account: leaves words of a newer release alone`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma", "a") == "lent")
      try await gateway.run("UPDATE desk_intent SET verb = 'bind_in_leather', state = 'open'")
      house.clock.step(seconds: 60)
      #expect(await ada.sync().settled.isEmpty)
      #expect(try await gateway.states(of: "ada") == ["a": "open"])
      #expect(await ada.perform(.borrow, "emma", "a") == "had")
      #expect(await ada.perform(.giveBack, "emma", "a") == "attempt differs")
      #expect(await ada.perform(.giveBack, "emma", "b") == "done")
    }
  }

  @Test(arguments: Engine.allCases)
  func `the desk keeps settled commands for a week and open ones until they are settled`(
    engine: Engine
  )
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma", "a") == "lent")
      house.clock.step(seconds: 7 * 86_400)
      await ada.sync()
      #expect(try await gateway.states(of: "ada") == ["a": "done"])
      try await gateway.run(
        "INSERT INTO desk_intent (account, item, verb, attempt, state, before_hold, request, written_at, arrives_until, turn) VALUES ('ada', 'x', 'newer', 'b', 'open', FALSE, '', 0, 0, 0)"
      )
      house.clock.step(seconds: 1)
      await ada.sync()
      #expect(try await gateway.states(of: "ada") == ["b": "open"])
    }
  }
}
