import Circulation
import Crypto
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import ProviderKit
import Secrets

/// The REST interface of Koha, asked with an account of staff that has a few permissions. §1 of the
/// reference is in the README, table by table.
struct Koha: Sendable {
  /// Where the interface begins: `https://ils.example/api/v1`.
  let base: Address
  let account: Account
  let desk: Settings
  let session: Session

  enum Account: Sendable {
    case client(id: Secret, secret: Secret)
    case staff(name: Secret, password: Secret)
  }

  static let needs: [ProviderListing.Field] = [
    Settings.field("koha_client_id", "The id of a Koha API key"),
    Settings.field("koha_client_secret", "The secret of that API key", isSecret: true),
    Settings.field("koha_user", "A Koha staff account, where there is no API key"),
    Settings.field("koha_password", "The password of that account", isSecret: true),
  ]

  init(_ library: Library, _ settings: Settings, _ session: Session) throws(SettingsFault) {
    base = try library.endpoint("koha")
    (desk, self.session) = (settings, session)
    if let id = library.settings["koha_client_id"], !id.isEmpty {
      account = .client(id: Secret(id), secret: try library.secret("koha_client_secret"))
    } else {
      account = .staff(
        name: Secret(try library.setting("koha_user")),
        password: try library.secret("koha_password"))
    }
  }

  // MARK: - Addresses

  /// `path` without a slash before it; its parts are numbers of the system's own.
  func address(_ path: String, _ query: [Address.QueryItem] = []) -> Address {
    var address = base
    for part in path.split(separator: "/") { address = address.appending(segment: String(part)) }
    // Where the whole is meant, with the slash that its server wants.
    if path.isEmpty, !address.path.hasSuffix("/") { address = address.appending(segment: "") }
    return query.isEmpty ? address : address.adding(query)
  }

  // MARK: - Asking

  /// The answer, whatever its status.
  func send(
    _ request: WireRequest, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> KohaAnswer {
    var request = request
    if request.headers["Accept"] == nil { request.headers.set("Accept", "application/json") }
    // A reader's shelf is small, and a page of copies is, too.
    request.bodyLimit = 4 << 20
    switch account {
    case .client(let id, let secret):
      let authorization = clientToken(id, secret, operation)
      return KohaAnswer(
        try await session.send(request, as: authorization, operation, in: call))
    case .staff(let name, let password):
      let pair = name.revealText { name in password.revealText { "\(name):\($0)" } }
      request.headers.set("Authorization", "Basic \(Base64.standard.encode(Array(pair.utf8)))")
      return KohaAnswer(try await session.send(request, operation, in: call))
    }
  }

  private func clientToken(
    _ id: Secret, _ secret: Secret, _ operation: Circulation.Operation
  ) -> ProviderKit.Authorization {
    let pair = id.revealText { id in secret.revealText { "\(id)\u{0}\($0)" } }
    return ProviderKit.Authorization(
      key: .init(scope: "koha \(base.text)", credentials: Digest.sha256.hash(pair)),
      fetch: { [self] call throws(CirculationError) in
        let asked = session.clock.now()
        let request = OAuth2.request(
          .clientCredentials, as: .init(id: id, secret: secret, presentation: .inBody),
          at: address("oauth/token"))
        let answer = KohaAnswer(try await session.send(request, operation, in: call))
        let json = try answer.document(operation)
        guard let tokens = OAuth2.Tokens(json) else {
          throw Failures.malformed("a token", operation)
        }
        return tokens.token(asked: asked)
      })
  }

  func get(
    _ path: String, _ query: [Address.QueryItem], _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> KohaAnswer {
    try await send(WireRequest(.get, address(path, query)), operation, in: call)
  }

  /// A command, which is never sent a second time behind our back.
  func command(
    _ method: HTTP.Method, _ path: String, _ body: JSONValue? = nil,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> KohaAnswer {
    var request = WireRequest(method, address(path), body: body?.bytes() ?? [])
    if body != nil { request.headers.set("Content-Type", "application/json") }
    request.isRepeatable = false
    return try await send(request, operation, in: call)
  }

  /// All pages of a list. It is whole, or it is an error: half a shelf would pass for a whole one.
  func list(
    _ path: String, _ query: [Address.QueryItem], accept: String? = nil,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [JSONValue] {
    var found: [JSONValue] = []
    for page in 1...Self.mostPages {
      let (rows, answer) = try await self.page(
        path, query, page, accept: accept, operation, in: call)
      found += rows
      let total = answer.total ?? (rows.count < Self.perPage ? found.count : Int.max)
      if found.count >= total { return found }
      guard !rows.isEmpty, rows.count == Self.perPage || answer.total == nil else {
        throw Failures.malformed("all of \(total) entries", operation)
      }
    }
    throw Failures.malformed("a list of bounded length", operation)
  }

  /// The first page, however many there are.
  func page(
    _ path: String, _ query: [Address.QueryItem], accept: String,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [JSONValue] {
    try await page(path, query, 1, accept: accept, operation, in: call).rows
  }

  private func page(
    _ path: String, _ query: [Address.QueryItem], _ number: Int, accept: String?,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> (rows: [JSONValue], answer: KohaAnswer) {
    var request = WireRequest(
      .get,
      address(
        path,
        query + [.init("_page", String(number)), .init("_per_page", String(Self.perPage))]))
    if let accept { request.headers.set("Accept", accept) }
    let answer = try await send(request, operation, in: call)
    guard let rows = try answer.document(operation).array else {
      throw Failures.malformed("a list", operation)
    }
    return (rows, answer)
  }

  static let perPage = 100
  private static let mostPages = 50

  /// A filter over fields of the interface, as its lists take it.
  static func filter(_ json: JSONValue) -> Address.QueryItem { Address.QueryItem("q", json.text()) }

  static func among(_ field: String, _ numbers: [Int]) -> Address.QueryItem {
    filter([JSONObject.Member(field, .array(numbers.map(JSONValue.integer)))].object)
  }
}

extension [JSONObject.Member] {
  var object: JSONValue { .object(JSONObject(self)) }
}
