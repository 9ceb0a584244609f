import Circulation
import Crypto
import FoundationEssentials
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
  let signIn: SignIn
  let reader: Reader?

  /// How readers of the library prove who they are.
  enum SignIn: Sendable, Hashable {
    case card(CardCheck)
    case page

    /// What a token is good for, besides the reader.
    var scope: String {
      switch self {
      case .card(let check): check.scope
      case .page: "page"
      }
    }
  }

  struct CardCheck: Sendable, Hashable {
    let websiteID: String
    /// Tells the service which of the consortium's systems checks the card: it belongs to the
    /// library, not to the collection.
    let authorizationName: String
    let needsPIN: Bool

    var scope: String { "websiteid:\(websiteID) authorizationname:\(authorizationName)" }
  }

  struct Reader: Sendable {
    enum Proof: Sendable {
      case card(Secret, pin: Secret?, CardCheck)
      /// Signed in at the service's own page; nothing of the card is known here.
      case granted(RenewableSecret)
      /// The same, but for the life of one token.
      case once(Secret, until: Date)
    }

    let proof: Proof
    /// Names reader and secret together, without being either. It stays the same when the service
    /// replaces the secret.
    let digest: [UInt8]
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    discovery = try library.endpoint("discovery")
    patron = try library.endpoint("patron")
    oauth = try library.endpoint("oauth")
    patronOAuth = try library.endpoint("patron_oauth")
    clientKey = try library.secret("client_key")
    clientSecret = try library.secret("client_secret")
    libraryID = try library.setting("library_id")
    advantage = try Self.advantage(of: library)
    let way = try SignIn(library)
    signIn = way
    reader = try credentials.flatMap { given throws(SettingsFault) in
      try Reader(given, at: library, way)
    }
  }

  private static func advantage(of library: Library) throws(SettingsFault) -> Int? {
    guard let text = library.settings["advantage_id"] else { return nil }
    guard let number = Int(text), number > 0 else {
      throw SettingsFault(library.id, "advantage_id", "is no account number")
    }
    return number
  }
}

extension Settings.SignIn {
  init(_ library: Library) throws(SettingsFault) {
    switch library.settings["sign_in"] {
    case "page": self = .page
    case nil, "card":
      self = .card(
        Settings.CardCheck(
          websiteID: try library.setting("website_id"),
          authorizationName: try library.setting("authorization_name"),
          needsPIN: try library.flag("pin_required", default: true)))
    default: throw SettingsFault(library.id, "sign_in", "is neither card nor page")
    }
  }
}

extension Settings.Reader {
  /// Nil where the credentials hold nothing that this library asks for.
  init?(_ given: Credentials, at library: Library, _ way: Settings.SignIn) throws(SettingsFault) {
    if let token = given.renewable("refresh_token") {
      self.init(proof: .granted(token), digest: Self.digest(of: token.current))
    } else if let token = given["access_token"],
      let until = given["access_until"]?.revealText({ WireDate.instant($0) })
    {
      self.init(proof: .once(token, until: until), digest: Self.digest(of: token))
    } else if let card = given["card"], case .card(let check) = way {
      let pin = given["pin"]
      if check.needsPIN, pin?.isEmpty ?? true {
        throw SettingsFault(library.id, "pin", "is needed by this library")
      }
      self.init(proof: .card(card, pin: pin, check), digest: Self.digest(of: card, pin))
    } else {
      return nil
    }
  }

  private static func digest(of secrets: Secret?...) -> [UInt8] {
    var stream = DigestStream(.sha256)
    for (index, secret) in secrets.enumerated() {
      if index > 0 { stream.update([0]) }
      secret?.reveal { stream.update($0) }
    }
    return stream.finish()
  }
}
