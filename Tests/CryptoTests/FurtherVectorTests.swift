import Secrets
import Testing

@testable import Crypto

/// The rest of the published vectors that speak about what we use.
@Suite struct `A further published vector` {
  static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

  @Test(arguments: [
    (Digest.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (.sha1, twoBlocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (.sha256, twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
  ])
  func `A further published vector of FIPS 180 and RFC 1321`(
    digest: Digest, text: String, hex: String
  ) {
    #expect(Hex.encode(digest.hash(text)) == hex)
    var stream = DigestStream(digest)
    for byte in text.utf8 { stream.update([byte]) }
    #expect(Hex.encode(stream.finish()) == hex)
  }

  static let largeData =
    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."

  @Test(arguments: [
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      (1...25).map { UInt8($0) }, [UInt8](repeating: 0xcd, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), Array(largeData.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func `A further published vector of RFC 4231, cases 3, 4, 6 and 7`(
    key: [UInt8], data: [UInt8], hex: String
  ) {
    #expect(Hex.encode(Digest.sha256.authenticate(data, key: key)) == hex)
  }

  static let plain =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
  static let bound = "feedfacedeadbeeffeedfacedeadbeefabaddad2"

  @Test(arguments: [
    [
      "cafebabefacedbaddecaf888", "", plain + "1aafd255",
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
      "b094dac5d93471bdec1a502270e3cc6c",
    ],
    [
      "cafebabefacedbad", bound, plain,
      "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
      "3a337dbf46a792c45e454913fe2ea8f2",
    ],
    [
      "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b",
      bound, plain,
      "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf40fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
      "a44a8266ee1c8eb0c8b5d4cf5ae9f19a",
    ],
  ])
  func `AES-GCM matches McGrew and Viega's cases 15, 17 and 18 with other nonce lengths`(
    row: [String]
  ) throws {
    let key = Secret(
      try Hex.decode("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
    let (nonce, bound) = (try Hex.decode(row[0]), try Hex.decode(row[1]))
    let sealed = try AESGCM.seal(
      try Hex.decode(row[2]), key: key, nonce: nonce, authenticating: bound)
    #expect(Hex.encode(sealed) == row[3] + row[4])
    #expect(
      try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: bound)
        == Hex.decode(row[2]))
  }

  static let cbcPlain =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

  @Test(arguments: [
    (
      "2b7e151628aed2a6abf7158809cf4f3c",
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
    ),
    (
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
    ),
  ])
  func `A further published vector of NIST SP 800-38A F.2, all four blocks`(
    key: String, sealed: String
  ) throws {
    let (key, vector) = (Secret(try Hex.decode(key)), (0..<16).map { UInt8($0) })
    let plain = try Hex.decode(Self.cbcPlain)
    let out = try AESCBC.encrypt(plain, key: key, vector: vector, padding: .none)
    #expect(Hex.encode(out) == sealed)
    #expect(try AESCBC.decrypt(out, key: key, vector: vector, padding: .none) == plain)
  }

  @Test(arguments: [
    ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
    (
      "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
      "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
    ),
    ("pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
  ])
  func `A further published vector of RFC 6070, with long inputs and a NUL inside`(
    pass: String, salt: String, rounds: Int, hex: String
  ) throws {
    let key = try KeyDerivation.pbkdf2(
      Secret(pass), salt: Array(salt.utf8), rounds: rounds, digest: .sha1, length: hex.count / 2)
    #expect(key.hex == hex)
  }

  @Test func `A further published vector of RFC 5869, case 2: more than one block and long inputs`()
    throws
  {
    let key = try KeyDerivation.hkdf(
      Secret((0...0x4f).map { UInt8($0) }), salt: (0x60...0xaf).map { UInt8($0) },
      info: (0xb0...0xff).map { UInt8($0) }, length: 82)
    #expect(
      key.hex
        == "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
    )
  }

  @Test(arguments: [
    (
      "sample",
      "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    ),
    (
      "test",
      "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
    ),
  ])
  func `ES256 accepts the RFC 6979 A.2.5 signatures and rejects them for other messages`(
    message: String, signature: String
  ) throws {
    let key = try ES256.PublicKey(
      point: try Hex.decode(
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
      ))
    #expect(key.isValid(try Hex.decode(signature), for: Array(message.utf8)))
    #expect(!key.isValid(try Hex.decode(signature), for: Array((message + "x").utf8)))
  }
}

@Suite struct `What is bound to a sealed text` {
  @Test func `What is bound to a sealed text: is bound bit by bit, nonce and place alike`() throws {
    let key = Secret([UInt8](repeating: 3, count: 32))
    let (nonce, place) = ((0..<12).map { UInt8($0) }, Array("account/17/pin".utf8))
    let sealed = try AESGCM.seal([1, 2, 3], key: key, nonce: nonce, authenticating: place)
    func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
      var bytes = bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return bytes
    }
    for bit in 0..<nonce.count * 8 {
      #expect(throws: CryptoError.notAuthentic) {
        try AESGCM.open(sealed, key: key, nonce: flipped(nonce, bit), authenticating: place)
      }
    }
    for bit in 0..<place.count * 8 {
      #expect(throws: CryptoError.notAuthentic) {
        try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: flipped(place, bit))
      }
    }
  }

  @Test func `What is bound to a sealed text: holds for every shortening of the text`() throws {
    let key = Secret([UInt8](repeating: 3, count: 32))
    let nonce = [UInt8](repeating: 1, count: 12)
    let sealed = try AESGCM.seal([UInt8](repeating: 5, count: 40), key: key, nonce: nonce)
    for length in 0..<sealed.count {
      #expect(throws: CryptoError.self) {
        try AESGCM.open(Array(sealed.prefix(length)), key: key, nonce: nonce)
      }
    }
  }
}

@Suite struct `A public key travels` {
  @Test
  func `an ES256 public key can be exported and imported as PEM and as JWK coordinates`() throws {
    let key = try ES256.PrivateKey().publicKey()
    let pem = try key.pem()
    #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----"))
    #expect(try ES256.PublicKey(pem: pem).point == key.point)
    let (x, y) = key.coordinates
    #expect(try ES256.PublicKey(x: x, y: y).point == key.point)
  }

  @Test func `A public key travels of RFC 7515 A.3 under its published coordinates`() throws {
    let (x, y) = (
      "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    )
    let key = try ES256.PublicKey(x: x, y: y)
    #expect(key.coordinates == (x, y))
  }

  @Test(arguments: [("", ""), ("AAAA", "AAAA"), ("not base64!", "AAAA")])
  func `A public key travels and is refused when a member is none`(x: String, y: String) {
    #expect(throws: CryptoError.self) { try ES256.PublicKey(x: x, y: y) }
  }

  @Test func `A public key travels and takes signatures in either form, neither for the other`()
    throws
  {
    let key = try ES256.PrivateKey()
    let (raw, der) = (try key.sign([1, 2]), try key.signDER([1, 2]))
    let other = try key.publicKey()
    #expect(other.isValid(raw, for: [1, 2]) && other.isValid(der: der, for: [1, 2]))
    #expect(!other.isValid(der: raw, for: [1, 2]))
    #expect(!other.isValid(der: der, for: [1, 3]))
    for length in 0..<der.count {
      #expect(!other.isValid(der: Array(der.prefix(length)), for: [1, 2]))
    }
    #expect(!other.isValid(der: der + [0], for: [1, 2]))
  }
}
