import Circulation
import Database
import Desk
import TestSupport
import Testing

@Suite struct `A command whose answer is lost` {
  @Test(arguments: Engine.allCases)
  func `A command whose answer is lost is done when a second look shows it`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .lose(.networkFailure))
      house.town.plan(.renew, .lose(.malformedResponse(expected: "a loan")))
      house.town.plan(.checkIn, .lose(.providerUnavailable))
      for (verb, word) in [(Verb.borrow, "lent"), (.renew, "done"), (.giveBack, "done")] {
        house.clock.step(seconds: 30)
        #expect(await ada.perform(verb, "emma") == word)
      }
      #expect(house.town.effects.count == 3)
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
    }
  }

  /// A campaign's seed 74.
  @Test(arguments: Engine.allCases)
  func `a command with a lost answer is done when a busy library had carried it out`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.stock("persuasion")
      house.town.plan(
        .checkOut, .lose(.providerBusy(retryAfter: nil)), .fail(.providerBusy(retryAfter: nil)))
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(await ada.perform(.borrow, "persuasion") == "provider_busy")
      #expect(house.town.effects.count == 1)
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
    }
  }

  /// A campaign's seeds 6635 and 6744: what was borrowed a moment ago is not to be seen any more.
  @Test(arguments: Engine.allCases)
  func `a command that arrived twice is done although its second arrival was refused`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.town.plan(.checkIn, .twice)
      #expect(await ada.perform(.giveBack, "emma") == "already")
      #expect(try await gateway.shelf(of: "ada").loans.isEmpty)
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a command without an answer stays unconfirmed, and no other is sent for the title`(
    engine: Engine
  )
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .late(seconds: 9, .deadlineExceeded))
      #expect(await ada.perform(.borrow, "emma", "first") == "in doubt")
      #expect(await ada.perform(.borrow, "emma", "second") == "in doubt")
      #expect(await ada.perform(.borrow, "emma", "first") == "in doubt")
      #expect(await ada.sync().settled.isEmpty)
      #expect(house.town.count(.checkOut) == 1)
      house.clock.step(seconds: 9)
      #expect(await ada.sync().told == ["borrow emma: true"])
      #expect(await ada.perform(.borrow, "emma", "third") == "had")
      #expect(house.town.effects.count == 1)
      #expect(try await gateway.desk.accountsInDoubt().isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `an unconfirmed command has failed when its effect is absent after the time limit`(
    engine: Engine
  )
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .fail(.networkFailure))
      #expect(await ada.perform(.borrow, "emma", "first") == "in doubt")
      #expect(try await gateway.desk.accountsInDoubt() == ["ada"])
      house.clock.step(seconds: 19)
      #expect(await ada.sync().settled.isEmpty)
      house.clock.step(seconds: 2)
      #expect(await ada.sync().told == ["borrow emma: false"])
      #expect(await ada.perform(.placeHold, "emma", "first") == "attempt differs")
      #expect(await ada.perform(.borrow, "emma", "second") == "lent")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A command whose answer is lost is never judged by a proxy's word alone`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .late(seconds: 6, .providerUnavailable))
      #expect(await ada.perform(.borrow, "emma", "first") == "in doubt")
      house.clock.step(seconds: 6)
      await ada.sync()
      #expect(try await gateway.states(of: "ada") == ["first": "done"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a shelf that is empty by mistake does not confirm a return`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.step(seconds: 30)
      house.town.plan(.checkIn, .fail(.networkFailure))
      house.town.plan(.shelf, .empty)
      #expect(await ada.perform(.giveBack, "emma") == "in doubt")
      #expect(try await gateway.shelf(of: "ada").loans.count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A command whose answer is lost is not judged by a shelf that lags behind`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.step(seconds: 3)
      house.town.plan(.checkIn, .fail(.networkFailure))
      house.town.plan(.shelf, .stale(seconds: 6), .stale(seconds: 6))
      #expect(await ada.perform(.giveBack, "emma") == "in doubt")
      #expect(try await gateway.shelf(of: "ada").loans.count == 1)
      house.clock.step(seconds: 30)
      #expect(await ada.sync().told == ["give_back emma: false"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an unconfirmed renewal without known due dates ends without a result`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.change("ada") { $0.loans = [Loan(item: "emma", until: nil)] }
      house.town.plan(.renew, .lose(.networkFailure))
      #expect(await ada.perform(.renew, "emma", "first") == "in doubt")
      house.clock.step(seconds: 21)
      #expect(await ada.sync().told == ["renew emma: untold"])
      #expect(await ada.perform(.renew, "emma", "first") == "ended: untold")
      #expect(house.town.effects(of: "first") == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a renewal with a lost answer is confirmed also for a loan made elsewhere`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      _ = house.town.perform(Deed(verb: "borrow", item: "emma", account: "ada", attempt: "else"))
      house.town.plan(.renew, .lose(.networkFailure), .fail(.networkFailure))
      #expect(await ada.perform(.renew, "emma") == "done")
      house.clock.step(seconds: 30)
      #expect(await ada.perform(.renew, "emma") == "in doubt")
      house.clock.step(seconds: 30)
      #expect(await ada.sync().told == ["renew emma: false"])
    }
  }
}

@Suite struct `The same attempt again` {
  @Test(arguments: Engine.allCases)
  func `The same attempt again sends nothing and is told the outcome`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma", "b") == "lent")
      #expect(await ada.perform(.borrow, "emma", "b") == "had")
      #expect(await ada.perform(.renew, "emma", "r") == "done")
      #expect(await ada.perform(.renew, "emma", "r") == "already")
      #expect(await ada.perform(.giveBack, "emma", "g") == "done")
      #expect(await ada.perform(.giveBack, "emma", "g") == "already")
      #expect(await ada.perform(.renew, "emma", "r") == "ended: undoneSince")
      #expect(await ada.perform(.borrow, "emma", "b") == "ended: undoneSince")
      #expect(house.town.effects.map(\.attempt) == ["b", "r", "g"])
    }
  }

  /// A campaign's seeds 26 and 29.
  @Test(arguments: Engine.allCases)
  func `The same attempt again is told no failure by a library that has fallen silent`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma", "b") == "lent")
      house.town.kill("ada")
      #expect(await ada.perform(.borrow, "emma", "b", within: .milliseconds(100)) == "had")
    }
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .lose(.networkFailure))
      house.town.plan(.shelf, .fail(.networkFailure))
      #expect(await ada.perform(.borrow, "emma", "b") == "in doubt")
      house.town.plan(.availability, .fail(.providerUnavailable))
      house.town.plan(.shelf, .fail(.providerUnavailable))
      #expect(await ada.perform(.borrow, "emma", "b") == "in doubt")
      #expect(house.town.effects.count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The same attempt again hears the refusal again`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .fail(.accountBlocked))
      #expect(await ada.perform(.borrow, "emma", "b") == "account_blocked")
      #expect(
        await ada.perform(.borrow, "emma", "b") == "ended: refused(code: \"account_blocked\")")
      #expect(house.town.count(.checkOut) == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The same attempt again is refused for another command`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.stock("persuasion")
      #expect(await ada.perform(.borrow, "emma", "a") == "lent")
      #expect(await ada.perform(.borrow, "persuasion", "a") == "attempt differs")
      #expect(await ada.perform(.giveBack, "emma", "a") == "attempt differs")
      #expect(house.town.effects.count == 1)
      // Another reader's names are his own.
      #expect(await gateway.reader("bob").perform(.borrow, "persuasion", "a") == "lent")
    }
  }

  @Test(arguments: Engine.allCases)
  func `twelve requests with one attempt id through two gateways have one effect`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      house.town.stock("emma")
      let gateways = [try await house.gateway(), try await house.gateway()]
      let words = await withTaskGroup(of: String.self) { group in
        for number in 0..<12 {
          group.addTask {
            await gateways[number % 2].reader().perform(.borrow, "emma", "same")
          }
        }
        return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(house.town.count(.checkOut) == 1 && house.town.effects.count == 1)
      #expect(words["lent"] == 1)
      #expect(Set(words.keys).isSubset(of: ["lent", "had", "in doubt"]))
    }
  }

  @Test(arguments: Engine.allCases)
  func `concurrent borrows of one title with different attempts end in one loan`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      house.town.stock("emma")
      let gateways = [try await house.gateway(), try await house.gateway()]
      let words = await withTaskGroup(of: String.self) { group in
        for number in 0..<12 {
          group.addTask { await gateways[number % 2].reader().perform(.borrow, "emma") }
        }
        return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(house.town.effects.count == 1)
      #expect(Set(words.keys).isSubset(of: ["lent", "had", "in doubt"]))
      house.clock.step(seconds: 30)
      let ada = gateways[0].reader()
      await ada.sync()
      #expect(try await gateways[1].shelf(of: "ada") == house.town.shelf(of: "ada"))
      #expect(try await gateways[1].desk.accountsInDoubt().isEmpty)
    }
  }
}
