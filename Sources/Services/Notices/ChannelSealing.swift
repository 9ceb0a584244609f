import Circulation
import Crypto
import Secrets
import Vault

/// How the fields of a channel are kept: whose channel it is, and which, is bound in.
enum ChannelSealing {
  static let label = "carrel/notice-channels"

  static func seal(
    _ fields: [String: Secret], _ patron: PatronID, _ folded: String, _ medium: Carrier,
    _ key: Secret
  ) throws(CryptoError) -> [UInt8] {
    try FieldSealing.seal(fields, as: name(patron, folded, medium), key)
  }

  static func open(
    _ sealed: [UInt8], _ patron: PatronID, _ folded: String, _ medium: Carrier, _ key: Secret
  ) throws(CryptoError) -> [String: Secret] {
    try FieldSealing.open(fields: sealed, as: name(patron, folded, medium), key)
  }

  private static func name(_ patron: PatronID, _ folded: String, _ medium: Carrier) -> [UInt8] {
    Array("channel\0\(patron.rawValue)\0\(folded)\0\(medium.rawValue)".utf8)
  }
}
