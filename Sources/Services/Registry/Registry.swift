package import Circulation
import Crypto
package import Database
import Machine
import Secrets
package import Vault

/// Who reads here and which libraries they belong to, with the secrets that the libraries want, sealed.
/// It is the only keeper of sealed records, and therefore the one that may retire a key.
package struct Registry: Sendable {
  let store: Store
  private let openVault: @Sendable () async throws(VaultError) -> Vault
  let now: @Sendable () -> Int64
  /// Called in the transaction that ends sessions.
  let ended: @Sendable (Transaction, EndedSessions) throws(DatabaseError) -> Void

  /// The vault is opened when the first secret is needed, so that everything else works while it is
  /// sealed. `now` is in milliseconds since 1970. `ended` removes what is bound to sessions elsewhere.
  package init(
    store: Store, vault: @escaping @Sendable () async throws(VaultError) -> Vault,
    now: @escaping @Sendable () -> Int64,
    ended: @escaping @Sendable (Transaction, EndedSessions) throws(DatabaseError) -> Void
  ) {
    (self.store, self.openVault, self.now, self.ended) = (store, vault, now, ended)
  }

  /// The patron of that name, made when there is none.
  package func patron(named name: String) async throws(RegistryError) -> Patron {
    let isSound = !name.isEmpty && name.utf8.count <= 200
    guard isSound, name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw .badName(name) }
    let (id, now) = (Self.newID(), now())
    return try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO patron (id, name, made_at) VALUES (\(id), \(name), \(now))
        ON CONFLICT (name) DO NOTHING
        """)
      return try tx.one("SELECT id, name FROM patron WHERE name = \(name)", Self.patron)
    }
  }

  /// Nil for one that is no more.
  package func patron(_ id: PatronID) async throws(RegistryError) -> Patron? {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        "SELECT id, name FROM patron WHERE id = \(id.rawValue)", Self.patron)
    }
  }

  package func patrons() async throws(RegistryError) -> [Patron] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows("SELECT id, name FROM patron ORDER BY name\(.bytewise)", Self.patron)
    }
  }

  static func patron(_ row: borrowing Row) throws(DatabaseError) -> Patron {
    Patron(id: PatronID(rawValue: try row[0]), name: try row[1])
  }

  static func newID() -> String { Hex.encode(Chance.system.bytes(12)) }
}

extension Registry {
  /// A key of the vault for one job; nil while it is shut.
  func subkey(_ label: String) async -> Secret? {
    guard let vault = try? await openVault() else { return nil }
    return try? vault.subkey(label)
  }
}

/// The store and the vault, with their errors in this service's terms.
extension Registry {
  func vault() async throws(RegistryError) -> Vault {
    do throws(VaultError) {
      return try await openVault()
    } catch {
      throw .vault(error)
    }
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws(DatabaseError) -> T
  ) async throws(RegistryError) -> T {
    do throws(DatabaseError) {
      return try await store.read(body)
    } catch {
      throw .database(error)
    }
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws(DatabaseError) -> T
  ) async throws(RegistryError) -> T {
    do throws(DatabaseError) {
      return try await store.write(body)
    } catch {
      throw .database(error)
    }
  }

  func decide<T: Sendable>(
    _ body:
      @escaping @Sendable (Transaction) throws(DatabaseError) -> Result<T, RegistryError>
  ) async throws(RegistryError) -> T {
    let result: Result<T, RegistryError>
    do throws(DatabaseError) {
      result = try await store.decide(body)
    } catch {
      throw .database(error)
    }
    return try result.get()
  }
}
