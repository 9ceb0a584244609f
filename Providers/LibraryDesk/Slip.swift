import Crypto
import ProviderKit
import Secrets

/// What a reader hands over the desk: a card, and a PIN where the library has them. It is looked at
/// by the library's rules before anything is sent.
struct Slip: Sendable {
  /// Without the blanks around it.
  let card: String
  /// Nil where the library asks for none, never empty.
  let pin: Secret?
  /// Whether it may be sent at all: of the right make, and with a PIN where one must be.
  let isSound: Bool
  /// A reader may leave the PIN with nobody. That is no wrong one.
  let lacksPIN: Bool

  /// Nil where no card was given.
  init?(_ given: Credentials, _ rules: CardRules) {
    guard let card = given["card"]?.revealText({ $0.trimmingBlanks }), !card.isEmpty else {
      return nil
    }
    self.card = card
    lacksPIN = rules.proof != .none && given["pin"] == nil
    guard rules.proof != .none else {
      pin = nil
      isSound = rules.takes(card: card)
      return
    }
    let pin = given["pin"].map { secret in
      rules.trimsPIN ? secret.revealText { Secret($0.trimmingBlanks) } : secret
    }
    // An empty one is a yes to some systems.
    self.pin = pin.flatMap { $0.isEmpty ? nil : $0 }
    isSound = rules.takes(card: card) && (self.pin.map(rules.takes(pin:)) ?? false)
  }

  /// Names card and PIN together without being either.
  var digest: [UInt8] {
    let pin = pin?.revealText { $0 } ?? ""
    return Digest.sha256.hash("\(card.utf8.count) \(card)\u{0}\(pin)")
  }
}
