import Crypto
import Secrets
import Testing

@testable import Vault

@Suite struct `A sealed record` {
  let vault: Vault

  init() throws { vault = try newVault() }

  @Test(arguments: ["", "1234", "ÄÖÜ ß 🙂", String(repeating: "long ", count: 13_000)])
  func `A sealed record opens to what was sealed`(text: String) throws {
    let blob = try vault.seal(Secret(text), as: somebody, version: 1)
    #expect(try vault.open(blob, as: somebody, version: 1).text == text)
  }

  @Test func `A sealed record does not show how long a PIN is`() throws {
    let sizes = try ["", "1", "1234", String(repeating: "9", count: 62)].map {
      try vault.seal(Secret($0), as: somebody, version: 1).count
    }
    #expect(sizes == [96, 96, 96, 96])
    let longer = Secret(String(repeating: "9", count: 63))
    #expect(try vault.seal(longer, as: somebody, version: 1).count == 160)
  }

  @Test(.timeLimit(.minutes(3)))
  func `A sealed record fails with any single bit changed, of a hundred`() throws {
    var missed: [String] = []
    for number in 0..<100 {
      let name = RecordName(owner: "reader-\(number)", provider: "some", field: "pin")
      let blob = try vault.seal(Secret("PIN \(number)"), as: name, version: Int64(number))
      for bit in 0..<blob.count * 8 {
        var changed = blob
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        if (try? vault.open(changed, as: name, version: Int64(number))) != nil {
          missed.append("record \(number), bit \(bit)")
        }
      }
    }
    #expect(missed == [])
  }

  @Test func `A sealed record fails in another row`() async throws {
    let mine = try vault.seal(Secret("1234"), as: somebody, version: 1)
    for other in [
      RecordName(owner: "reader-8", provider: "overdrive", field: "pin"),
      RecordName(owner: "reader-7", provider: "other", field: "pin"),
      RecordName(owner: "reader-7", provider: "overdrive", field: "card"),
      RecordName(owner: "reader-7o", provider: "verdrive", field: "pin"),
      RecordName(owner: "reader-7", provider: "overdrivep", field: "in"),
    ] {
      #expect(await error { try vault.open(mine, as: other, version: 1) } == .damaged(.record))
    }
  }

  @Test func `A sealed record fails with any bit of its version changed`() throws {
    let blob = try vault.seal(Secret("1234"), as: somebody, version: 5)
    for bit in 0..<64 {
      #expect(throws: VaultError.damaged(.record)) {
        try vault.open(blob, as: somebody, version: 5 ^ (1 << Int64(bit)))
      }
    }
  }

  @Test func `A sealed record fails when it is an old one put back`() throws {
    let old = try vault.seal(Secret("old PIN"), as: somebody, version: 1)
    _ = try vault.seal(Secret("new PIN"), as: somebody, version: 2)
    #expect(throws: VaultError.damaged(.record)) {
      try vault.open(old, as: somebody, version: 2)
    }
  }

  @Test func `A sealed record fails when truncated anywhere, or longer`() throws {
    let blob = try vault.seal(Secret("1234"), as: somebody, version: 1)
    for length in 0..<blob.count {
      #expect(throws: VaultError.damaged(.record)) {
        try vault.open(Array(blob.prefix(length)), as: somebody, version: 1)
      }
    }
    #expect(throws: VaultError.damaged(.record)) {
      try vault.open(blob + [0], as: somebody, version: 1)
    }
  }

  @Test(arguments: [0, 1]) func `A sealed record of another format is told apart`(byte: Int) throws
  {
    var blob = try vault.seal(Secret("1234"), as: somebody, version: 1)
    blob[byte] = 2
    #expect(throws: VaultError.otherFormat(.record)) {
      try vault.open(blob, as: somebody, version: 1)
    }
  }

  @Test(arguments: [0, 2, 0xFFFF]) func `A sealed record names a key that the vault has`(
    number: Int
  ) throws {
    var blob = try vault.seal(Secret("1234"), as: somebody, version: 1)
    (blob[2], blob[3]) = (UInt8(number >> 8), UInt8(number & 0xFF))
    #expect(throws: VaultError.unknownKey(number)) {
      try vault.open(blob, as: somebody, version: 1)
    }
  }

  @Test func `A sealed record whose text has no room for its own length is refused`() throws {
    let key = try Secret.random(32)
    let name = try boundFacts(
      ["carrel-vault/1", "rec", "k1", "reader-7", "overdrive", "pin"], [[0, 0, 0, 0, 0, 0, 0, 1]])
    for plain: [UInt8] in [[], [0], [0, 3, 65, 66]] {
      let text = try Sealing.seal(plain, key: key, nonce: try Sealing.newNonce(), bound: name)
      #expect(throws: VaultError.damaged(.record)) {
        try SealedRecord.open([1, 1, 0, 1] + text, as: somebody, version: 1, key: key)
      }
    }
  }

  @Test func `A sealed record never has the nonce of another, in ten thousand`() throws {
    var nonces: Set<[UInt8]> = []
    for _ in 0..<10_000 {
      let blob = try vault.seal(Secret("1234"), as: somebody, version: 1)
      nonces.insert(Array(blob[4..<16]))
    }
    #expect(nonces.count == 10_000)
  }

  @Test func `A sealed record has bounds, and says so`() throws {
    let long = String(repeating: "x", count: 65_536)
    #expect(throws: VaultError.secretTooLong) {
      try vault.seal(Secret(long), as: somebody, version: 1)
    }
    let name = RecordName(owner: long, provider: "some", field: "pin")
    #expect(throws: VaultError.nameTooLong) {
      try vault.seal(Secret("1234"), as: name, version: 1)
    }
  }

  @Test func `A sealed record is of no use to another vault`() throws {
    let blob = try vault.seal(Secret("1234"), as: somebody, version: 1)
    let other = try newVault()
    #expect(throws: VaultError.damaged(.record)) {
      try other.open(blob, as: somebody, version: 1)
    }
  }
}

@Suite struct `Keys for other jobs` {
  @Test func `Keys for other jobs differ by label and by vault, and stay`() throws {
    let (vault, other) = (try newVault(), try newVault())
    let mac = try vault.subkey("carrel/session-mac")
    #expect(mac.count == 32)
    #expect(try vault.subkey("carrel/session-mac").matches(mac))
    #expect(try !vault.subkey("carrel/cursor").matches(mac))
    #expect(try !other.subkey("carrel/session-mac").matches(mac))
  }

  @Test func `Keys for other jobs find a card without keeping it`() throws {
    let (vault, other) = (try newVault(), try newVault())
    let card = Secret("21234000000018")
    #expect(vault.index(of: card) == vault.index(of: Secret("21234000000018")))
    #expect(vault.index(of: card) != vault.index(of: Secret("21234000000026")))
    #expect(vault.index(of: card) != other.index(of: card))
    let key = try vault.subkey("carrel/card-index")
    #expect(vault.index(of: card) == Digest.sha256.authenticate(Array(card.text.utf8), key: key))
  }

  @Test func `Keys for other jobs mark a vault`() throws {
    let (vault, other) = (try newVault(), try newVault())
    #expect(vault.mark.count == 16 && vault.mark != other.mark)
  }
}
