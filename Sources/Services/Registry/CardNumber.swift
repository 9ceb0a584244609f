package import ProviderKit
package import Secrets
import Text

/// A card number, or a user name in its place, as it is read here. The only place that decides which
/// spellings are one card: a library may take more of them for one than we do, and each that were
/// counted by itself would be one more row of guesses at its PIN.
package struct CardNumber: Sendable {
  /// What libraries are asked for and what is kept: as it was typed, but for invisible characters,
  /// compatibility forms and the digits of other scripts. Empty where the text is no number.
  package let asked: Secret
  /// What finds the card again: also without blanks, dashes and case.
  let plain: Secret

  package init(_ typed: Secret) {
    asked = typed.revealText { Secret(Plainness.plain($0) ?? "") }
    plain = asked.revealText { text in
      Secret(text.filter { !$0.isWhitespace && $0 != "-" }.uppercased())
    }
  }

  /// What guesses are counted under. It may be that of other cards, too, and opens nothing.
  var counted: Secret { asked.revealText { Secret(Plainness.loose($0) ?? "") } }

  /// As the same card was found before other spellings became one; nil where that is no difference.
  static func earlier(_ typed: Secret) -> Secret? {
    let earlier = typed.revealText { text in
      Secret(text.filter { !$0.isWhitespace && $0 != "-" }.uppercased())
    }
    return earlier.matches(CardNumber(typed).plain) ? nil : earlier
  }
}

extension Credentials {
  /// With the card's number as libraries are asked for it. Nil where what was given is no number.
  package var readable: Credentials? {
    guard let typed = self["card"], !typed.isEmpty else { return self }
    let asked = CardNumber(typed).asked
    return asked.isEmpty ? nil : Credentials(fields.merging(["card": asked]) { $1 })
  }
}
