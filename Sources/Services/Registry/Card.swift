package import Circulation
package import ProviderKit
import Secrets
import Vault

/// What may be known of a card without opening a secret.
struct Card: Sendable {
  /// For readers to tell their cards apart; nothing of a number so short that it would tell most of it.
  let ending: String?
  /// For finding the same card again. Bound to the patron and the library, so that two rows do not
  /// show that two readers share a card.
  let index: [UInt8]?
  /// For finding whom the card signs in: bound to nobody.
  let subject: [UInt8]?

  init(
    _ credentials: Credentials, at library: LibraryID, of provider: ProviderID, patron: PatronID,
    _ vault: Vault?
  ) {
    guard let vault, let number = credentials["card"].map({ CardNumber($0).plain }), !number.isEmpty
    else {
      (ending, index, subject) = (nil, nil, nil)
      return
    }
    ending = Self.ending(of: number)
    index = Self.index(of: number, at: library, of: provider, patron: patron, vault)
    subject = Self.subject(of: number, vault)
  }

  /// `number` is plain.
  static func subject(of number: Secret, _ vault: Vault) -> [UInt8] {
    // No index of a card or of a member begins like that.
    number.revealText { vault.index(of: Secret("sign-in\0card\0\($0)")) }
  }

  /// `number` is plain.
  static func ending(of number: Secret) -> String? {
    number.revealText { $0.count >= 8 ? String($0.suffix(4)) : nil }
  }

  static func index(
    of number: Secret, at library: LibraryID, of provider: ProviderID, patron: PatronID,
    _ vault: Vault
  ) -> [UInt8] {
    number.revealText { text in
      // A zero byte stands in none of the names.
      vault.index(
        of: Secret("\(patron.rawValue)\0\(provider.rawValue)\0\(library.rawValue)\0\(text)"))
    }
  }
}
