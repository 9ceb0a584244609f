import Crypto
package import Secrets
import Synchronization

/// Seals and opens the secrets of readers. It keeps no records: what it seals, its caller stores. The
/// keys are in memory as long as the vault is, and wiped with it.
package final class Vault: Sendable {
  struct State {
    var ring: KeyRing
    /// Seals since the count was last written, by the key that made them.
    var uncounted: [UInt16: UInt64] = [:]
    var source: RootSource?
    var labels: Labels
  }

  /// What is derived from the seed, once: it never changes.
  struct Labels: Sendable {
    let index: Secret
    let mark: [UInt8]
  }

  let state: Mutex<State>
  let place: KeyTablePlace

  init(_ ring: KeyRing, from source: RootSource, in place: KeyTablePlace) throws(VaultError) {
    let labels = Labels(
      index: try Self.derive("carrel/card-index", from: ring.seed),
      mark: try Self.derive("carrel/vault-mark", from: ring.seed).revealBytes {
        Array($0.prefix(16))
      })
    state = Mutex(State(ring: ring, source: source.rereadable, labels: labels))
    self.place = place
  }

  package func seal(
    _ secret: Secret, as name: RecordName, version: Int64
  ) throws(VaultError) -> [UInt8] {
    // Drawn, never derived from the record: a restored backup would repeat it with other content.
    try seal(secret, as: name, version: version, nonce: try Sealing.newNonce())
  }

  func seal(
    _ secret: Secret, as name: RecordName, version: Int64, nonce: [UInt8]
  ) throws(VaultError) -> [UInt8] {
    let (number, key) = state.withLock { state in
      let active = state.ring.active
      state.uncounted[active.number, default: 0] += 1
      return active
    }
    return try SealedRecord.seal(
      secret, as: name, version: version, key: key, number: number, nonce: nonce)
  }

  /// `unknownKey` may mean that another gateway made a new key; `refresh` then helps.
  package func open(
    _ blob: [UInt8], as name: RecordName, version: Int64
  ) throws(VaultError) -> Secret {
    let number = try SealedRecord.keyNumber(of: blob)
    // The seed is no data key, whatever a record says.
    guard number != KeyTable.seedNumber, let key = state.withLock({ $0.ring.keys[number] }) else {
      throw .unknownKey(Int(number))
    }
    return try SealedRecord.open(blob, as: name, version: version, key: key)
  }

  /// The same bytes for the same text, for finding a row without storing the text. Without the key
  /// nobody can try card numbers against it.
  package func index(of secret: Secret) -> [UInt8] {
    let key = state.withLock { $0.labels.index }
    return secret.revealBytes { Digest.sha256.authenticate($0, key: key) }
  }

  /// A key for one other job, named by its label, such as `carrel/session-mac`.
  package func subkey(_ label: String) throws(VaultError) -> Secret {
    try Self.derive(label, from: state.withLock { $0.ring.seed })
  }

  /// Tells this vault from any other, also after all its keys were changed. Not a secret.
  package var mark: [UInt8] { state.withLock { $0.labels.mark } }

  package var activeKey: Int { state.withLock { Int($0.ring.active.number) } }

  /// The numbers of all data keys, the active one last.
  package var keyNumbers: [Int] {
    state.withLock { $0.ring.table.entries.dropFirst().map { Int($0.number) } }
  }

  package static func keyNumber(of blob: [UInt8]) throws(VaultError) -> Int {
    Int(try SealedRecord.keyNumber(of: blob))
  }

  private static func derive(_ label: String, from seed: Secret) throws(VaultError) -> Secret {
    try cryptographic { () throws(CryptoError) in
      try KeyDerivation.hkdf(seed, info: Array(label.utf8), length: AESGCM.keyLength)
    }
  }
}
