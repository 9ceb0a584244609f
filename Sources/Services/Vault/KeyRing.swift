import Crypto
import Secrets

/// A key table and the keys out of it: what an open vault works with. Never half open: either every
/// key could be unwrapped, or there is no ring.
struct KeyRing: Sendable {
  let table: KeyTable
  /// As it was read or will be written, to tell whether another process has changed it since.
  let bytes: [UInt8]
  let root: Secret
  let keys: [UInt16: Secret]

  var active: (number: UInt16, key: Secret) {
    let number = table.active.number
    // The last entry is among those that were unwrapped, or this ring would not exist.
    return (number, keys[number]!)
  }

  var seed: Secret { keys[KeyTable.seedNumber]! }

  init(opening bytes: [UInt8], with root: Secret) throws(VaultError) {
    let table = try KeyTable(bytes)
    var keys: [UInt16: Secret] = [:]
    for entry in table.entries {
      keys[entry.number] = try Self.unwrap(entry.wrapped, number: entry.number, with: root)
    }
    guard !keys.isEmpty else { throw .wrongKey }
    // The root key fits some of them, so it is the right one and the others were changed.
    guard keys.count == table.entries.count else { throw .damaged(.keyTable) }
    (self.table, self.bytes, self.root, self.keys) = (table, bytes, root, keys)
    let text = try Sealing.open(table.check, key: active.key, bound: try Self.bound(to: table))
    guard text == KeyTable.checkText else { throw .damaged(.keyTable) }
  }

  /// Writes the check value anew; every change of a table ends here.
  private init(
    sealing draft: KeyTable, root: Secret, keys: [UInt16: Secret]
  ) throws(VaultError) {
    var table = draft
    (self.root, self.keys) = (root, keys)
    table.check = try Sealing.seal(
      KeyTable.checkText, key: keys[table.active.number]!, nonce: try Sealing.newNonce(),
      bound: try Self.bound(to: table))
    self.table = table
    bytes = table.bytes
  }

  private static func bound(to table: KeyTable) throws(VaultError) -> [UInt8] {
    try boundFacts(
      [formatName, "check", keyName(table.active.number)], [Digest.sha256.hash(table.body)])
  }
}

/// The steps that make a ring out of another. None of them writes anything.
extension KeyRing {
  static func new(_ form: RootForm, _ root: Secret, at now: Int64) throws(VaultError) -> KeyRing {
    var table = KeyTable(root: form, entries: [])
    var keys: [UInt16: Secret] = [:]
    for number in [KeyTable.seedNumber, 1] {
      let key = try Sealing.newKey()
      keys[number] = key
      table.entries.append(try entry(number, key, root, now))
    }
    return try KeyRing(sealing: table, root: root, keys: keys)
  }

  /// The same keys under another root key.
  func rewrapped(_ form: RootForm, _ root: Secret) throws(VaultError) -> KeyRing {
    var table = KeyTable(root: form, entries: [])
    for old in self.table.entries {
      var new = try Self.entry(old.number, keys[old.number]!, root, old.madeAt)
      new.seals = old.seals
      table.entries.append(new)
    }
    return try KeyRing(sealing: table, root: root, keys: keys)
  }

  /// One data key more, active at once. Numbers only grow, and a number never comes back.
  func withNewKey(at now: Int64) throws(VaultError) -> KeyRing {
    guard table.active.number < .max else { throw .tooManyKeys }
    var (table, keys) = (self.table, self.keys)
    let (number, key) = (table.active.number + 1, try Sealing.newKey())
    keys[number] = key
    table.entries.append(try Self.entry(number, key, root, now))
    return try KeyRing(sealing: table, root: root, keys: keys)
  }

  func without(_ number: UInt16) throws(VaultError) -> KeyRing {
    guard number != KeyTable.seedNumber, number != table.active.number else {
      throw .keyInUse(Int(number))
    }
    var (table, keys) = (self.table, self.keys)
    table.entries.removeAll { $0.number == number }
    keys[number] = nil
    return try KeyRing(sealing: table, root: root, keys: keys)
  }

  func counting(_ seals: UInt64, by number: UInt16) throws(VaultError) -> KeyRing {
    var table = self.table
    for index in table.entries.indices where table.entries[index].number == number {
      table.entries[index].seals &+= seals
    }
    return try KeyRing(sealing: table, root: root, keys: keys)
  }

  private static func entry(
    _ number: UInt16, _ key: Secret, _ root: Secret, _ now: Int64
  ) throws(VaultError) -> KeyTable.Entry {
    let wrapped = try wrap(key, number: number, with: root, nonce: try Sealing.newNonce())
    return KeyTable.Entry(number: number, madeAt: now, seals: 0, wrapped: wrapped)
  }

  static func wrap(
    _ key: Secret, number: UInt16, with root: Secret, nonce: [UInt8]
  ) throws(VaultError) -> [UInt8] {
    let bound = try boundFacts([formatName, "key", keyName(number)])
    return try key.revealBytes { bytes throws(VaultError) in
      try Sealing.seal(bytes, key: root, nonce: nonce, bound: bound)
    }
  }

  static func unwrap(
    _ wrapped: [UInt8], number: UInt16, with root: Secret
  ) throws(VaultError) -> Secret? {
    let bound = try boundFacts([formatName, "key", keyName(number)])
    guard var bytes = try Sealing.open(wrapped, key: root, bound: bound) else { return nil }
    defer { wipe(&bytes) }
    return Secret(bytes)
  }
}
