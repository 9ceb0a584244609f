import Circulation
import HTTP
import JSON
import ProviderKit
import Secrets

// Each remote call as a value, with its section number. Nothing here sends.

extension Settings {
  // MARK: Signing in (§2)

  func signIn(_ way: Way) -> WireRequest {
    switch way {
    case .keys(let access, let secret):
      let keys: JSONValue = [
        "access": .string(access.revealText { $0 }), "secret": .string(secret.revealText { $0 }),
      ]
      return dressed(posted(["account", "login"], keys, isRepeatable: true))
    case .form(let email, let password):
      var request = WireRequest.form(
        at(["account", "login"]),
        [
          ("username", email.revealText { $0 }), ("password", password.revealText { $0 }),
          ("remember", "true"), ("redirect", "/"),
        ])
      request.isRepeatable = true
      return dressed(request)
    }
  }

  // MARK: The reading log (§3)

  func log(_ shelf: Shelf, of user: String, page: Int, words: String? = nil) -> WireRequest {
    var query = [("page", String(page)), ("limit", String(Self.perPage)), ("mode", "everything")]
    if let words { query.append(("q", words)) }
    return asked(people(user, "books", "\(shelf.slug).json"), query, of: user)
  }

  /// Staying where it is would take it off, unless that is said not to be meant.
  func put(_ work: Key, on shelf: Shelf?, edition: Key?) -> WireRequest {
    var fields = [("bookshelf_id", String(shelf?.rawValue ?? -1)), ("dont_remove", "true")]
    if let edition { fields.append(("edition_id", edition.name)) }
    return written(["works", work.name, "bookshelves.json"], fields)
  }

  /// Without a rating what was given is taken back.
  func rate(_ work: Key, _ stars: Int?, edition: Key?) -> WireRequest {
    var fields: [(name: String, value: String)] = []
    if let stars { fields.append(("rating", String(stars))) }
    if let edition { fields.append(("edition_id", edition.name)) }
    return written(["works", work.name, "ratings.json"], fields)
  }

  var ratings: WireRequest { asked(["account", "export"], [("type", "ratings")]) }

  func checkIn(_ work: Key, _ checkIn: CheckIn) -> WireRequest {
    dressed(posted(["works", work.name, "check-ins"], checkIn.json, isRepeatable: false))
  }

  func withdraw(_ checkIn: Int) -> WireRequest {
    dressed(WireRequest(.delete, at(["check-ins", String(checkIn)]), isRepeatable: true))
  }

  // MARK: Lists (§4)

  func lists(of user: String, from offset: Int, most: Int = Settings.perPage) -> WireRequest {
    asked(
      people(user, "lists.json"), [("limit", String(most)), ("offset", String(offset))], of: user)
  }

  func seeds(of list: Key, of user: String) -> WireRequest {
    asked(people(user, "lists", list.name, "seeds.json"), [], of: user)
  }

  func change(_ list: Key, of user: String, adding: [Key] = [], removing: [Key] = [])
    -> WireRequest
  {
    func seeds(_ keys: [Key]) -> JSONValue { .array(keys.map { ["key": .string($0.path)] }) }
    var request = posted(
      people(user, "lists", list.name, "seeds.json"),
      ["add": seeds(adding), "remove": seeds(removing)], isRepeatable: false)
    request.shownPath = shown(request.address, of: user)
    return dressed(request)
  }

  // MARK: Books (§5)

  func record(_ key: Key) -> WireRequest {
    asked([key.kind == .work ? "works" : "books", "\(key.name).json"])
  }

  func books(_ numbers: [String]) -> WireRequest {
    asked(
      ["api", "books"],
      [("bibkeys", numbers.joined(separator: ",")), ("format", "json"), ("jscmd", "details")])
  }

  func works(_ keys: [Key]) -> WireRequest {
    search([("q", "key:(\(keys.map { "\"\($0.path)\"" }.joined(separator: " OR ")))")], keys.count)
  }

  func search(title: String?, author: String?, most: Int) -> WireRequest {
    search(
      [("title", title), ("author", author)].compactMap { field in
        field.1.map { (field.0, $0) }
      }, most)
  }

  func availability(of works: [Key]) -> WireRequest {
    asked(
      ["availability", "v2"],
      [("type", "openlibrary_work"), ("ids", works.map(\.name).joined(separator: ","))])
  }

  static let perPage = 100

  // MARK: Shapes

  private func search(_ query: [(name: String, value: String)], _ most: Int) -> WireRequest {
    asked(
      ["search.json"],
      query + [
        ("fields", "key,title,author_name,first_publish_year,cover_edition_key"),
        ("limit", String(most)),
      ])
  }

  private func people(_ user: String, _ rest: String...) -> [String] { ["people", user] + rest }

  private func at(_ segments: [String]) -> Address {
    segments.reduce(api) { $0.appending(segment: $1) }
  }

  private func asked(
    _ path: [String], _ query: [(name: String, value: String)] = [], of user: String? = nil
  ) -> WireRequest {
    var request = WireRequest(.get, at(path).adding(query.map { .init($0.name, $0.value) }))
    if let user { request.shownPath = shown(request.address, of: user) }
    return dressed(request)
  }

  private func written(_ path: [String], _ fields: [(name: String, value: String)])
    -> WireRequest
  {
    var request = WireRequest.form(at(path), fields)
    request.isRepeatable = false
    return dressed(request)
  }

  private func posted(_ path: [String], _ json: JSONValue, isRepeatable: Bool) -> WireRequest {
    WireRequest(
      .post, at(path), headers: ["Content-Type": "application/json"], body: json.bytes(),
      isRepeatable: isRepeatable)
  }

  private func dressed(_ request: WireRequest) -> WireRequest {
    var request = request
    request.headers.set("Accept", "application/json, text/csv")
    request.headers.set("User-Agent", agent)
    return request
  }

  /// Readers' names stand in addresses, and in no journal.
  private func shown(_ address: Address, of user: String) -> String {
    address.path.replacing("/people/\(PercentCoding.encode(segment: user))/", with: "/people/-/")
  }
}
