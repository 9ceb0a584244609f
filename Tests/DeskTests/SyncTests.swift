import Circulation
import Database
import Desk
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite struct `A sync` {
  @Test(arguments: Engine.allCases)
  func `A sync puts the library's truth in the place of what was kept`(engine: Engine) async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.change("ada") { shelf in
        shelf.loans = [Loan(item: "emma", until: nil)]
        shelf.holds = [Hold(item: "persuasion", status: .waiting(position: 4, total: 9))]
      }
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      house.town.change("ada") { shelf in
        shelf.loans = [Loan(item: "persuasion", until: nil)]
        shelf.holds = []
      }
      house.clock.step(seconds: 1)
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      house.town.change("ada") { $0 = Shelf() }
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == Shelf())
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync asks twice when a shelf is suddenly empty`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.change("ada") { $0.loans = [Loan(item: "emma", until: nil)] }
      await ada.sync()
      // Its loans were told before, its holds never were any: one question is enough.
      let before = house.town.count(.shelf)
      await ada.sync()
      #expect(house.town.count(.shelf) == before + 1)
      house.town.plan(.shelf, .empty)
      await ada.sync()
      #expect(house.town.count(.shelf) == before + 3)
      #expect(try await gateway.shelf(of: "ada").loans.count == 1)
      // Nor is the first good answer undone by a second one that is empty.
      house.town.change("ada") { $0.holds = [Hold(item: "other", status: .expired)] }
      await ada.sync()
      house.town.change("ada") { $0.holds = [] }
      house.town.plan(.shelf, .then {}, .empty)
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      // When the second question fails, the first answer is not believed either.
      house.town.plan(.shelf, .empty, .fail(.providerUnavailable))
      #expect(await ada.sync().word == "provider_unavailable")
      #expect(try await gateway.shelf(of: "ada").loans.count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync with an answer older than a settled command leaves that as it is`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      // Twice: once for a loan it does not know, once for one it still knows.
      for verb in [Verb.borrow, .giveBack] {
        house.clock.step(seconds: 60)
        house.town.plan(
          .shelf,
          .then {
            // A slow answer, or a clock that jumps: what counts is what came first.
            house.clock.step(seconds: 60)
            #expect(await ada.perform(verb, "emma") != "in doubt")
          })
        let sync = await ada.sync()
        #expect(sync.settled.isEmpty)
        #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
        guard case .success(let told) = sync.result else { continue }
        #expect(told.loan(of: "emma") == house.town.shelf(of: "ada").loan(of: "emma"))
      }
      #expect(house.town.effects.count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync with an answer older than a command never settles that`(engine: Engine) async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.step(seconds: 60)
      // The answer is on its way when the loan is given back and asked for again in vain.
      house.town.plan(.checkOut, .fail(.networkFailure))
      house.town.plan(
        .shelf,
        .then {
          #expect(await ada.perform(.giveBack, "emma") == "done")
          #expect(await ada.perform(.borrow, "emma", "again") == "in doubt")
        })
      #expect(await ada.sync().settled.isEmpty)
      #expect(try await gateway.states(of: "ada")["again"] == "open")
      #expect(try await gateway.shelf(of: "ada") == Shelf())
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync with an answer older than a loan made elsewhere does not prove its return`(
    engine: Engine
  )
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkIn, .fail(.networkFailure))
      house.town.plan(
        .shelf,
        .then {
          _ = house.town.perform(Deed(verb: "borrow", item: "emma", account: "ada", attempt: "x"))
          house.town.plan(.shelf, .fail(.networkFailure))
          #expect(await ada.perform(.giveBack, "emma") == "in doubt")
        })
      #expect(await ada.sync().settled.isEmpty)
      house.clock.step(seconds: 30)
      #expect(await ada.sync().told == ["give_back emma: false"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync gives way to a later one that was answered sooner`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.step(seconds: 60)
      house.town.plan(
        .shelf,
        .then {
          house.town.stock("other")
          #expect(await gateway.reader("ada").perform(.borrow, "other") == "lent")
          house.town.change("ada") { $0.loans.removeAll { $0.item == "emma" } }
          #expect(await ada.sync().word == "good")
        })
      #expect(await ada.sync().word == "good")
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync keeps to the account: a dead one costs its own time and staleness`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let gateway = try await house.gateway { $0.accountLimit = .milliseconds(400) }
      let accounts = (0..<20).map { AccountID("reader-\($0)") }
      for account in accounts {
        house.town.change(account) { $0.loans = [Loan(item: "emma", until: nil)] }
      }
      _ = await gateway.desk.sync(accounts, in: Reader.call("first", within: .seconds(20)))
      house.clock.step(seconds: 60)
      let kept = try await gateway.desk.freshness(of: accounts)
      #expect(kept.count == 20)
      house.town.kill("reader-7")
      for account in accounts { house.town.change(account) { $0.loans[0].title = "Emma" } }
      let began = ContinuousClock.now
      let syncs = await gateway.desk.sync(accounts, in: Reader.call("next", within: .seconds(20)))
      #expect(began.duration(to: .now) < .seconds(10))
      #expect(syncs.map(\.account) == accounts)
      #expect(syncs.filter { $0.word != "good" }.map(\.account) == ["reader-7"])
      #expect(syncs[7].word == "deadline_exceeded")
      for fresh in try await gateway.desk.freshness(of: accounts) {
        let isDead = fresh.account == "reader-7"
        let good = isDead ? house.clock.now - 60_000 : house.clock.now
        #expect(fresh.trouble == (isDead ? "deadline_exceeded" : nil))
        #expect(fresh.goodAt == Date(timeIntervalSince1970: Double(good) / 1000))
        let title = try await gateway.shelf(of: fresh.account).loans.first?.title
        #expect(title == (isDead ? nil : "Emma"))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync ends in time also where an adapter heeds neither deadline nor call`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let gateway = try await house.gateway {
        ($0.accountLimit, $0.secondLook) = (.milliseconds(200), .milliseconds(200))
        $0.grace = .milliseconds(200)
      }
      let (gate, ada) = (Gate(), gateway.reader())
      house.town.stock("emma")
      house.town.plan(.shelf, .first { await gate.wait() }, .first { await gate.wait() })
      let began = ContinuousClock.now
      #expect(await ada.sync().word == "deadline_exceeded")
      house.town.plan(.checkOut, .thenLost { await gate.wait() })
      #expect(await ada.perform(.borrow, "emma", within: .milliseconds(300)) == "in doubt")
      #expect(began.duration(to: .now) < .seconds(8))
      gate.open()
      house.clock.step(seconds: 30)
      #expect(await ada.sync().told == ["borrow emma: true"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A sync through two gateways at once ends in the truth`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let gateways = [try await house.gateway(), try await house.gateway()]
      let items = (0..<6).map { ItemID("book-\($0)") }
      for item in items { house.town.stock(item) }
      await withTaskGroup(of: Void.self) { group in
        for (index, item) in items.enumerated() {
          let reader = gateways[index % 2].reader()
          group.addTask {
            #expect(await reader.perform(.borrow, item) == "lent")
            #expect(await reader.perform(.renew, item) == "done")
            if index < 3 { #expect(await reader.perform(.giveBack, item) == "done") }
          }
          group.addTask { #expect(await gateways[(index + 1) % 2].reader().sync().word == "good") }
        }
      }
      #expect(house.town.effects.count == 15)
      #expect(try await gateways[0].shelf(of: "ada") == house.town.shelf(of: "ada"))
      #expect(try await gateways[1].desk.accountsInDoubt().isEmpty)
    }
  }

  /// A shelf without the loans that were there is asked for twice.
  @Test(arguments: Engine.allCases)
  func `a sync keeps a hold that only the first of two answers shows`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("lent")
      house.town.stock("held", copies: 0)
      #expect(await ada.perform(.borrow, "lent") == "lent")
      #expect(await ada.perform(.placeHold, "held") == "done")
      house.clock.step(seconds: 60)
      house.town.change("ada") { $0.loans = [] }
      house.town.plan(.shelf, .first({}), .empty)
      #expect(await ada.sync().word == "good")
      let shelf = try await gateway.shelf(of: "ada")
      #expect(shelf.loans.isEmpty && shelf.holds.map(\.item) == ["held"])
    }
  }
}
