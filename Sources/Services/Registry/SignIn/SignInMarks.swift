import Crypto
import Machine
import Secrets
import Synchronization

/// What sign-ins are counted and remembered under: hashes with a key, so that neither a table nor the
/// memory holds names, numbers and addresses.
final class SignInMarks: Sendable {
  private let registry: Registry
  /// The vault's key for it; nil while the vault is locked.
  private let sharedKey = Mutex<Secret?>(nil)
  /// Of this process alone: what is remembered is worth nothing elsewhere.
  private let ownKey = Secret(Chance.system.bytes(32))

  init(_ registry: Registry) { self.registry = registry }

  /// The same at all gateways. While the vault is locked each counts for itself.
  func shared(_ kind: String, _ parts: [Secret]) async -> [UInt8] {
    if let key = sharedKey.withLock({ $0 }) { return Self.mark(kind, parts, key) }
    guard let key = await registry.subkey(FailedSignIns.keyLabel) else {
      return Self.mark(kind, parts, ownKey)
    }
    sharedKey.withLock { $0 = key }
    return Self.mark(kind, parts, key)
  }

  func own(_ kind: String, _ parts: [Secret]) -> [UInt8] { Self.mark(kind, parts, ownKey) }

  /// Each part is preceded by its length, so that no two lists of parts are the same bytes.
  static func mark(_ kind: String, _ parts: [Secret], _ key: Secret) -> [UInt8] {
    var bytes = Array("\(kind)\0".utf8)
    defer { wipe(&bytes) }
    for part in parts {
      bytes += Array("\(part.count):".utf8)
      part.revealBytes { bytes += $0 }
    }
    return Digest.sha256.authenticate(bytes, key: key)
  }

  /// The first bytes of a mark, where a number is enough.
  static func short(_ mark: [UInt8]) -> UInt64 {
    mark.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
