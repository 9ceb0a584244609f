import Circulation
import Crypto
import HTTP
import HTTPClient
import ProviderKit
import Secrets

/// What this adapter needs to know of the operator's project and of a reader, checked once.
struct Settings: Sendable {
  let api: Address
  let page: Address
  let token: Address
  let clientID: Secret
  let client: OAuth2.Client
  /// Servers stand nowhere that the service can see, so it is told a country always (§3).
  let country: String
  let refresh: RenewableSecret?
  /// Names the reader without being any secret.
  let digest: [UInt8]

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    api = try library.endpoint("api")
    page = try library.endpoint("authorize")
    token = try library.endpoint("token")
    clientID = try library.secret("client_id")
    client = OAuth2.Client(
      id: clientID, secret: try library.secret("client_secret"), presentation: .inBody)
    country = library.settings["country"].flatMap { $0.isEmpty ? nil : $0 } ?? "US"
    refresh = credentials?.renewable("refresh_token")
    digest = Digest.sha256.hash(refresh?.current.revealText { $0 } ?? "")
  }

  static let scope = "https://www.googleapis.com/auth/books"
  static let perPage = 40

  static let needs = LibraryNeeds(
    settings: [
      .init("client_id", "The client id of your project", isSecret: true),
      .init("client_secret", "Its secret", isSecret: true),
      .init("country", "Two letters; US unless said", isSecret: false, isRequired: false),
    ],
    environments: [
      "production": [
        "api": "https://www.googleapis.com/books/v1",
        "authorize": "https://accounts.google.com/o/oauth2/v2/auth",
        "token": "https://oauth2.googleapis.com/token",
      ]
    ])
}

// Each remote call as a value. A mask is sent with each: it saves nine tenths (§3).
extension Settings {
  var shelves: WireRequest {
    asked(
      ["mylibrary", "bookshelves"],
      [("fields", "kind,items(\(Self.shelfFields))")])
  }

  func volumes(on shelf: Int, from start: Int) -> WireRequest {
    asked(
      ["mylibrary", "bookshelves", String(shelf), "volumes"],
      [
        ("startIndex", String(start)), ("maxResults", String(Self.perPage)),
        ("showPreorders", "true"), ("country", country), ("fields", Self.volumeFields),
      ])
  }

  func search(_ words: String) -> WireRequest {
    asked(
      ["volumes"],
      [
        ("q", words), ("maxResults", "10"), ("printType", "books"), ("country", country),
        ("fields", Self.volumeFields),
      ])
  }

  /// Everything stands in the query and the body is empty (§2).
  func change(
    _ verb: String, on shelf: Int, _ volume: ItemID?, _ more: [(name: String, value: String)] = []
  ) -> WireRequest {
    var query = more
    if let volume { query.insert(("volumeId", volume.rawValue), at: 0) }
    query.append(("country", country))
    var request = asked(["mylibrary", "bookshelves", String(shelf), verb], query)
    (request.method, request.isRepeatable) = (.post, false)
    return request
  }

  private static let shelfFields = "id,title,access,volumeCount,volumesLastUpdated"
  private static let volumeFields =
    "kind,totalItems,items(id,volumeInfo(title,subtitle,authors,publishedDate,"
    + "industryIdentifiers,canonicalVolumeLink))"

  private func asked(_ path: [String], _ query: [(name: String, value: String)]) -> WireRequest {
    let address = path.reduce(api) { $0.appending(segment: $1) }
    // Compressed only for who has the word in the name, too (§3).
    var request = WireRequest(
      .get, address.adding(query.map { .init($0.name, $0.value) }),
      headers: ["Accept": "application/json", "User-Agent": "Carrel (gzip)"])
    request.isFinal = { Documents.isQuotaOfTheDay($0.body) }
    return request
  }
}
