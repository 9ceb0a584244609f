import Machine

/// Where the key table is kept, as two closures: a file beside the database of one gateway, or a row
/// in the database that several share.
package struct KeyTablePlace: Sendable {
  /// Nil while there is no table yet.
  package let load: @Sendable () async throws(VaultError) -> [UInt8]?
  /// Puts the second table in the place of the first, whole or not at all. False where another
  /// process has changed it meanwhile; then nothing was done.
  package let replace: @Sendable (_ old: [UInt8]?, _ new: [UInt8]) async throws(VaultError) -> Bool

  package init(
    load: @escaping @Sendable () async throws(VaultError) -> [UInt8]?,
    replace:
      @escaping @Sendable (_ old: [UInt8]?, _ new: [UInt8]) async throws(VaultError) -> Bool
  ) {
    (self.load, self.replace) = (load, replace)
  }

  /// The same place, where no first table is made if `hasSecrets`: those were sealed with a table that is lost.
  package func guarded(
    hasSecrets: @escaping @Sendable () async throws(VaultError) -> Bool
  ) -> KeyTablePlace {
    let load = load
    return KeyTablePlace(
      load: { () async throws(VaultError) in
        if let table = try await load() { return table }
        if try await hasSecrets() { throw .keyTableLost }
        return nil
      }, replace: replace)
  }

  /// A file that only its owner can read. Beside it stands a lock, for two programs that change keys
  /// at the same time.
  package static func file(_ path: String) -> KeyTablePlace {
    KeyTablePlace(
      load: { () throws(VaultError) in try read(path) },
      replace: { old, new throws(VaultError) in
        let lock = try locked(path)
        guard try read(path) == old else { return false }
        do throws(MachineError) {
          try WholeFile.write(new, to: path)
        } catch {
          throw .file(error)
        }
        // Held to here.
        _ = consume lock
        return true
      })
  }

  private static func read(_ path: String) throws(VaultError) -> [UInt8]? {
    do throws(FileError) {
      return try WholeFile.read(path, upTo: 8 << 20, trusting: .ownerOnly)
    } catch {
      if error.isMissing { return nil }
      if case .tooLarge = error { throw .damaged(.keyTable) }
      throw VaultError(keyFile: error)
    }
  }
}

func locked(_ path: String) throws(VaultError) -> ProcessLock {
  do throws(ProcessLock.Failure) {
    return try ProcessLock(at: "\(path).lock")
  } catch {
    switch error {
    case .held: throw .busy
    case .failed(let cause): throw .file(cause)
    }
  }
}
