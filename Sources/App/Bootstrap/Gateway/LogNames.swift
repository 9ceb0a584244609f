import Crypto
import Machine
import Secrets
import Synchronization
import Vault

/// What a log says instead of a patron's id: the same for a patron at all gateways, and nothing that a
/// thief of the log and of the database could match with one. The key comes out of the vault; until
/// that is open, it is a number of chance that only this process knows.
final class LogNames: Sendable {
  private static let keyLabel = "carrel/log"

  private struct Key {
    var secret = Secret(Chance.system.bytes(32))
    var isShared = false
  }

  private let key = Mutex(Key())

  /// Makes no vault, and opens one only where no passphrase has to be typed.
  func learn(from door: VaultDoor) async {
    guard !key.withLock({ $0.isShared }), await door.check() == .open,
      let secret = try? await door.vault().subkey(Self.keyLabel)
    else { return }
    key.withLock { $0 = Key(secret: secret, isShared: true) }
  }

  func name(of patron: String) -> String {
    let secret = key.withLock { $0.secret }
    let mark = Digest.sha256.authenticate(Array(patron.utf8), key: secret)
    return Hex.encode(Array(mark.prefix(6)))
  }
}
