import Circulation
import Desk
import TestSupport
import Testing

/// The library counts true seconds; the calendar of the gateway's machine is set while a command is on
/// its way.
@Suite struct `With a clock that is set` {
  /// A campaign's seed 667, where it was 120 seconds.
  @Test(arguments: Engine.allCases, [120, 300, 86_400, -60, -300, -86_400] as [Int64])
  func `setting the clock neither ends the wait for a command's answer early nor prolongs it`(
    engine: Engine, seconds: Int64
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.stock("persuasion")
      house.town.plan(.checkOut, .late(seconds: 19, .networkFailure), .fail(.networkFailure))
      #expect(await ada.perform(.borrow, "emma") == "in doubt")
      house.clock.set(seconds: seconds)
      #expect(await ada.sync().settled.isEmpty)
      house.clock.step(seconds: 19)
      #expect(await ada.sync().told == ["borrow emma: true"])
      #expect(await ada.perform(.borrow, "persuasion") == "in doubt")
      house.clock.set(seconds: -seconds)
      house.clock.step(seconds: 21)
      #expect(await ada.sync().told == ["borrow persuasion: false"])
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a recently confirmed loan outweighs a stale shelf after the clock is set`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.set(seconds: 120)
      house.clock.step(seconds: 3)
      house.town.plan(.shelf, .stale(seconds: 6), .stale(seconds: 6))
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada").loans.map(\.item) == ["emma"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a loan that another machine confirmed a moment ago outweighs a stale shelf`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.step(seconds: 3)
      house.town.plan(.shelf, .stale(seconds: 6), .stale(seconds: 6))
      let other = try await house.gateway(on: "elsewhere").reader()
      await other.sync()
      #expect(try await gateway.shelf(of: "ada").loans.map(\.item) == ["emma"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a loan that was confirmed a day ahead, before the clock went back, ends with the shelf`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      house.clock.set(seconds: -86_400)
      house.clock.step(seconds: 60)
      // Returned at the library's own site.
      house.town.plan(.shelf, .stale(seconds: 70), .stale(seconds: 70))
      let other = try await house.gateway(on: "elsewhere").reader()
      await other.sync()
      #expect(try await gateway.shelf(of: "ada").loans.isEmpty)
    }
  }

  /// On another machine, or after this one was started again, there is nothing but the calendar; the same
  /// where the machine says nothing of its age.
  @Test(arguments: Engine.allCases, ["elsewhere", nil] as [String?])
  func `another machine waits for an unconfirmed command as long as two clocks may differ`(
    engine: Engine, machine: String?
  ) async throws {
    for ahead in [Int64(600), -600] {
      try await withReader(engine) { house, _, ada async throws in
        house.town.stock("emma")
        house.town.stock("persuasion")
        house.town.plan(.checkOut, .late(seconds: 19, .networkFailure), .fail(.networkFailure))
        #expect(await ada.perform(.borrow, "emma") == "in doubt")
        #expect(await ada.perform(.borrow, "persuasion") == "in doubt")
        house.clock.set(seconds: ahead)
        let other = try await house.gateway(on: machine).reader()
        #expect(await other.sync().settled.isEmpty)
        house.clock.step(seconds: 19)
        #expect(await other.sync().told == ["borrow emma: true"])
        house.clock.step(seconds: 2 - min(ahead, 0) * 2)
        #expect(await other.sync().told == ["borrow persuasion: false"])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `another machine settles a command on time after the clock went back a day`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, _, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .fail(.networkFailure))
      #expect(await ada.perform(.borrow, "emma") == "in doubt")
      house.clock.set(seconds: -86_400)
      let other = try await house.gateway(on: "elsewhere").reader()
      #expect(await other.sync().settled.isEmpty)
      house.clock.step(seconds: 21)
      #expect(await other.sync().told == ["borrow emma: false"])
    }
  }
}
