import Machine
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
