package import Secrets

/// RFC 4648 §6, as authenticator apps take keys: capitals and digits, without padding.
package enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// Of a secret, which stays one.
  package static func encode(_ secret: Secret) -> Secret {
    var out: [UInt8] = []
    defer { wipe(&out) }
    secret.revealBytes { bytes in
      var (word, bits): (UInt32, UInt32) = (0, 0)
      for byte in bytes {
        word = word << 8 | UInt32(byte)
        bits += 8
        while bits >= 5 {
          bits -= 5
          out.append(alphabet[Int(word >> bits) & 31])
        }
        word &= (1 << bits) - 1
      }
      if bits > 0 { out.append(alphabet[Int(word << (5 - bits)) & 31]) }
    }
    return Secret(out)
  }
}
