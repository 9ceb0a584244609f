package import Crypto
package import Secrets

/// How a few named secrets are kept in a row of their own: under a key that is derived from the vault's
/// seed, which changes of data keys leave as it is. What the row is and whose goes in as `name`, so that
/// it opens nowhere else.
package enum FieldSealing {
  package static func seal(
    _ fields: [String: Secret], as name: [UInt8], _ key: Secret
  ) throws(CryptoError) -> [UInt8] {
    let lines = fields.sorted { $0.key < $1.key }.map { name, value in
      value.revealBytes { "\(name) \(Base64.standard.encode($0))" }
    }
    return try seal(Secret(lines.joined(separator: "\n")), as: name, key)
  }

  package static func open(
    fields sealed: [UInt8], as name: [UInt8], _ key: Secret
  ) throws(CryptoError) -> [String: Secret] {
    let text = try open(sealed, as: name, key)
    return try text.revealText { text throws(CryptoError) in
      var fields: [String: Secret] = [:]
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw .badEncoding("fields") }
        fields[String(parts[0])] = Secret(try Base64.standard.decode(String(parts[1])))
      }
      return fields
    }
  }

  package static func seal(
    _ secret: Secret, as name: [UInt8], _ key: Secret
  ) throws(CryptoError) -> [UInt8] {
    let nonce = try randomBytes(AESGCM.nonceLength)
    return try secret.revealBytes { bytes throws(CryptoError) in
      nonce + (try AESGCM.seal(bytes, key: key, nonce: nonce, authenticating: name))
    }
  }

  package static func open(
    _ sealed: [UInt8], as name: [UInt8], _ key: Secret
  ) throws(CryptoError) -> Secret {
    let nonce = Array(sealed.prefix(AESGCM.nonceLength))
    var bytes = try AESGCM.open(
      Array(sealed.dropFirst(nonce.count)), key: key, nonce: nonce, authenticating: name)
    defer { wipe(&bytes) }
    return Secret(bytes)
  }
}
