import Circulation
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `Failed sign-ins` {
  private static let limit = FailedSignIns.Limit(count: 3, span: 1_000_000)
  private static let mark = FailedSignIns.Mark(bytes: [1], limit: limit)
  private static let other = FailedSignIns.Mark(bytes: [2], limit: limit)

  @Test(arguments: Engine.allCases)
  func `reservations are strict over all gateways, and a canceled one takes back only itself`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      // Ten at once from two gateways: three get through.
      let through = await withTaskGroup(of: FailedSignIns.Reservation?.self) { group in
        for number in 0..<10 {
          group.addTask {
            let failures = FailedSignIns(registry: number % 2 == 0 ? registry : house.registry())
            let answer = try? await failures.reserve([Self.mark], by: UInt64(number))
            if case .reserved(let reservation)? = answer { return reservation }
            return nil
          }
        }
        return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
      }
      #expect(through.count == 3)
      let failures = FailedSignIns(registry: registry)
      func wait(_ mark: FailedSignIns.Mark) async throws -> Int64? {
        try await failures.counts([mark]).wait([mark])
      }
      #expect(try await wait(Self.mark) == 1_000_000)
      #expect(try await wait(Self.other) == nil)
      try await failures.cancel(through[1])
      #expect(try await failures.counts([Self.mark]).count(Self.mark) == 2)
      try await failures.cancel(through[1])
      #expect(try await failures.counts([Self.mark]).count(Self.mark) == 2, "only once")
    }
  }

  @Test(arguments: Engine.allCases)
  func `what is forgiven is one client's, and stays counted for others`(engine: Engine) async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let failures = FailedSignIns(registry: registry)
      for client: UInt64 in [7, .max, 7] {
        try await failures.add([Self.mark, Self.other], by: client)
        house.clock.advance(by: 10)
      }
      let now = house.clock.now
      try await registry.write { tx throws(DatabaseError) in
        try tx.forgive(7, in: Self.mark, at: now)
      }
      let counts = try await failures.counts([Self.mark, Self.other])
      #expect(counts.count(Self.mark) == 1 && counts.count(Self.other) == 3)
      #expect(counts.has(.max, in: Self.mark) && !counts.has(7, in: Self.mark))
    }
  }

  @Test(arguments: Engine.allCases)
  func `at most twenty wrong PINs a day are heard while the patron keeps signing in`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      let keepers = [Doorkeeper(registry), Doorkeeper(house.registry())]
      var heard: [Int64] = []
      // A guess every four minutes for three days, from eight addresses in turn; after each one the
      // owner's app signs in, with its number typed in another way each time.
      for number in 0..<1_080 {
        let keeper = keepers[number % 2]
        let answer = try await keeper.admit(
          "21234000000018", "9\(number)", from: "203.0.113.\(number % 8)")
        if answer == .refused { heard.append(house.clock.now) }
        let typed = ["21234000000018", "2123 4000 0000 18", "2123-4000000018"][number % 3]
        #expect(try await keepers[(number + 1) % 2].admit(typed, "1234").patron == ada)
        house.clock.advance(by: 240_000)
      }
      let most = heard.map { start in
        heard.count { $0 >= start && $0 < start + 86_400_000 }
      }.max()
      #expect(most == 20)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron who mistypes and then signs in has only their own failures taken back`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      let keeper = Doorkeeper(registry)
      for number in 0..<6 {
        _ = try await keeper.admit("21234000000018", "9\(number)", from: "stranger")
      }
      for number in 0..<3 {
        _ = try await keeper.admit("21234000000018", "8\(number)", from: "home")
      }
      #expect(try await keeper.admit("21234000000018", "1234", from: "home").patron == ada)
      var heard = 0
      for number in 0..<9
      where try await keeper.admit("21234000000018", "7\(number)", from: "stranger") == .refused {
        heard += 1
      }
      #expect(heard == 4, "the stranger's six count")
    }
  }
}
