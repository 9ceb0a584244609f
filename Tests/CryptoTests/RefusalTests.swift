import Secrets
import Testing

@testable import Crypto

@Suite struct `Sealed data` {
  let key = Secret([UInt8](repeating: 7, count: 32))
  let nonce = [UInt8](repeating: 9, count: 12)

  @Test func `Sealed data opens with no single bit turned`() throws {
    let sealed = try AESGCM.seal(
      Array("a PIN: 4711".utf8), key: key, nonce: nonce, authenticating: [1, 2, 3])
    for bit in 0..<sealed.count * 8 {
      var bent = sealed
      bent[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CryptoError.notAuthentic) {
        try AESGCM.open(bent, key: key, nonce: nonce, authenticating: [1, 2, 3])
      }
    }
  }

  @Test func `Sealed data opens under its own key, nonce and place only`() throws {
    let sealed = try AESGCM.seal([1], key: key, nonce: nonce, authenticating: [1])
    let otherKey = Secret([UInt8](repeating: 8, count: 32))
    #expect(throws: CryptoError.notAuthentic) {
      try AESGCM.open(sealed, key: otherKey, nonce: nonce, authenticating: [1])
    }
    #expect(throws: CryptoError.notAuthentic) {
      try AESGCM.open(
        sealed, key: key, nonce: [UInt8](repeating: 1, count: 12), authenticating: [1])
    }
    #expect(throws: CryptoError.notAuthentic) {
      try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: [2])
    }
  }

  @Test(arguments: 0..<16)
  func `Sealed data is refused when it is cut`(length: Int) {
    #expect(throws: CryptoError.wrongLength("the sealed text")) {
      try AESGCM.open([UInt8](repeating: 0, count: length), key: key, nonce: nonce)
    }
  }

  @Test func `Sealed data needs a key and a nonce of the right length`() {
    #expect(throws: CryptoError.wrongLength("the key")) {
      try AESGCM.seal([], key: Secret([1, 2]), nonce: nonce)
    }
    #expect(throws: CryptoError.wrongLength("the nonce")) {
      try AESGCM.seal([], key: key, nonce: [])
    }
  }
}

@Suite struct `Padding` {
  let key = Secret([UInt8](repeating: 7, count: 32))
  let vector = [UInt8](repeating: 0, count: 16)

  @Test(arguments: 0..<33)
  func `Padding comes off as it went on`(length: Int) throws {
    let plain = (0..<length).map { UInt8($0) }
    let sealed = try AESCBC.encrypt(plain, key: key, vector: vector)
    #expect(sealed.count == (length / 16 + 1) * 16)
    #expect(try AESCBC.decrypt(sealed, key: key, vector: vector) == plain)
  }

  @Test func `Padding of random bytes with a true last one is only read when asked`() throws {
    let block = [UInt8](repeating: 65, count: 12) + [9, 8, 7, 4]
    let sealed = try AESCBC.encrypt(block, key: key, vector: vector, padding: .none)
    #expect(throws: CryptoError.badPadding) {
      try AESCBC.decrypt(sealed, key: key, vector: vector)
    }
    #expect(
      try AESCBC.decrypt(sealed, key: key, vector: vector, padding: .lastByteOnly)
        == [UInt8](repeating: 65, count: 12))
  }

  @Test(arguments: [UInt8(0), 17, 255])
  func `Padding of an impossible length is refused`(last: UInt8) throws {
    let block = [UInt8](repeating: 65, count: 15) + [last]
    let sealed = try AESCBC.encrypt(block, key: key, vector: vector, padding: .none)
    for padding in [AESCBC.Padding.pkcs7, .lastByteOnly] {
      #expect(throws: CryptoError.badPadding) {
        try AESCBC.decrypt(sealed, key: key, vector: vector, padding: padding)
      }
    }
  }

  @Test func `Padding cannot make up for a text that is cut`() {
    #expect(throws: CryptoError.wrongLength("the text")) {
      try AESCBC.decrypt([1, 2, 3], key: key, vector: vector)
    }
    #expect(throws: CryptoError.badPadding) { try AESCBC.decrypt([], key: key, vector: vector) }
  }
}

@Suite struct `A derived key` {
  @Test(
    arguments: [
      (0, 8, 1), (3, 8, 1), (0x20_0000, 8, 1), (0x2_0000, 0, 1), (0x2_0000, 8, 0),
      (0x10_0000, 32, 1),
      (0x2_0000, 8, 1000),
    ] as [(UInt64, UInt32, UInt32)])
  func `A derived key is not made at a cost out of bounds`(n: UInt64, r: UInt32, p: UInt32) {
    #expect(throws: CryptoError.outOfBounds("the cost of scrypt")) {
      try KeyDerivation.ScryptCost(n: n, r: r, p: p)
    }
  }

  @Test func `A derived key differs by the job it is for`() throws {
    let root = Secret([UInt8](repeating: 1, count: 32))
    let one = try KeyDerivation.hkdf(root, info: Array("one".utf8), length: 32)
    let two = try KeyDerivation.hkdf(root, info: Array("two".utf8), length: 32)
    #expect(one.hex != two.hex)
  }
}

@Suite struct `A text encoding` {
  @Test(arguments: [
    "Zg", "Zg=", "Zh==", "Zm9v=", "Zm9vYg=", "Z", "Zm9v\n", "Zm 9v", "Zm9_", "====", "Zg===",
  ])
  func `A text encoding base64 takes one spelling only`(text: String) {
    #expect(throws: CryptoError.badEncoding("base64")) { try Base64.standard.decode(text) }
  }

  @Test(arguments: ["Zm+v", "Zm/v", "Zm9v=", "Z"])
  func `A text encoding base64url keeps to its own alphabet`(text: String) {
    #expect(throws: CryptoError.badEncoding("base64")) { try Base64.urlSafe.decode(text) }
  }

  @Test(arguments: ["Zm9v\r\nYmFy", "Zm9vYmFy=", " Zm9v YmFy ", "Zm9vYmFy"])
  func `A text encoding tolerant base64 reads what mail made of it`(text: String) throws {
    #expect(try Base64.decodeTolerantly(text) == Array("foobar".utf8))
  }

  @Test func `A text encoding hex takes both cases and whole bytes`() throws {
    #expect(try Hex.decode("00fFAb") == [0, 255, 171])
    #expect(throws: CryptoError.badEncoding("hex")) { try Hex.decode("abc") }
    #expect(throws: CryptoError.badEncoding("hex")) { try Hex.decode("zz") }
  }
}

@Suite struct `Random bytes` {
  @Test func `Random bytes are random when asked, and of any length`() throws {
    #expect(try randomBytes(0).isEmpty)
    #expect(try randomBytes(32) != randomBytes(32))
    #expect(try Secret.random(32).count == 32)
  }
}

@Suite struct `A signing key` {
  @Test func `A signing key goes to a file and comes back`() throws {
    let key = try ES256.PrivateKey()
    let pem = try key.pem().reveal {
      String(decoding: unsafe $0.withUnsafeBytes { unsafe Array($0) }, as: UTF8.self)
    }
    #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    let again = try ES256.PrivateKey(pem: pem)
    #expect(try again.publicKey().point == key.publicKey().point)
    #expect(try again.publicKey().isValid(try key.sign([1, 2]), for: [1, 2]))
    #expect("\(key)" == "•••")
  }

  @Test func `A signing key signs messages that only it can have signed`() throws {
    let (one, other) = (try ES256.PrivateKey(), try ES256.PrivateKey())
    let signature = try one.sign([1])
    #expect(signature.count == 64)
    #expect(try !other.publicKey().isValid(signature, for: [1]))
    #expect(try !one.publicKey().isValid(signature, for: [2]))
    #expect(try !one.publicKey().isValid([], for: [1]))
    #expect(try !one.publicKey().isValid([UInt8](repeating: 0, count: 64), for: [1]))
  }

  @Test(arguments: ["", "junk", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])
  func `A signing key is refused when it is none`(pem: String) {
    #expect(throws: CryptoError.badEncoding("PEM key")) { try ES256.PrivateKey(pem: pem) }
  }

  @Test func `A signing key is refused when its point lies on no curve or is another's`() throws {
    #expect(throws: CryptoError.badEncoding("P-256 point")) {
      try ES256.PublicKey(point: [4] + [UInt8](repeating: 1, count: 64))
    }
    let point = try ES256.PrivateKey().publicKey().point
    #expect(throws: CryptoError.badEncoding("pair of keys")) {
      try ES256.PrivateKey(secret: Secret([UInt8](repeating: 5, count: 32)), point: point)
    }
  }
}
