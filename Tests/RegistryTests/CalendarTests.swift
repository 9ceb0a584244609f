import Circulation
import Crypto
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `A calendar's address` {
  @Test(arguments: Engine.allCases)
  func `A calendar's address is told once, kept nowhere, and opens the door without a vault`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let (address, secret) = try await registry.newCalendar(of: ada.id, request: "r")
      #expect(address.lastUsed == nil && "\(secret)" == "•••")
      let text = secret.revealText { $0 }
      #expect(try Base64.urlSafe.decode(text).count * 8 >= 128)
      let kept = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT mark FROM registry_calendar", as: [UInt8].self)
      }
      #expect(kept.count == 32 && kept != Array(text.utf8))
      let door = Doorkeeper(registry)
      #expect(try await door.admit(calendar: secret, from: "x") == .entered(ada.id))
      #expect(try await registry.calendar(of: ada.id)?.lastUsed == 1_000)
      #expect(house.opened.count == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A calendar's address is void when there is a new one, or none any more`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      let first = try await registry.newCalendar(of: ada.id, request: "r").secret
      let second = try await registry.newCalendar(of: ada.id, request: "r").secret
      let other = try await registry.newCalendar(of: bob.id, request: "r").secret
      let door = Doorkeeper(house.registry())
      #expect(try await door.admit(calendar: first, from: "x") == .refused)
      #expect(try await door.admit(calendar: second, from: "x") == .entered(ada.id))
      #expect(try await registry.revokeCalendar(of: ada.id, request: "r") != nil)
      #expect(try await registry.revokeCalendar(of: ada.id, request: "r") == nil)
      #expect(try await registry.calendar(of: ada.id) == nil)
      #expect(try await door.admit(calendar: second, from: "x") == .refused)
      #expect(try await door.admit(calendar: other, from: "x") == .entered(bob.id))
      let audit = try await registry.audit(of: AccountID("calendar/\(ada.id.rawValue)"))
      #expect(audit.map(\.action) == [.write, .write, .delete])
      await #expect(throws: RegistryError.self) {
        try await registry.newCalendar(of: PatronID("nobody"), request: "r")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `guesses at a calendar's address are counted, and keep a right one from no app`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let secret = try await registry.newCalendar(of: ada.id, request: "r").secret
      let door = Doorkeeper(registry)
      for guess in 0..<30 {
        #expect(try await door.admit(calendar: Secret("g\(guess)"), from: "here") == .refused)
      }
      #expect(
        try await door.admit(calendar: Secret("g"), from: "here") == .slowed(seconds: 3_600))
      #expect(try await door.admit(calendar: secret, from: "here") == .entered(ada.id))
      #expect(try await door.admit("ada", "guess", from: "here") == .slowed(seconds: 3_600))
      #expect(try await door.admit(calendar: secret, from: "there") == .entered(ada.id))
      let long = Secret(String(repeating: "x", count: 5_000))
      #expect(try await door.admit(calendar: long, from: "there") == .refused)
      house.clock.advance(by: 3_600_000)
      #expect(try await door.admit(calendar: secret, from: "here") == .entered(ada.id))
    }
  }
}
