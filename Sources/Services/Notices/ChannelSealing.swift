import Circulation
import Crypto
import Secrets

/// How the fields of a channel are kept. The key is derived from the vault's seed, which changes of data
/// keys leave as it is; whose channel it is, and which, is bound in, so that a row opens nowhere else.
enum ChannelSealing {
  static let label = "carrel/notice-channels"

  static func seal(
    _ fields: [String: Secret], _ patron: PatronID, _ folded: String, _ medium: Carrier,
    _ key: Secret
  ) throws(CryptoError) -> [UInt8] {
    let lines = fields.sorted { $0.key < $1.key }.map { name, value in
      value.revealBytes { "\(name) \(Base64.standard.encode($0))" }
    }
    let text = Secret(lines.joined(separator: "\n"))
    return try seal(text, as: name(patron, folded, medium), key)
  }

  static func open(
    _ sealed: [UInt8], _ patron: PatronID, _ folded: String, _ medium: Carrier, _ key: Secret
  ) throws(CryptoError) -> [String: Secret] {
    let text = try open(sealed, as: name(patron, folded, medium), key)
    return try text.revealText { text throws(CryptoError) in
      var fields: [String: Secret] = [:]
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw .badEncoding("channel") }
        fields[String(parts[0])] = Secret(try Base64.standard.decode(String(parts[1])))
      }
      return fields
    }
  }

  static func seal(
    _ secret: Secret, as name: [UInt8], _ key: Secret
  ) throws(CryptoError) -> [UInt8] {
    let nonce = try randomBytes(AESGCM.nonceLength)
    return try secret.revealBytes { bytes throws(CryptoError) in
      nonce + (try AESGCM.seal(bytes, key: key, nonce: nonce, authenticating: name))
    }
  }

  static func open(
    _ sealed: [UInt8], as name: [UInt8], _ key: Secret
  ) throws(CryptoError) -> Secret {
    let nonce = Array(sealed.prefix(AESGCM.nonceLength))
    var bytes = try AESGCM.open(
      Array(sealed.dropFirst(nonce.count)), key: key, nonce: nonce, authenticating: name)
    defer { wipe(&bytes) }
    return Secret(bytes)
  }

  private static func name(_ patron: PatronID, _ folded: String, _ medium: Carrier) -> [UInt8] {
    Array("channel\0\(patron.rawValue)\0\(folded)\0\(medium.rawValue)".utf8)
  }
}
