import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Registry

/// A registry over an empty database, with a clock that stands still and a key file of its own.
struct House: Sendable {
  let store: Store
  let keyFile: String
  let clock = Clock(at: 1_000)
  let opened = Counter()

  var place: KeyTablePlace { .row(in: store) }

  /// Another gateway on the same database, or the same one after a restart.
  func registry() -> Registry {
    let (door, opened) = (door(), opened)
    return Registry(
      store: store,
      vault: { () async throws(VaultError) in
        opened.add()
        return try await door.vault()
      }, now: { [clock] in clock.now }, ended: { _, _ in })
  }

  func door() -> VaultDoor {
    VaultDoor(.keyFile(path: keyFile), in: place, now: { [clock] in clock.now })
  }

  func vault() async throws -> Vault { try await door().vault() }

  @discardableResult
  func run(_ statement: SQL) async throws -> Int {
    try await store.write { tx throws(DatabaseError) in try tx.execute(statement) }
  }
}

final class Counter: Sendable {
  private let kept = Mutex(0)
  var count: Int { kept.withLock { $0 } }
  func add() { kept.withLock { $0 += 1 } }
}

func withHouse<R>(_ engine: Engine, _ body: (House) async throws -> R) async throws -> R {
  try await withTemporaryFolder { folder in
    try await engine.withAddress { try await withHouse(at: $0, folder, body) }
  }
}

func withHouse<R>(
  at address: String, _ folder: TestSupport.TemporaryFolder, _ body: (House) async throws -> R
) async throws -> R {
  try await withStore(at: Location(address), tables: [Registry.migrations]) { store in
    try await body(House(store: store, keyFile: folder.path("vault.key")))
  }
}

let someProvider = ProviderID("overdrive")
let someLibrary = LibraryID("city")

func card(_ number: String, pin: String = "1234") -> Credentials {
  Credentials(["card": Secret(number), "pin": Secret(pin)])
}

extension Registry {
  func link(
    _ patron: Patron, _ number: String, name: AccountName = .like("city"),
    library: LibraryID = someLibrary
  ) async throws(RegistryError) -> Account {
    try await link(
      patron: patron.id, name: name, provider: someProvider, library: library,
      credentials: card(number), pinVerified: true, request: "req-1")
  }

  /// At a library that found the PIN right.
  func link(
    patron: PatronID, name: AccountName, provider: ProviderID, library: LibraryID,
    credentials: Credentials, request: String
  ) async throws(RegistryError) -> Account {
    try await link(
      patron: patron, name: name, provider: provider, library: library, credentials: credentials,
      pinVerified: true, request: request)
  }

  @discardableResult
  func replaceCredentials(
    of id: AccountID, with credentials: Credentials, request: String
  ) async throws(RegistryError) -> Account {
    try await replaceCredentials(
      of: id, with: credentials, pinVerified: true, request: request)
  }

  func texts(of account: AccountID) async throws(RegistryError) -> [String: String] {
    try await credentials(of: account, request: "req-2").fields.mapValues { secret in
      secret.revealText { $0 }
    }
  }
}

func error<R>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> R
) async -> RegistryError? {
  await #expect(throws: RegistryError.self, sourceLocation: sourceLocation) {
    _ = try await body()
  }
}

extension ClientAddress: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// In a network of its own.
  init(_ text: String) { self.init(host: text, network: text) }

  public init(stringLiteral text: String) { self.init(text) }
}

extension Doorkeeper {
  /// Where each of these libraries checks PINs.
  convenience init(
    _ registry: Registry, _ settings: Settings = Settings(), asking ask: Asking? = nil
  ) {
    let libraries: [LibraryID] = ["city", "county", "town", "b"].map { LibraryID($0) }
    self.init(
      registry, settings,
      libraries: Dictionary(uniqueKeysWithValues: libraries.map { ($0, .always) }), asking: ask)
  }
}
