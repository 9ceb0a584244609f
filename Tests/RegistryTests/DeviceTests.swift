import Circulation
import Crypto
import Database
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `A device` {
  @Test(arguments: Engine.allCases)
  func `A device is added with a password that is told once and kept nowhere`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let (device, password) = try await registry.addDevice(
        named: "Kobo", of: ada.id, scopes: [.read, .lend], manner: .downloads, request: "r")
      #expect(device.manner == .downloads)
      #expect(device.scopes == [.read, .lend] && device.madeAt == 1_000)
      #expect(try await registry.devices(of: ada.id) == [device])
      let text = password.revealText { $0 }
      #expect(text.count == 20 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
      let kept = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.one("SELECT mark, sync_mark FROM registry_device") {
          row throws(DatabaseError) -> ([UInt8], [UInt8]?) in (try row[0], try row[1])
        }
      }
      #expect(kept.0.count == 32 && kept.0 != Digest.sha256.hash(text) && kept.1 == nil)
      #expect("\(password)" == "•••")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A device has a name of its own among its reader's`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      _ = try await registry.addDevice(named: "kobo", of: ada.id, scopes: .all, request: "r")
      #expect(
        await error {
          try await registry.addDevice(named: "KOBO", of: ada.id, scopes: .all, request: "r")
        } == .deviceNameTaken("KOBO"))
      #expect(
        await error {
          try await registry.addDevice(named: "my kobo", of: ada.id, scopes: .all, request: "r")
        } == .badName("my kobo"))
      #expect(
        await error {
          try await registry.addDevice(
            named: "kobo", of: PatronID("nobody"), scopes: .all, request: "r")
        } == .noSuchPatron("nobody"))
      _ = try await registry.addDevice(named: "kobo", of: bob.id, scopes: [], request: "r")
      #expect(try await registry.devices(of: ada.id).map(\.name) == ["kobo"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A device is revoked by its own reader only, and may come back with another password`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      let first = try await registry.addDevice(
        named: "kobo", of: ada.id, scopes: .all, request: "r")
      #expect(
        await error { try await registry.revokeDevice(named: "kobo", of: bob.id, request: "r") }
          == .noSuchDevice("kobo"))
      try await registry.revokeDevice(named: "Kobo", of: ada.id, request: "r")
      #expect(try await registry.devices(of: ada.id).isEmpty)
      let second = try await registry.addDevice(
        named: "kobo", of: ada.id, scopes: .all, request: "r")
      #expect(!first.password.matches(second.password))
      #expect(try await registry.device(with: first.password) == nil)
      #expect(try await registry.device(with: second.password)?.owner == "Ada")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A device is in the audit when it comes and goes`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.addDevice(named: "kobo", of: ada.id, scopes: .all, request: "r1")
      house.clock.advance(by: 5)
      try await registry.revokeDevice(named: "kobo", of: ada.id, request: "r2")
      let lines = try await registry.audit(of: AccountID("device/kobo")).map {
        "\($0.at) \($0.action) \($0.who == ada.id.rawValue) \($0.request)"
      }
      #expect(lines == ["1000 write true r1", "1005 delete true r2"])
    }
  }

  @Test func `A device has a password that every alphabet letter can be in`() {
    var seen: Set<Character> = []
    for _ in 0..<200 { DevicePassword.new().revealText { seen.formUnion($0) } }
    #expect(seen.count == 32 && seen.isDisjoint(with: "1lio"))
  }
}
