import Circulation
import Crypto
import HTTP
import ProviderKit
import Secrets

/// What this adapter needs to know of a library and of a reader, checked once.
struct Settings: Sendable {
  let discovery: Address
  let patron: Address
  let oauth: Address
  let patronOAuth: Address
  let clientKey: Secret
  let clientSecret: Secret
  let libraryID: String
  /// The child collection inside a consortium whose own copies count.
  let advantage: Int?
  let websiteID: String
  /// Tells the service which of the consortium's systems checks the card: it belongs to the library,
  /// not to the collection.
  let authorizationName: String
  let needsPIN: Bool
  let reader: Reader?

  /// How the reader proves who they are.
  enum Reader: Sendable {
    case card(Secret, pin: Secret?)
    /// Signed in at the service's own page; nothing of the card is known here.
    case granted(refreshToken: Secret)
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    discovery = try library.endpoint("discovery")
    patron = try library.endpoint("patron")
    oauth = try library.endpoint("oauth")
    patronOAuth = try library.endpoint("patron_oauth")
    clientKey = try library.secret("client_key")
    clientSecret = try library.secret("client_secret")
    libraryID = try library.setting("library_id")
    websiteID = try library.setting("website_id")
    authorizationName = try library.setting("authorization_name")
    needsPIN = try library.flag("pin_required", default: true)
    if let text = library.settings["advantage_id"] {
      guard let number = Int(text), number > 0 else {
        throw SettingsFault(library.id, "advantage_id", "is no account number")
      }
      advantage = number
    } else {
      advantage = nil
    }
    if let token = credentials?["refresh_token"] {
      reader = .granted(refreshToken: token)
    } else if let card = credentials?["card"] {
      let pin = credentials?["pin"]
      if needsPIN, pin?.isEmpty ?? true {
        throw SettingsFault(library.id, "pin", "is needed by this library")
      }
      reader = .card(card, pin: pin)
    } else {
      reader = nil
    }
  }

  /// Names reader and secret together, without being either.
  var readerDigest: [UInt8] {
    var stream = DigestStream(.sha256)
    switch reader {
    case nil: break
    case .card(let card, let pin):
      card.reveal { stream.update($0) }
      stream.update([0])
      pin?.reveal { stream.update($0) }
    case .granted(let token): token.reveal { stream.update($0) }
    }
    return stream.finish()
  }
}
