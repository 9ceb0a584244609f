import Circulation
import HTTP
import ProviderKit
import Secrets

/// What this adapter needs to know of the operator's key and of a reader, checked once.
struct Settings: Sendable {
  let api: Address
  let consumer: OAuth1.Keys
  let reader: Reader?

  struct Reader: Sendable {
    let token: OAuth1.Keys
    let userID: String
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    api = try library.endpoint("api")
    consumer = OAuth1.Keys(
      name: try library.secret("key"), secret: try library.secret("secret"))
    reader = credentials.flatMap(Reader.init)
  }

  static let needs = LibraryNeeds(
    settings: [
      .init("key", "The developer key", isSecret: true),
      .init("secret", "The secret that goes with it", isSecret: true),
    ],
    environments: ["production": ["api": "https://www.goodreads.com"]])
}

extension Settings.Reader {
  init?(_ given: Credentials) {
    guard let token = given["token"], let secret = given["token_secret"],
      let number = given["user_id"], !token.isEmpty
    else { return nil }
    self.token = OAuth1.Keys(name: token, secret: secret)
    userID = number.revealText { $0 }
  }
}

/// A shelf and whose it is. One's own go by their names alone, a friend's by number and name.
struct Shelf: Sendable, Hashable {
  let owner: String
  let slug: String
  private let isOwn: Bool

  init(_ list: ListID, owner: String) {
    let parts = list.rawValue.split(separator: "/", maxSplits: 1).map(String.init)
    isOwn = parts.count < 2
    self.owner = isOwn ? owner : parts[0]
    slug = parts.last ?? ""
  }

  /// All of one's own.
  init(owner: String) { self.init(ListID(""), owner: owner) }

  private init(_ slug: String, _ owner: String, isOwn: Bool) {
    (self.slug, self.owner, self.isOwn) = (slug, owner, isOwn)
  }

  static func of(friend: String) -> Shelf { Shelf("", friend, isOwn: false) }

  func id(_ slug: String) -> ListID { ListID(isOwn ? slug : "\(owner)/\(slug)") }
}
