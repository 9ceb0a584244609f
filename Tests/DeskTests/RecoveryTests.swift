import Circulation
import Database
import Desk
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A gateway that is killed while the library works on a command, and the one that is started after it.
private func kill(
  _ house: House, after step: Step, _ verb: Verb = .borrow, on machine: String = "town"
) async throws -> Gateway {
  if verb != .placeHold { house.town.stock("emma") }
  let first = try await house.gateway(process: "first")
  if verb == .giveBack {
    _ = await first.reader().perform(.borrow, "emma", "a")
    house.clock.step(seconds: 60)
  }
  let operations: [Verb: Circulation.Operation] = [
    .borrow: .checkOut, .giveBack: .checkIn, .placeHold: .placeHold,
  ]
  step.prepare(house.town, try #require(operations[verb])) { await first.store.close() }
  _ = await first.reader().perform(verb, "emma", "b")
  await first.store.close()
  house.ended.withLock { _ = $0.insert("first") }
  return try await house.gateway(on: machine, process: "next")
}

@Suite struct `An unconfirmed command of a killed program` {
  @Test(arguments: Engine.allCases)
  func `an unconfirmed command of a killed program is settled once its effect is visible`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .carriedOut)
      #expect(try await next.desk.accountsToSettle() == ["ada"])
      #expect(await next.reader().sync().told == ["borrow emma: true"])
      #expect(try await next.desk.accountsToSettle() == [])
    }
  }

  /// The process would have waited for ten seconds more.
  @Test(arguments: Engine.allCases)
  func `an unconfirmed command of a killed program fails once it can no longer arrive`(
    engine: Engine
  )
    async throws
  {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      #expect(try await next.desk.accountsToSettle() == ["ada"])
      #expect(await next.reader().sync().settled.isEmpty)
      house.clock.step(seconds: 9)
      #expect(await next.reader().sync().settled.isEmpty)
      house.clock.step(seconds: 2)
      #expect(try await next.desk.accountsToSettle() == ["ada"])
      #expect(await next.reader().sync().told == ["borrow emma: false"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An unconfirmed command of a killed program is not given up while it is on its way`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .arrivesLater)
      #expect(await next.reader().sync().settled.isEmpty)
      house.clock.step(seconds: 9)
      #expect(await next.reader().sync().told == ["borrow emma: true"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a second gateway that notices a kill later settles its commands no later`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      let other = try await house.gateway(process: "other")
      #expect(try await next.desk.accountsToSettle() == ["ada"])
      house.clock.step(seconds: 8)
      _ = try await other.desk.accountsToSettle()
      #expect(await other.reader().sync().settled.isEmpty)
      house.clock.step(seconds: 3)
      #expect(await other.reader().sync().told == ["borrow emma: false"])
    }
  }

  /// Its processes cannot be seen from there.
  @Test(arguments: Engine.allCases)
  func `a gateway on another machine gives an unconfirmed command its full time`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten, on: "elsewhere")
      for seconds in [12, 10, 500] as [Int64] {
        house.clock.step(seconds: seconds)
        #expect(await next.reader().sync().settled.isEmpty)
      }
      house.clock.step(seconds: 110)
      #expect(await next.reader().sync().told == ["borrow emma: false"])
    }
  }
}

@Suite struct `A request repeated after its gateway was killed` {
  @Test(arguments: Engine.allCases)
  func `a request repeated after a kill is carried out at once if the library did not receive it`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      #expect(await next.reader().perform(.borrow, "emma", "b") == "lent")
      #expect(await next.reader().perform(.borrow, "emma", "b") == "had")
      #expect(house.town.effects(of: "b") == 1 && house.town.count(.checkOut) == 2)
      #expect(try await next.states(of: "ada") == ["b": "done"])
    }
  }

  /// A return that overtakes the first request would be undone by it.
  @Test(arguments: Engine.allCases)
  func `a request repeated after a kill delays other commands until the first cannot arrive`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .arrivesLater)
      #expect(await next.reader().perform(.borrow, "emma", "b") == "lent")
      #expect(await next.reader().perform(.giveBack, "emma", "r") == "in doubt")
      house.clock.step(seconds: 9)
      #expect(await next.reader().perform(.giveBack, "emma", "r") == "in doubt")
      house.clock.step(seconds: 2)
      #expect(await next.reader().perform(.giveBack, "emma", "r") == "done")
      #expect(house.town.effects.map(\.verb) == ["borrow", "give_back"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a request repeated after a kill is not refused while the first may still arrive`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      house.town.stock("emma", copies: 0)
      #expect(await next.reader().perform(.borrow, "emma", "b") == "in doubt")
      house.clock.step(seconds: 11)
      #expect(await next.reader().perform(.borrow, "emma", "b") == "ended: neverArrived")
    }
  }

  @Test(arguments: Engine.allCases)
  func `a hold repeated after a kill is not placed twice`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      house.town.stock("emma", copies: 0)
      let next = try await kill(house, after: .arrivesLater, .placeHold)
      #expect(await next.reader().perform(.placeHold, "emma", "b") == "in doubt")
      house.clock.step(seconds: 9)
      #expect(await next.reader().perform(.placeHold, "emma", "b") == "already")
      #expect(house.town.effects(of: "b") == 1 && house.town.count(.placeHold) == 1)
    }
  }

  /// A distributor of licenses makes one loan for each name of a request.
  @Test(arguments: Engine.allCases)
  func `a request repeated after a kill goes to the library under its first request id`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      let outcome = try await next.desk.borrow(
        "emma", on: "ada", attempt: "b", in: Reader.call("another request"))
      #expect(outcome.word == "lent" && house.town.effects.map(\.attempt) == ["b"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a return repeated after a kill does not end a loan that was made since`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten, .giveBack)
      house.town.change("ada") { $0.loans[0].until = $0.loans[0].until?.addingTimeInterval(3600) }
      #expect(await next.reader().perform(.giveBack, "emma", "b") == "in doubt")
      #expect(house.town.count(.checkIn) == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a repeated request delays other machines no longer than its own`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      let other = try await house.gateway(on: "elsewhere", process: "other")
      #expect(await next.reader().perform(.borrow, "emma", "b") == "lent")
      house.clock.step(seconds: 11)
      #expect(await other.reader().perform(.giveBack, "emma", "r") == "in doubt")
      _ = try await next.desk.accountsToSettle()
      #expect(await other.reader().perform(.giveBack, "emma", "r") == "done")
    }
  }

  @Test(arguments: Engine.allCases)
  func `a request repeated after a kill is sent by one gateway only`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      let other = try await house.gateway(process: "other")
      async let one = next.reader().perform(.borrow, "emma", "b")
      async let two = other.reader().perform(.borrow, "emma", "b")
      let words = await [one, two]
      #expect(words.contains("lent"), "\(words)")
      #expect(house.town.effects(of: "b") == 1 && house.town.count(.checkOut) == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a request repeated while its gateway still runs is not sent again`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .intentWritten)
      house.ended.withLock { $0 = [] }
      #expect(await next.reader().perform(.borrow, "emma", "b") == "in doubt")
      #expect(house.town.count(.checkOut) == 1)
    }
  }
}

@Suite struct `An unconfirmed command` {
  @Test(arguments: Engine.allCases)
  func `the library is asked about an unconfirmed command after 2 s, then ever less often`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .late(seconds: 600, .networkFailure))
      house.town.plan(.shelf, .fail(.networkFailure))
      #expect(await ada.perform(.borrow, "emma") == "in doubt")
      var asked: [Int] = []
      for second in 1...300 {
        house.clock.step(seconds: 1)
        guard try await gateway.desk.accountsToSettle() == ["ada"] else { continue }
        asked.append(second)
        house.town.plan(.shelf, .fail(.networkFailure))
        await ada.sync()
      }
      #expect(asked.first == 2 && asked.count < 18, "\(asked)")
      #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 <= 60 }, "\(asked)")
    }
  }

  /// A living process may still send it until its deadline.
  @Test(arguments: Engine.allCases)
  func `An unconfirmed command is decided by the first look after all time to travel`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      house.town.stock("emma")
      let gateway = try await house.gateway(process: "first")
      let ada = gateway.reader()
      house.town.plan(.checkOut, .fail(.networkFailure))
      #expect(await ada.perform(.borrow, "emma") == "in doubt")
      var told: [String] = []
      var seconds = 0
      while told.isEmpty, seconds < 60 {
        house.clock.step(seconds: 1)
        seconds += 1
        if try await !gateway.desk.accountsToSettle().isEmpty { told = await ada.sync().told }
      }
      #expect(told == ["borrow emma: false"] && (20...22).contains(seconds), "\(seconds)")
    }
  }
}
