import Database
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `The rate of failed sign-ins` {
  private static let hour: Int64 = 3_600_000

  @Test(arguments: Engine.allCases)
  func `five times the failures of the usual hour are unusual, and fifty at least`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      house.clock.advance(by: 1_000_000 * Self.hour)
      func fill(_ hours: Range<Int64>, with wrong: Int64) async throws {
        let now = SignInRate.hour(house.clock.now)
        for back in hours {
          try await house.run("DELETE FROM sign_in_hour WHERE hour = \(now - back)")
          try await house.run(
            "INSERT INTO sign_in_hour (hour, wrong) VALUES (\(now - back), \(wrong))")
        }
      }
      #expect(try await registry.signInRate().isUnusual == false)
      try await fill(0..<2, with: 249)
      #expect(try await registry.signInRate().isUnusual == false, "nothing is known of before")
      try await fill(1..<2, with: 250)
      #expect(try await registry.signInRate().isUnusual)
      // A week with 30 an hour, and an attack in it.
      try await fill(2..<160, with: 30)
      try await fill(40..<50, with: 9_000)
      var rate = try await registry.signInRate()
      #expect(rate.usual == 30 && rate.limit == 150 && rate.wrong == 250 && rate.isUnusual)
      try await fill(0..<2, with: 149)
      rate = try await registry.signInRate()
      #expect(rate.wrong == 149 && !rate.isUnusual)
    }
  }

  @Test(arguments: Engine.allCases)
  func `failed sign-ins are counted for the hour they fall into, at all gateways`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let keepers = [Doorkeeper(house.registry()), Doorkeeper(house.registry())]
      for number in 0..<60 {
        _ = try await keepers[number % 2].admit("9\(number)000", "0000", from: "h\(number)")
        house.clock.advance(by: 1_000)
      }
      let wrong = try await house.registry().signInRate().wrong
      // What is not written yet is at most nine at each gateway.
      #expect(wrong > 60 - 20 && wrong <= 60)
    }
  }
}
