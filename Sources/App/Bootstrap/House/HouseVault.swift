import Database
import Machine
import Registry
import Secrets
import Setup
import Vault

extension House {
  /// Where the key comes from that locks the vault; nil where somebody has to be asked.
  static func rootSource(_ configuration: Configuration, _ keyFile: String, _ seat: Seat)
    -> RootSource?
  {
    switch configuration.vault.source {
    case .keyFile: return .keyFile(path: keyFile)
    case .service:
      return .credentials(folder: seat.place.environment["CREDENTIALS_DIRECTORY"] ?? "")
    case .passphrase:
      guard let path = configuration.vault.passphraseFile else { return nil }
      return passphrase(in: path).map { .passphrase($0) }
    }
  }

  /// Beside the database: a file next to SQLite's, a row in PostgreSQL.
  static func keyTable(_ data: DataFolder, _ store: Store) -> KeyTablePlace {
    let place: KeyTablePlace =
      store.dialect == .sqlite ? .file(data.keyTable) : .row(in: store)
    return place.guarded { () async throws(VaultError) in
      do throws(DatabaseError) {
        return try await hasSecrets(in: store, by: .now + .seconds(5))
      } catch {
        throw .placeFailed(error.description)
      }
    }
  }

  /// Whether anything is sealed in the database: without that, a gateway needs no vault.
  static func hasSecrets(
    in store: Store, by deadline: ContinuousClock.Instant
  ) async throws(DatabaseError) -> Bool {
    let sealed: [SQLName] = [
      "account_secret", "registry_factor", "notice_channel", "notice_key", "license_key",
    ]
    return try await store.read(by: deadline) { snapshot throws(DatabaseError) in
      for table in sealed {
        let found = try snapshot.first("SELECT 1 FROM \(name: table) LIMIT 1") {
          _ throws(DatabaseError) in true
        }
        if found != nil { return true }
      }
      return false
    }
  }

  /// A file that others can read is no file at all here: the vault stays locked, and says so.
  private static func passphrase(in path: String) -> Secret? {
    guard var bytes = try? WholeFile.read(path, upTo: 4096, trusting: .ownerOnly) else {
      return nil
    }
    defer { wipe(&bytes) }
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    return Secret(bytes)
  }

  /// Opens the vault, asking for the passphrase where there is somebody to ask.
  static func vault(_ door: VaultDoor, _ seat: Seat) async throws(VaultError) -> Vault {
    do throws(VaultError) { return try await door.vault() } catch {
      guard error == .sealed, let passphrase = try? seat.passphrase() else { throw error }
      try await door.unseal(passphrase)
      return try await door.vault()
    }
  }
}
