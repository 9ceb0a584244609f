import Synchronization

/// Changes of keys. Each is one replacement of the key table, so that there is no moment at which a
/// record could not be opened; and each begins with the table as it is now, because another gateway
/// may have changed it.
extension Vault {
  /// Whether the active key has sealed so often, or for so long, that a new one should follow. Random
  /// nonces of 96 bits are safe far beyond 2^28; the distance is on purpose.
  package func isDueForNewKey(at now: Int64) -> Bool {
    state.withLock { state in
      let active = state.ring.table.active
      let seals = active.seals &+ state.uncounted[active.number, default: 0]
      return seals >= 1 << 28 || now - active.madeAt >= 365 * 86_400_000
    }
  }

  /// A new data key, active at once. What older keys have sealed opens as before.
  package func addKey(at now: Int64) async throws(VaultError) {
    try await change { ring throws(VaultError) in try ring.withNewKey(at: now) }
  }

  /// Forgets a data key for good. The caller has made sure that nothing is sealed with it any more.
  package func retire(_ number: Int) async throws(VaultError) {
    guard let number = UInt16(exactly: number) else { throw .unknownKey(number) }
    try await change { ring throws(VaultError) in
      guard ring.keys[number] != nil else { return ring }
      return try ring.without(number)
    }
  }

  /// Locks the table with another root key. No record is touched. The old root key is the caller's to
  /// keep until this has returned.
  package func changeRoot(to source: RootSource) async throws(VaultError) {
    let (form, root) = try source.forNewTable()
    try await change { ring throws(VaultError) in try ring.rewrapped(form, root) }
    state.withLock { $0.source = source.rereadable }
    // Read back from where it is kept, before anybody throws the old key away.
    guard let bytes = try await place.load(), try Self.ring(opening: bytes, with: root) != nil
    else {
      throw .damaged(.keyTable)
    }
  }

  /// Changes the root key in its own file. Interrupted anywhere, it leaves a key beside the file at
  /// worst, and opening finds out which of the two is right.
  package func changeKeyFile(at path: String) async throws(VaultError) {
    let file = KeyFile(path: path)
    // Two of these at once would take each other's new key away.
    let lock = try locked(path)
    guard case .keyFile = try await present().table.root else {
      throw .otherRoot(wanted: "passphrase")
    }
    try await file.settle(in: place)
    let root = try file.makeSuccessor()
    try await change { ring throws(VaultError) in try ring.rewrapped(.keyFile, root) }
    try await file.settle(in: place)
    state.withLock { $0.source = .keyFile(path: path) }
    _ = consume lock
  }

  /// Writes down how often the keys have sealed; due now and then, and before a clean stop.
  package func keepCount() async throws(VaultError) {
    guard state.withLock({ !$0.uncounted.isEmpty }) else { return }
    try await change { ring throws(VaultError) in ring }
  }

  /// Takes over what another gateway has changed.
  package func refresh() async throws(VaultError) {
    let ring = try await present()
    state.withLock { $0.ring = ring }
  }

  /// Whether it still has the keys for everything that is sealed. Where the root key was changed
  /// elsewhere, an open vault keeps working with the data keys it holds, until there is a new one.
  package func hasAllKeys() async -> Bool {
    do throws(VaultError) {
      try await refresh()
      return true
    } catch {
      // A table that cannot be read takes no key away from a vault that is open.
      guard let bytes = try? await place.load(), let table = try? KeyTable(bytes) else {
        return true
      }
      let held = state.withLock { $0.ring.table.entries }
      return table.entries.allSatisfy { entry in
        held.contains { $0.number == entry.number && $0.madeAt == entry.madeAt }
      }
    }
  }

  private func change(
    _ make: (KeyRing) throws(VaultError) -> KeyRing
  ) async throws(VaultError) {
    // Whoever fails to be first, five times in a row, meets something stranger than a neighbor.
    for _ in 0..<5 {
      let present = try await present()
      let counted = state.withLock { $0.uncounted }
      var next = try make(present)
      for (number, seals) in counted { next = try next.counting(seals, by: number) }
      // A table that this program could not read again must not get there.
      next = try KeyRing(opening: next.bytes, with: next.root)
      guard try await place.replace(present.bytes, next.bytes) else { continue }
      state.withLock { state in
        state.ring = next
        for (number, seals) in counted { state.uncounted[number]? -= seals }
        state.uncounted = state.uncounted.filter { $0.value > 0 }
      }
      return
    }
    throw .busy
  }

  /// The ring as the table is now.
  private func present() async throws(VaultError) -> KeyRing {
    guard let bytes = try await place.load() else { throw .noKeyTable }
    let (mine, source) = state.withLock { ($0.ring, $0.source) }
    if bytes == mine.bytes { return mine }
    if let ring = try Self.ring(opening: bytes, with: mine.root) { return ring }
    guard let source else { throw .wrongKey }
    return try Self.ring(opening: bytes, from: source)
  }
}
