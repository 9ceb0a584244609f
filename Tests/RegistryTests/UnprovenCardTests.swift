import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `Cards at libraries that prove no PIN` {
  private static let day: Int64 = 86_400_000

  private static func link(
    _ registry: Registry, _ patron: Patron, _ number: String
  ) async throws(RegistryError) -> Account {
    try await registry.link(
      patron: patron.id, name: .like("harbor"), provider: someProvider, library: someLibrary,
      credentials: Credentials(["card": Secret(number)]), pinVerified: false, refusesShared: true,
      request: "req-1")
  }

  /// Nil where the patron may link it.
  private static func refusal(
    _ registry: Registry, _ patron: Patron, _ number: String, at library: LibraryID = someLibrary
  ) async -> RegistryError? {
    do throws(RegistryError) {
      try await registry.admitUnproven(
        Credentials(["card": Secret(number)]), at: library, of: someProvider, for: patron.id)
      return nil
    } catch { return error }
  }

  @Test(arguments: Engine.allCases)
  func `a number that two patrons link at once becomes the card of one of them`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let patrons = [
        try await registry.patron(named: "ada"), try await registry.patron(named: "bob"),
      ]
      for number in ["21234000000018", "77"] {
        let linked = try await withThrowingTaskGroup(of: Bool.self) { group in
          for patron in patrons {
            group.addTask {
              do throws(RegistryError) { _ = try await Self.link(registry, patron, number) } catch {
                #expect(error == .linkedByAnother)
                return false
              }
              return true
            }
          }
          return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(linked == 1)
      }
      #expect(try await registry.sharedCards(at: [someLibrary], request: "r").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `new numbers count once each, five a day and twenty a year, at all gateways together`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let gateways = [house.registry(), house.registry()]
      let ada = try await gateways[0].patron(named: "ada")
      var admitted = 0
      for day in 0..<6 {
        for number in 0..<8 {
          // A correction of blanks is the same number.
          for typed in ["2123400000\(day)\(number)18", "21234 00000\(day)\(number)18"] {
            let refusal = await Self.refusal(gateways[number % 2], ada, typed)
            let isFull = number >= 5 || day >= 4
            if isFull, case .tooManyNewCards = refusal { continue }
            #expect(!isFull && refusal == nil, "\(day) \(number) \(String(describing: refusal))")
            admitted += 1
          }
        }
        house.clock.advance(by: Self.day)
      }
      #expect(admitted == 40)
      // A number of before is none more, and another patron has a count of their own.
      #expect(await Self.refusal(gateways[0], ada, "21234000000018") == nil)
      let bob = try await gateways[1].patron(named: "bob")
      #expect(await Self.refusal(gateways[1], bob, "21234000005518") == nil)
      house.clock.advance(by: 365 * Self.day)
      #expect(await Self.refusal(gateways[1], ada, "21234000005518") == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a card that two patrons have shared from before stays theirs, and is told of`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "ada")
      let bob = try await registry.patron(named: "bob")
      let first = try await registry.link(ada, "21234000000018")
      _ = try await registry.link(bob, "2123-4000-0000-18")
      _ = try await registry.link(bob, "21234999990018")
      let shared = try await registry.sharedCards(at: [someLibrary], request: "r")
      #expect(shared.map(\.patrons) == [["ada", "bob"]] && shared.map(\.library) == [someLibrary])
      #expect(try await registry.sharedCards(at: [LibraryID("town")], request: "r").isEmpty)
      #expect(await Self.refusal(registry, bob, "21234000000018") == nil)
      try await registry.replaceCredentials(
        of: first.id, with: Credentials(["card": Secret("21234000000018")]), pinVerified: false,
        refusesShared: true, request: "r")
      let eve = try await registry.patron(named: "eve")
      #expect(await Self.refusal(registry, eve, "21234000000018") == .linkedByAnother)
      // The same number at another library is another card.
      #expect(await Self.refusal(registry, eve, "21234000000018", at: LibraryID("town")) == nil)
      let own = try await Self.link(registry, eve, "21234000000026")
      await #expect(throws: RegistryError.linkedByAnother) {
        try await registry.replaceCredentials(
          of: own.id, with: Credentials(["card": Secret("21234000000018")]), pinVerified: false,
          refusesShared: true, request: "r")
      }
    }
  }
}
