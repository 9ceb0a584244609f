import Crypto
import Secrets
import Testing

@testable import Vault

@Suite struct `A key table` {
  private let root = Secret([UInt8](repeating: 7, count: 32))

  private func ring() throws -> KeyRing {
    try KeyRing.new(.keyFile, root, at: 1000).withNewKey(at: 2000).withNewKey(at: 3000)
  }

  @Test func `A key table reads as it was written`() throws {
    let ring = try ring()
    #expect(try KeyTable(ring.bytes) == ring.table)
    #expect(ring.table.entries.map(\.number) == [0, 1, 2, 3])
    #expect(ring.table.entries.map(\.madeAt) == [1000, 1000, 2000, 3000])
    let stretched = RootForm.passphrase(
      try Stretching(n: 1 << 15, r: 8, p: 2, salt: Array(1...16)))
    let other = try ring.rewrapped(stretched, root)
    #expect(try KeyTable(other.bytes).root == stretched)
  }

  @Test func `A key table tells a wrong key from damage`() throws {
    let bytes = try ring().bytes
    #expect(throws: VaultError.wrongKey) {
      try KeyRing(opening: bytes, with: try Secret.random(32))
    }
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: VaultError.damaged(.keyTable)) { try KeyRing(opening: changed, with: root) }
    }
    for length in 0..<bytes.count {
      #expect(throws: VaultError.damaged(.keyTable)) {
        try KeyRing(opening: Array(bytes.prefix(length)), with: root)
      }
    }
  }

  // Whoever changes a table on purpose can write the right sum, too.
  @Test func `a changed key table with a matching checksum is still reported as damaged`() throws {
    let bytes = Array(try ring().bytes.dropLast(32))
    for bit in KeyTable.magic.count * 8 + 16..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: VaultError.damaged(.keyTable)) {
        try KeyRing(opening: summed(changed), with: root)
      }
    }
    #expect(throws: VaultError.damaged(.keyTable)) {
      try KeyRing(opening: summed(bytes + [0]), with: root)
    }
  }

  @Test func `A key table of another format is told apart`() throws {
    var bytes = Array(try ring().bytes.dropLast(32))
    bytes[KeyTable.magic.count] = 2
    #expect(throws: VaultError.otherFormat(.keyTable)) { try KeyTable(summed(bytes)) }
    (bytes[KeyTable.magic.count], bytes[KeyTable.magic.count + 1]) = (1, 9)
    #expect(throws: VaultError.damaged(.keyTable)) { try KeyTable(summed(bytes)) }
  }

  @Test func `A key table cannot have its keys exchanged for older ones`() throws {
    let ring = try ring()
    var table = ring.table
    table.entries.removeLast()
    #expect(throws: VaultError.damaged(.keyTable)) {
      try KeyRing(opening: table.bytes, with: root)
    }
    table.entries = [ring.table.entries[0]]
    #expect(throws: VaultError.damaged(.keyTable)) { try KeyTable(table.bytes) }
    table.entries = []
    #expect(throws: VaultError.damaged(.keyTable)) { try KeyTable(table.bytes) }
    table.entries = Array(ring.table.entries.dropFirst())
    #expect(throws: VaultError.damaged(.keyTable)) { try KeyTable(table.bytes) }
  }

  @Test func `A key table shows a passphrase that is hashed too cheaply or too dearly`() throws {
    let cheap: [(UInt64, UInt32, UInt32)] = [(1 << 14, 8, 1), (1 << 15, 4, 1), (1 << 15, 8, 0)]
    for (n, r, p) in cheap {
      #expect(throws: VaultError.weakParameters) { try KeyTable(stretched(n, r, p)) }
    }
    let dear: [(UInt64, UInt32, UInt32)] = [
      (1 << 21, 8, 1), (1 << 20, 16, 1), (1 << 15, 8, 17), ((1 << 15) + 1, 8, 1),
    ]
    for (n, r, p) in dear {
      #expect(throws: VaultError.excessiveParameters) { try KeyTable(stretched(n, r, p)) }
    }
    #expect(throws: VaultError.weakParameters) {
      try Stretching(n: 1 << 15, r: 8, p: 1, salt: Array(1...8))
    }
    // Well formed but for what follows.
    #expect(throws: VaultError.damaged(.keyTable)) { try KeyTable(stretched(1 << 20, 8, 1)) }
    #expect(throws: VaultError.damaged(.keyTable)) {
      try KeyTable(summed(KeyTable.magic + [1, 1, 0, 0]))
    }
  }

  @Test func `A key table ends at the last number`() throws {
    var table = try ring().table
    let last = table.entries.removeLast()
    let wrapped = try KeyRing.wrap(
      try Secret.random(32), number: .max, with: root, nonce: try Sealing.newNonce())
    table.entries.append(
      KeyTable.Entry(number: .max, madeAt: last.madeAt, seals: 0, wrapped: wrapped))
    let key = try #require(try KeyRing.unwrap(wrapped, number: .max, with: root))
    table.check = try Sealing.seal(
      KeyTable.checkText, key: key, nonce: try Sealing.newNonce(),
      bound: try boundFacts(
        [formatName, "check", keyName(.max)], [Digest.sha256.hash(table.body)]))
    let ring = try KeyRing(opening: table.bytes, with: root)
    #expect(throws: VaultError.tooManyKeys) { try ring.withNewKey(at: 0) }
  }

  private func stretched(_ n: UInt64, _ r: UInt32, _ p: UInt32) -> [UInt8] {
    var bytes = KeyTable.magic + [1, 1]
    bytes.append(bigEndian: n)
    bytes.append(bigEndian: r)
    bytes.append(bigEndian: p)
    return summed(bytes + [UInt8](repeating: 3, count: 16))
  }

  private func summed(_ bytes: [UInt8]) -> [UInt8] { bytes + Digest.sha256.hash(bytes) }
}
