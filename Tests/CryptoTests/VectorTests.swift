import Secrets
import Testing

@testable import Crypto

/// Published vectors, each with the document it stands in.
@Suite struct `A published vector` {
  @Test(arguments: [
    (Digest.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func `A published vector of FIPS 180-4 and RFC 1321 for abc`(digest: Digest, hex: String) {
    #expect(Hex.encode(digest.hash("abc")) == hex)
  }

  @Test func `A published vector of FIPS 180-4 for a million letters in pieces`() {
    var stream = DigestStream(.sha256)
    for _ in 0..<1000 { stream.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
    #expect(
      Hex.encode(stream.finish())
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(arguments: [
    (
      Digest.sha1, [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b617318655057264e28bc0b6fb378c8ef146be00"
    ),
    (
      .sha1, Array("Jefe".utf8), "what do ya want for nothing?",
      "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
    ),
    (
      .sha1, [UInt8](repeating: 0xaa, count: 80),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "aa4ae5e15272d00e95705637ce8a3b55ed402112"
    ),
    (
      .sha256, [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      .sha256, Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      .sha512, [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    ),
  ])
  func `A published vector of RFC 2202 and RFC 4231 for HMAC`(
    digest: Digest, key: [UInt8], text: String, hex: String
  ) {
    #expect(Hex.encode(digest.authenticate(Array(text.utf8), key: key)) == hex)
  }

  static let gcmKey = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  static let zeros = String(repeating: "0", count: 64)
  static let gcm: [[String]] = [
    [zeros, "000000000000000000000000", "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"],
    [
      zeros, "000000000000000000000000", "", "00000000000000000000000000000000",
      "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919",
    ],
    [
      gcmKey, "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
      "76fc6ece0f4e1768cddf8853bb2d551b",
    ],
  ]

  @Test(arguments: gcm)
  func `A published vector of McGrew and Viega for AES-256-GCM`(row: [String]) throws {
    let (key, nonce) = (Secret(try Hex.decode(row[0])), try Hex.decode(row[1]))
    let (bound, plain) = (try Hex.decode(row[2]), try Hex.decode(row[3]))
    let sealed = try AESGCM.seal(plain, key: key, nonce: nonce, authenticating: bound)
    #expect(Hex.encode(sealed) == row[4] + row[5])
    #expect(try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: bound) == plain)
  }

  @Test(arguments: [
    (
      "2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a",
      "7649abac8119b246cee98e9b12e9197d"
    ),
    (
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
    ),
  ])
  func `A published vector of NIST SP 800-38A for AES-CBC`(
    key: String, plain: String, sealed: String
  ) throws {
    let key = Secret(try Hex.decode(key))
    let vector = (0..<16).map { UInt8($0) }
    let out = try AESCBC.encrypt(
      try Hex.decode(plain), key: key, vector: vector, padding: .none)
    #expect(Hex.encode(out) == sealed)
    #expect(
      try AESCBC.decrypt(out, key: key, vector: vector, padding: .none) == Hex.decode(plain))
  }

  @Test(arguments: [
    (
      "", "", UInt64(16), UInt32(1), UInt32(1),
      "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
    ),
    (
      "password", "NaCl", 1024, 8, 16,
      "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
    ),
    (
      "pleaseletmein", "SodiumChloride", 16384, 8, 1,
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
    ),
  ])
  func `A published vector of RFC 7914 for scrypt`(
    pass: String, salt: String, n: UInt64, r: UInt32, p: UInt32, hex: String
  ) throws {
    let key = try KeyDerivation.scrypt(
      Secret(Array(pass.utf8)), salt: Array(salt.utf8), cost: .init(n: n, r: r, p: p),
      length: 64)
    #expect(key.hex == hex)
  }

  @Test
  func `scrypt matches its vector at our cost, above the crypto library's memory limit`() throws {
    let key = try KeyDerivation.scrypt(
      Secret(Array("correct horse battery staple".utf8)), salt: (0..<16).map { UInt8($0) },
      cost: .interactive, length: 32)
    #expect(key.hex == "1b2946da71f41179e83b99dc33842d15741b87c4121c8c7f3781c1df864fb58b")
  }

  @Test(arguments: [
    (1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
    (4096, "4b007901b765489abead49d926f721d065a429c1"),
  ])
  func `A published vector of RFC 6070 for PBKDF2`(rounds: Int, hex: String) throws {
    let key = try KeyDerivation.pbkdf2(
      Secret(Array("password".utf8)), salt: Array("salt".utf8), rounds: rounds, digest: .sha1,
      length: 20)
    #expect(key.hex == hex)
  }

  @Test(arguments: [
    (
      "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    ),
    (
      "", "", "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    ),
  ])
  func `A published vector of RFC 5869 for HKDF`(salt: String, info: String, hex: String) throws {
    let key = try KeyDerivation.hkdf(
      Secret([UInt8](repeating: 0x0b, count: 22)), salt: try Hex.decode(salt),
      info: try Hex.decode(info), length: 42)
    #expect(key.hex == hex)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `A published vector of RFC 4648 for base64`(plain: String, text: String) throws {
    #expect(Base64.standard.encode(Array(plain.utf8)) == text)
    #expect(try Base64.standard.decode(text) == Array(plain.utf8))
    let bare = text.replacing("=", with: "")
    #expect(Base64.urlSafe.encode(Array(plain.utf8)) == bare)
    #expect(try Base64.urlSafe.decode(bare) == Array(plain.utf8))
  }

  static let jwkX = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
  static let jwkY = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
  static let jwkD = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
  static let signed =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  static let signature =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  @Test func `A published vector of RFC 7515 A.3 for ES256`() throws {
    let point =
      [4] + (try Base64.urlSafe.decode(Self.jwkX)) + (try Base64.urlSafe.decode(Self.jwkY))
    let key = try ES256.PublicKey(point: point)
    let signature = try Base64.urlSafe.decode(Self.signature)
    #expect(key.isValid(signature, for: Array(Self.signed.utf8)))
    for index in signature.indices {
      var bent = signature
      bent[index] ^= 1
      #expect(!key.isValid(bent, for: Array(Self.signed.utf8)))
    }
    let secret = Secret(try Base64.urlSafe.decode(Self.jwkD))
    let pair = try ES256.PrivateKey(secret: secret, point: point)
    #expect(key.isValid(try pair.sign(Array(Self.signed.utf8)), for: Array(Self.signed.utf8)))
    #expect(try pair.publicKey().point == point)
  }
}

extension Secret {
  /// Only here: the vectors are nobody's secret.
  var hex: String { reveal { Hex.encode(unsafe $0.withUnsafeBytes { unsafe Array($0) }) } }
}
