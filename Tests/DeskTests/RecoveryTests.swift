import Circulation
import Database
import Desk
import Synchronization
import TestSupport
import Testing

@Suite struct `An unconfirmed command of a killed program` {
  /// A gateway that is killed while the library works on a command, and the one that is started after it.
  private func kill(
    _ house: House, after step: Step, on machine: String = "town"
  ) async throws -> Gateway {
    house.town.stock("emma")
    let first = try await house.gateway(process: "first")
    step.prepare(house.town, .checkOut) { await first.store.close() }
    _ = await first.reader().perform(.borrow, "emma", "b")
    await first.store.close()
    house.ended.withLock { _ = $0.insert("first") }
    return try await house.gateway(on: machine, process: "next")
  }

  @Test(arguments: Engine.allCases)
  func `is settled at once where the library shows its effect`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let next = try await kill(house, after: .carriedOut)
      #expect(try await next.desk.accountsToSettle() == ["ada"])
      #expect(await next.reader().sync().told == ["borrow emma: true"])
      #expect(try await next.desk.accountsToSettle() == [])
    }
  }

  /// The process would have waited for ten seconds more.
  @Test(arguments: Engine.allCases)
  func `is given up when what was sent can arrive no more, and not before`(engine: Engine)
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
  func `is given up no later because a second gateway notices the kill later`(engine: Engine)
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
  func `is given its full time by a gateway of another machine`(engine: Engine) async throws {
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

@Suite struct `An unconfirmed command` {
  @Test(arguments: Engine.allCases)
  func `has its library asked after two seconds, then ever more rarely`(engine: Engine) async throws
  {
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
