import Circulation
import HTTP
import ProviderKit
import Secrets

/// What this adapter needs to know of a library and of a reader, checked once.
struct Settings: Sendable {
  let partner: Address
  let libraryID: String
  let accountID: String
  let accountKey: Secret
  /// Whether a loan may be given back in order to borrow it anew (§7): the library's consent, since
  /// another reader may take the copy in between.
  let renewsByReturn: Bool
  let needsPIN: Bool
  let reader: Reader?

  struct Reader: Sendable {
    let card: Secret
    let pin: Secret?
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    partner = try library.endpoint("partner")
    libraryID = try library.setting("library_id")
    accountID = try library.setting("account_id")
    accountKey = try library.secret("account_key")
    renewsByReturn = try library.flag("renew_by_return", default: false)
    needsPIN = try library.flag("pin_required", default: true)
    guard let card = credentials?["card"] else {
      reader = nil
      return
    }
    // The service trusts whoever signs, so a card without its PIN is anybody's card.
    let pin = needsPIN ? credentials?["pin"] : nil
    if needsPIN, pin?.isEmpty ?? true {
      throw SettingsFault(library.id, "pin", "is needed by this library")
    }
    reader = Reader(card: card, pin: pin)
  }
}
