import Crypto
import Machine
import Secrets

/// A password made for one device: a hundred bits by chance, in letters and digits that are not
/// mistaken for each other and that every keyboard and every form lets through as they are.
enum DevicePassword {
  static let length = 20
  private static let alphabet = Array("23456789abcdefghjkmnpqrstvwxyz0u".utf8)

  static func new(length: Int = length, _ chance: Chance = .system) -> Secret {
    var bytes = chance.bytes(length).map { alphabet[Int($0 & 31)] }
    defer { wipe(&bytes) }
    return Secret(bytes)
  }

  /// As it was given out, however it was typed.
  static func plain(_ typed: Secret) -> Secret {
    typed.revealText { text in
      Secret(text.filter { !$0.isWhitespace && $0 != "-" }.lowercased())
    }
  }

  /// What is kept instead of it. So much chance needs no slow hash, and with the key in the vault a
  /// stolen database holds nothing to try passwords against.
  static func mark(of password: Secret, _ key: Secret) -> [UInt8] {
    password.revealBytes { Digest.sha256.authenticate($0, key: key) }
  }

  /// KOReader sends the MD5 of the password, never the password, so this is what is compared with.
  static func syncKey(of password: Secret) -> Secret {
    password.revealBytes { Secret(Hex.encode(Digest.md5.hash($0))) }
  }
}
