import Circulation
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `Limits of app passwords` {
  @Test(arguments: Engine.allCases)
  func `a patron has at most fifty app passwords, and may revoke one for another`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      for number in 1...50 {
        _ = try await registry.addDevice(
          named: "d\(number)", of: ada.id, scopes: [.read], request: "r")
      }
      await #expect(throws: RegistryError.tooManyDevices(most: 50)) {
        try await registry.addDevice(named: "d51", of: ada.id, scopes: [.read], request: "r")
      }
      _ = try await registry.addDevice(named: "d1", of: bob.id, scopes: [.read], request: "r")
      try await registry.revokeDevice(named: "d1", of: ada.id, request: "r")
      _ = try await registry.addDevice(named: "d51", of: ada.id, scopes: [.read], request: "r")
    }
  }

  @Test(arguments: Engine.allCases)
  func `an app password makes six hundred changes in ten minutes, over all gateways`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let keepers = [
        Doorkeeper(registry, libraries: [:]), Doorkeeper(house.registry(), libraries: [:]),
      ]
      func entrant(_ name: String) -> Entrant {
        Entrant(
          patron: ada, key: .device(name), scopes: [.sync],
          basis: .appPassword(ada.id, name, madeAt: 0))
      }
      for number in 0..<600 {
        #expect(try await keepers[number % 2].countChange(by: entrant("kobo")) == nil)
      }
      #expect(try await keepers[0].countChange(by: entrant("kobo")) == 600)
      #expect(try await keepers[1].countChange(by: entrant("Kobo")) == 600)
      #expect(try await keepers[0].countChange(by: entrant("phone")) == nil)
      house.clock.advance(by: 600_000)
      #expect(try await keepers[0].countChange(by: entrant("kobo")) == nil)
    }
  }
}
