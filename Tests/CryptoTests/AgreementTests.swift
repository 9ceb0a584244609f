import Secrets
import Testing

@testable import Crypto

/// The example of RFC 8291, §5 and appendix A.
@Suite struct `Two sides that agree on a key` {
  static let theirs =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  static let ours =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
  static let ourSecret = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"

  @Test func `Two sides that agree on a key reckon what the standard prints`() throws {
    let key = try ES256.PrivateKey(
      secret: Secret(try Base64.urlSafe.decode(Self.ourSecret)),
      point: try Base64.urlSafe.decode(Self.ours))
    let peer = try ES256.PublicKey(point: try Base64.urlSafe.decode(Self.theirs))
    let agreed = try key.agreed(with: peer).revealBytes { Base64.urlSafe.encode($0) }
    #expect(agreed == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
    let seed = try KeyDerivation.hkdf(
      key.agreed(with: peer), salt: try Base64.urlSafe.decode("BTBZMqHH6r4Tts7J_aSIgg"),
      info: Array("WebPush: info\0".utf8) + peer.point + key.publicKey().point, length: 32)
    #expect(
      seed.revealBytes { Base64.urlSafe.encode($0) }
        == "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg")
  }

  @Test func `two parties of a key agreement get the same key, and a third gets another`() throws {
    for _ in 0..<20 {
      let (one, other, third) = (
        try ES256.PrivateKey(), try ES256.PrivateKey(), try ES256.PrivateKey()
      )
      let here = try one.agreed(with: other.publicKey())
      #expect(here.count == 32)
      #expect(here.matches(try other.agreed(with: one.publicKey())))
      #expect(!here.matches(try one.agreed(with: third.publicKey())))
    }
  }

  /// NIST's test case 4 of GCM, with a key of 16 bytes.
  @Test func `Two sides that agree on a key may seal with a short key`() throws {
    let key = Secret(try Hex.decode("feffe9928665731c6d6a8f9467308308"))
    let plain = try Hex.decode(`A further published vector`.plain)
    let sealed = try AESGCM.seal(
      plain, key: key, nonce: try Hex.decode("cafebabefacedbaddecaf888"),
      authenticating: try Hex.decode(`A further published vector`.bound))
    #expect(
      Hex.encode(sealed)
        == "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
        + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
        + "5bc94fbc3221a5db94fae95ae7121a47")
    #expect(throws: CryptoError.wrongLength("the key")) {
      try AESGCM.seal([1], key: Secret([UInt8](repeating: 1, count: 24)), nonce: Array(0..<12))
    }
  }
}
