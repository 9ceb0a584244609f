import Crypto
package import Machine
import Secrets

/// The root key in a file. While the root key is being changed there is a second file beside it, and
/// a crash may leave both: which of them locked the table only the table can tell.
package struct KeyFile: Sendable, Hashable {
  package let path: String

  package init(path: String) { self.path = path }

  var successor: String { "\(path).next" }

  /// Makes the key, unless there is a file already. Says whether it made one.
  @discardableResult
  package func makeIfMissing() throws(VaultError) -> Bool {
    do throws(MachineError) {
      try Self.make(at: path)
      return true
    } catch {
      if error.isExisting { return false }
      throw .file(error)
    }
  }

  func candidates() throws(VaultError) -> [Secret] {
    let present = try Self.read(path)
    do throws(VaultError) {
      return [present, try Self.read(successor)]
    } catch {
      guard case .missingKeyFile = error else { throw error }
      return [present]
    }
  }

  /// A new key beside the present one. Only after `settle` is a leftover surely of no use.
  func makeSuccessor() throws(VaultError) -> Secret {
    do throws(MachineError) {
      try GuardedFile.remove(successor)
      try Self.make(at: successor)
    } catch {
      throw .file(error)
    }
    return try Self.read(successor)
  }

  /// Leaves one file: the key that opens the table. Who calls holds the lock beside the file, and the
  /// table is read only then: an older one would have the wrong key removed.
  func settle(in place: KeyTablePlace) async throws(VaultError) {
    let keys = try candidates()
    guard keys.count == 2 else { return }
    guard let table = try await place.load() else { throw .noKeyTable }
    let isChanged = try Vault.ring(opening: table, with: keys[1]) != nil
    if !isChanged, try Vault.ring(opening: table, with: keys[0]) == nil { throw .wrongKey }
    do throws(MachineError) {
      if isChanged {
        try GuardedFile.move(successor, over: path)
      } else {
        try GuardedFile.remove(successor)
      }
    } catch {
      throw .file(error)
    }
  }

  /// The same after a start that follows a crash. Whoever changes the key right now has the lock and
  /// needs both files.
  func settleUnlessBusy(in place: KeyTablePlace) async throws(VaultError) {
    guard try candidates().count == 2 else { return }
    do throws(VaultError) {
      let lock = try locked(path)
      try await settle(in: place)
      _ = consume lock
    } catch {
      guard error == .busy else { throw error }
    }
  }

  static func read(
    _ path: String, guardedBy guardian: GuardedFile.Guard = .mode
  ) throws(VaultError) -> Secret {
    do throws(FileError) {
      var bytes = try GuardedFile.read(path, upTo: AESGCM.keyLength, guardedBy: guardian)
      defer { wipe(&bytes) }
      let key = Secret(bytes)
      if key.count == AESGCM.keyLength { return key }
    } catch {
      throw VaultError(keyFile: error)
    }
    throw .tooShort(path: path)
  }

  private static func make(at path: String) throws(MachineError) {
    var key = Chance.system.bytes(AESGCM.keyLength)
    defer { wipe(&key) }
    try GuardedFile.make(key, at: path)
  }
}
