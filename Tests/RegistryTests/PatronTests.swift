import Circulation
import TestSupport
import Testing

@testable import Registry

@Suite struct `Patrons` {
  @Test(arguments: Engine.allCases)
  func `Patrons are made once, and stay`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let bob = try await registry.patron(named: "Bob Ö.")
      #expect(try await registry.patron(named: "Ada") == ada)
      #expect(ada.id != bob.id && ada.name == "Ada")
      #expect(try await house.registry().patrons() == [ada, bob])
      #expect(house.opened.count == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Patrons are one, however many ask at once`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let ids = try await withThrowingTaskGroup(of: PatronID.self) { group in
        for _ in 0..<10 {
          group.addTask { try await house.registry().patron(named: "Ada").id }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
    }
  }

  @Test(arguments: ["", "a\nb", "a\0b", String(repeating: "x", count: 201)])
  func `Patrons have names that can be shown`(name: String) async throws {
    try await withHouse(.sqlite) { house in
      let registry = house.registry()
      #expect(await error { try await registry.patron(named: name) } == .badName(name))
    }
  }
}
