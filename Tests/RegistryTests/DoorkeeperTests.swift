import Circulation
import Crypto
import Secrets
import StoreSupport
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite struct `At the door` {
  @Test(arguments: Engine.allCases)
  func `a reader signs in with any card and its PIN, however the card number is typed`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let city = try await registry.link(ada, "A1234000000018").id
      let county = try await registry.link(ada, "77", library: LibraryID("county")).id
      let keeper = Doorkeeper(registry)
      for (card, account) in [
        ("A1234000000018", city), ("a1234 0000-00018", city), ("77", county),
      ] {
        #expect(
          try await keeper.admit(card, "1234")
            == .entered(
              Entrant(
                patron: ada, key: .card(account), scopes: .all, basis: .card(account, version: 1))))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `sign-in refuses a wrong PIN, another reader's PIN and an unknown card alike`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      _ = try await registry.link(ada, "21234000000018")
      _ = try await registry.link(
        patron: bob.id, name: .like("city"), provider: someProvider, library: someLibrary,
        credentials: card("31234000000018", pin: "9999"), request: "r")
      let keeper = Doorkeeper(registry)
      for (name, word) in [
        ("21234000000018", "1235"), ("21234000000018", "9999"), ("21234000000018", ""),
        ("21234000000018", "12345"), ("99934000000018", "1234"), ("", ""), ("Ada", "1234"),
        ("0018", "1234"), (String(repeating: "2", count: 300), "1234"),
      ] {
        #expect(try await keeper.admit(name, word, from: name) == .refused, "\(name)")
      }
      #expect(try await registry.audit(of: registry.accounts(of: ada.id)[0].id).count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `two readers with the same card number sign in by their own PINs`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      _ = try await registry.link(ada, "21234000000018")
      _ = try await registry.link(
        patron: bob.id, name: .like("town"), provider: someProvider,
        library: LibraryID("town"), credentials: card("21234000000018", pin: "9999"),
        request: "r")
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit("21234000000018", "1234").patron == ada)
      #expect(try await keeper.admit("21234000000018", "9999").patron == bob)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a card that its library refuses cannot sign in, and an expired card can`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      try await registry.record(status: .rejected, of: registry.account(id))
      #expect(try await Doorkeeper(registry).admit("21234000000018", "1234") == .refused)
      try await registry.record(status: .expired, of: registry.account(id))
      #expect(try await Doorkeeper(registry).admit("21234000000018", "1234").patron == ada)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a device password signs in with its reader's name or card, within its scopes`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      _ = try await registry.link(ada, "21234000000018")
      let (_, password) = try await registry.addDevice(
        named: "kobo", of: ada.id, scopes: [.read], manner: .downloads, request: "r")
      let word = password.revealText { $0 }
      let keeper = Doorkeeper(registry)
      for name in ["Ada", "ada", "21234000000018"] {
        for typed in [word, word.uppercased(), word.prefix(4) + "-" + word.dropFirst(4)] {
          #expect(
            try await keeper.admit(name, typed)
              == .entered(
                Entrant(
                  patron: ada, key: .device("kobo"), scopes: [.read], manner: .downloads,
                  basis: .appPassword(ada.id, "kobo", madeAt: 1_000))))
        }
      }
      for name in ["Bob", bob.id.rawValue, "", " - "] {
        #expect(try await keeper.admit(name, word) == .refused)
      }
      #expect(try await registry.devices(of: ada.id)[0].lastUsed == 1_000)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a revoked device, an unlinked card and a changed PIN take effect at once everywhere`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let (registry, elsewhere) = (house.registry(), house.registry())
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      let (_, password) = try await registry.addDevice(
        named: "kobo", of: ada.id, scopes: .all, request: "r")
      let word = password.revealText { $0 }
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit("Ada", word).patron == ada)
      #expect(try await keeper.admit("21234000000018", "1234").patron == ada)

      try await elsewhere.revokeDevice(named: "kobo", of: ada.id, request: "r")
      #expect(try await keeper.admit("Ada", word) == .refused)
      try await elsewhere.replaceCredentials(
        of: id, with: card("21234000000018", pin: "5678"), request: "r")
      #expect(try await keeper.admit("21234000000018", "1234") == .refused)
      #expect(try await keeper.admit("21234000000018", "5678").patron == ada)
      try await elsewhere.unlink(id, request: "r")
      #expect(try await keeper.admit("21234000000018", "5678") == .refused)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a PIN is unsealed at most once in five minutes, not for each request`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      let keeper = Doorkeeper(registry)
      for _ in 0..<20 { _ = try await keeper.admit("21234000000018", "1234") }
      let reads = {
        try await registry.audit(of: id).filter { $0.action == .read }.reduce(0) { $0 + $1.count }
      }
      #expect(try await reads() == 1)
      house.clock.advance(by: 300_000)
      _ = try await keeper.admit("21234000000018", "1234")
      #expect(try await reads() == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a gateway fetches a vault key that another gateway made`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit("21234000000018", "1234") == .refused)
      let other = try await house.vault()
      try await other.addKey(at: 1_000)
      _ = try await house.registry().link(ada, "21234000000018")
      #expect(try await keeper.admit("21234000000018", "1234").patron == ada)
    }
  }

  @Test(arguments: Engine.allCases)
  func `At the door: progress is kept for a device that sends the MD5 of its password`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let keeper = Doorkeeper(registry)
      func key(_ scopes: Set<Device.Scope>, _ name: String) async throws -> String {
        let (_, password) = try await registry.addDevice(
          named: name, of: ada.id, scopes: scopes, request: "r")
        return password.revealText { Hex.encode(Digest.md5.hash($0)) }
      }
      let (synced, reading) = (try await key(.all, "one"), try await key([.read], "two"))
      #expect(
        try await keeper.admit(Secret("ada"), syncKey: Secret(synced), from: "h")
          == .entered(
            Entrant(
              patron: ada, key: .device("one"), scopes: .all,
              basis: .appPassword(ada.id, "one", madeAt: 1_000))))
      for (name, key) in [("ada", reading), ("bob", synced), ("ada", ""), ("ada", "0")] {
        #expect(
          try await keeper.admit(Secret(name), syncKey: Secret(key), from: "h") == .refused)
      }
    }
  }
}

@Suite struct `Whoever guesses at the door` {
  @Test(arguments: Engine.allCases)
  func `wrong PINs for a card slow guessers down, and not the reader's apps`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      let (_, password) = try await registry.addDevice(
        named: "kobo", of: ada.id, scopes: .all, request: "r")
      let keeper = Doorkeeper(registry)
      #expect(try await keeper.admit("21234000000018", "1234").patron == ada)
      for guess in 0..<10 {
        #expect(
          try await keeper.admit("21234000000018", "000\(guess)", from: "h\(guess)") == .refused)
      }
      #expect(
        try await keeper.admit("2123 4000 0000 18", "0100", from: "x") == .slowed(seconds: 900))
      #expect(
        try await keeper.admit("2123 4000 0000 18", "1234", from: "x") == .slowed(seconds: 900))
      // The app that was let in, and one with an app password.
      #expect(try await keeper.admit("21234000000018", "1234").patron == ada)
      let word = password.revealText { $0 }
      #expect(try await keeper.admit("21234000000018", word).patron == ada)
      house.clock.advance(by: 900_000)
      #expect(try await keeper.admit("2123 4000 0000 18", "1234", from: "x").patron == ada)
    }
  }

  @Test func `Whoever guesses at the door: from one place waits, whatever names are tried`()
    async throws
  {
    try await withHouse(.sqlite) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      let keeper = Doorkeeper(registry)
      for guess in 0..<30 {
        #expect(try await keeper.admit("9123400000\(guess)", "1234", from: "h") == .refused)
      }
      #expect(
        try await keeper.admit("21234000000018", "1234", from: "h") == .slowed(seconds: 3_600))
      #expect(try await keeper.admit("21234000000018", "1234", from: "i").patron == ada)
      // That it was right elsewhere does not help here: else guesses would be heard beyond the limit.
      #expect(
        try await keeper.admit("21234000000018", "1234", from: "h") == .slowed(seconds: 3_600))
    }
  }
}

extension Doorkeeper {
  func admit(_ name: String, _ word: some StringProtocol, from place: String = "home")
    async throws(RegistryError) -> DoorAnswer
  {
    try await admit(
      Secret(name), Secret(String(word)), from: ClientAddress(place), request: "req-3")
  }
}

extension DoorAnswer {
  var patron: Patron? { if case .entered(let entrant) = self { entrant.patron } else { nil } }
}
