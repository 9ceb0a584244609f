import HTTP
import HTTPServer
import JSON
import MockKit

/// Libraries, and which discovery request goes where.
extension Visit {
  /// Nil for requests about a reader.
  func discovery(_ route: Route, _ state: WorldState) throws(Failure) -> Response? {
    switch route {
    case .library(let id): return .overdrive(libraryDocument(try known(id, state)))
    case .advantageAccounts(let id): return .overdrive(advantage(try known(id, state)))
    case .advantageAccount(let id, let child):
      let accounts = advantage(try known(id, state))["advantageAccounts"]?.array ?? []
      guard let account = accounts.first(where: { $0["id"]?.integer == Int(child) }) else {
        throw .notFound
      }
      return .overdrive(account)
    case .products(let token):
      return .overdrive(try ProductList(self, try Collection(token, state)).json)
    case .product(let token, let id):
      let collection = try Collection(token, state)
      return .overdrive(product(try collection.title(id), in: collection, isMinimal: false))
    case .issues(let token, let id):
      let collection = try Collection(token, state)
      _ = try collection.title(id)
      return .overdrive([
        "id": .string(token), "limit": 25, "offset": 0, "totalItems": 0, "links": [:],
      ])
    case .metadata(let token, let id):
      let collection = try Collection(token, state)
      return .overdrive(metadata(try collection.title(id), in: collection))
    case .bulkMetadata(let token):
      let collection = try Collection(token, state)
      let titles = try several("reserveIds", in: collection)
      return .overdrive(["metadata": .array(titles.map { metadata($0, in: collection) })])
    case .availability(let version, let token, let id):
      let collection = try Collection(token, state)
      return .overdrive(availability(try collection.title(id), in: collection, version: version))
    case .bulkAvailability(let token):
      let collection = try Collection(token, state)
      let titles = try several("products", in: collection)
      return .overdrive([
        "totalItems": .integer(titles.count),
        "availability": .array(titles.map { availability($0, in: collection, version: 2) }),
      ])
    default: return nil
    }
  }

  private func known(_ id: String, _ state: WorldState) throws(Failure) -> MockLibrary {
    guard let library = state.library(id, of: OverDriveDialect.name) else { throw .notFound }
    return library
  }

  /// At most 25 ids; those that are not known are left out without a word.
  private func several(_ name: String, in collection: Collection) throws(Failure) -> [Title] {
    guard let text = query(name), !text.isEmpty else { throw .missing(name) }
    let ids = text.split(separator: ",").map(String.init)
    guard ids.count <= 25 else {
      throw Failure(.badRequest, "TooManyItems", "At most 25 ids may be asked for at once.")
    }
    return ids.compactMap { try? collection.title($0) }
  }

  private func libraryDocument(_ library: MockLibrary) -> JSONValue {
    let token = library.settings["collection_token"]?.string ?? ""
    var links: JSONObject = [
      "self": link("/v1/libraries/\(library.id)"),
      "products": link("/v1/collections/\(token)/products"),
      "dlrHomepage": link("/library", "text/html"),
    ]
    if library.settings["advantage"] != nil {
      links["advantageAccounts"] = link("/v1/libraries/\(library.id)/advantageAccounts")
    }
    return [
      "id": .integer(Int(library.id) ?? 0), "name": .string(library.name),
      "type": library.settings["type"] ?? "Library", "collectionToken": .string(token),
      "links": .object(links), "formats": Self.formats(Self.formatNames.map(\.id)),
    ]
  }

  private func advantage(_ library: MockLibrary) -> JSONValue {
    let own = "/v1/libraries/\(library.id)/advantageAccounts"
    let accounts = (library.settings["advantage"]?.array ?? []).map { child -> JSONValue in
      let (id, token) = (child["id"]?.integer ?? 0, child["collectionToken"]?.string ?? "")
      return [
        "id": .integer(id), "name": child["name"] ?? "", "type": "Library Advantage Account",
        "collectionToken": .string(token),
        "links": [
          "self": link("\(own)/\(id)"), "products": link("/v1/collections/\(token)/products"),
        ],
        "formats": Self.formats(Self.formatNames.map(\.id)),
      ]
    }
    return [
      "id": .integer(Int(library.id) ?? 0), "links": ["self": link(own)],
      "advantageAccounts": .array(accounts), "totalItems": .integer(accounts.count),
    ]
  }

  static let formatNames: [(id: String, name: String)] = [
    ("ebook-overdrive", "OverDrive Read"), ("ebook-epub-adobe", "Adobe EPUB eBook"),
    ("ebook-epub-open", "Open EPUB eBook"), ("ebook-pdf-adobe", "Adobe PDF eBook"),
    ("ebook-pdf-open", "Open PDF eBook"), ("ebook-kindle", "Kindle Book"),
    ("audiobook-overdrive", "OverDrive Listen audiobook"), ("audiobook-mp3", "MP3 audiobook"),
    ("magazine-overdrive", "OverDrive Magazine"), ("video-streaming", "Streaming Video"),
  ]

  static func formats(_ ids: [String]) -> JSONValue {
    .array(
      ids.map { id in
        let name = formatNames.first { $0.id == id }?.name ?? id
        return ["id": .string(id), "name": .string(name)]
      })
  }

  static func mediaType(_ title: Title) -> String {
    switch title.medium {
    case "audiobook": "Audiobook"
    case "magazine": "Magazine"
    case "video": "Video"
    default: "eBook"
    }
  }
}
