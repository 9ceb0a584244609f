import Crypto
import HTTP
import JSON
import Secrets

/// Web Push: what is told is sealed for the one browser that subscribed (RFC 8291 over RFC 8188), and
/// the sender says who it is (RFC 8292).
enum WebPush {
  /// What push services take in one record, less what sealing adds.
  static let longest = 3_993

  struct Recipient {
    let point: ES256.PublicKey
    let auth: Secret
  }

  /// The salt and the pair of keys are new for each message.
  static func sealed(
    _ plain: [UInt8], for recipient: Recipient, salt: [UInt8], by pair: ES256.PrivateKey
  ) throws(CryptoError) -> [UInt8] {
    guard plain.count <= longest else { throw .wrongLength("the message") }
    let ours = try pair.publicKey().point
    let shared = try pair.agreed(with: recipient.point)
    let auth = recipient.auth.revealBytes { $0 }
    let seed = try KeyDerivation.hkdf(
      shared, salt: auth, info: Array("WebPush: info\0".utf8) + recipient.point.point + ours,
      length: 32)
    let key = try KeyDerivation.hkdf(
      seed, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), length: 16)
    let nonce = try KeyDerivation.hkdf(
      seed, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), length: AESGCM.nonceLength)
    // The last record ends with a two; there is only one.
    let body = try nonce.revealBytes { nonce throws(CryptoError) in
      try AESGCM.seal(plain + [2], key: key, nonce: nonce)
    }
    return salt + [0, 0, 0x10, 0, UInt8(ours.count)] + ours + body
  }

  static func sealed(
    _ plain: [UInt8], for recipient: Recipient
  ) throws(CryptoError) -> [UInt8] {
    try sealed(plain, for: recipient, salt: try randomBytes(16), by: try ES256.PrivateKey())
  }

  /// The header that says who sends. `end` is in seconds since 1970, at most a day ahead.
  static func authorization(
    to endpoint: Address, until end: Int64, contact: String, key: ES256.PrivateKey
  ) throws(CryptoError) -> String {
    let head = Base64.urlSafe.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
    let claims: JSONValue = [
      "aud": .string(endpoint.origin.description), "exp": .integer(Int(end)),
      "sub": .string(contact),
    ]
    let text = "\(head).\(Base64.urlSafe.encode(claims.bytes()))"
    let signature = Base64.urlSafe.encode(try key.sign(Array(text.utf8)))
    let point = Base64.urlSafe.encode(try key.publicKey().point)
    return "vapid t=\(text).\(signature), k=\(point)"
  }
}
