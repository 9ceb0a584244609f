import Circulation
import Crypto
import Machine
import Secrets

/// What proves that a mail or a short message arrives with the patron who asked for it. The database
/// has its hash with a key of the vault: six digits are guessed from a plain hash.
struct ChannelCode: Sendable {
  /// Milliseconds.
  static let life: Int64 = 86_400_000
  static let mostTries: Int64 = 5

  let digits: Secret

  init() {
    digits = Secret(
      (0..<6).map { _ in "\(Chance.system.number(in: 0..<10))" }.joined())
  }

  /// As a patron types it: mail programs and telephones group digits.
  init(typed: Secret) {
    digits = typed.revealText { text in
      Secret(text.filter { !$0.isWhitespace && $0 != "-" })
    }
  }

  /// Whose code it is, and of which channel, is bound in.
  func hash(of patron: PatronID, _ folded: String, _ key: Secret) -> [UInt8] {
    digits.revealText { text in
      Digest.sha256.authenticate(
        Array("code\0\(patron.rawValue)\0\(folded)\0\(text)".utf8), key: key)
    }
  }
}
