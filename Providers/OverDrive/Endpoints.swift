import Circulation
import HTTP
import JSON
import ProviderKit
import Secrets

// Each remote call as a value, with its section number. Nothing here sends.

extension Settings {
  // MARK: Tokens

  /// §2.1
  var clientToken: WireRequest {
    OAuth2.request(.clientCredentials, as: client, at: oauth.at(["token"]))
  }

  /// §2.2. A library without PINs still wants a password that is not empty.
  func patronToken(_ card: Secret, _ pin: Secret?, _ check: CardCheck) -> WireRequest {
    OAuth2.request(
      .password(user: card, password: check.needsPIN ? pin ?? Secret("") : Secret("[ignore]")),
      as: client, at: patronOAuth.at(["patrontoken"]), scope: check.scope,
      extra: check.needsPIN ? [] : [("password_required", "false")])
  }

  /// §2.3
  func signInPage(_ visit: OAuth2.Visit) -> Address {
    visit.address(at: oauth.at(["auth"]), client: clientKey, scope: "accountId:\(libraryID)")
  }

  func exchange(_ code: Secret, redirect: String) -> WireRequest {
    OAuth2.request(
      .code(code, redirect: redirect, verifier: nil), as: client, at: oauth.at(["token"]))
  }

  func refresh(_ token: Secret) -> WireRequest {
    OAuth2.request(.refresh(token), as: client, at: oauth.at(["token"]))
  }

  private var client: OAuth2.Client { OAuth2.Client(id: clientKey, secret: clientSecret) }

  // MARK: Discovery

  /// §4.1, and §4.2 for a child collection.
  var libraryDocument: WireRequest {
    var path = ["v1", "libraries", libraryID]
    if let advantage { path += ["advantageAccounts", String(advantage)] }
    return WireRequest(.get, discovery.at(path))
  }

  /// §5.1
  func products(in token: String, _ items: [Address.QueryItem]) -> WireRequest {
    WireRequest(
      .get, discovery.at(["v1", "collections", token, "products"]).adding(items))
  }

  /// §7: at most 25.
  func bulkMetadata(in token: String, of items: [ItemID]) -> WireRequest {
    let ids = items.map(\.rawValue).joined(separator: ",")
    return WireRequest(
      .get,
      discovery.at(["v1", "collections", token, "bulkmetadata"]).adding([.init("reserveIds", ids)]))
  }

  /// §6.2: at most 25.
  func bulkAvailability(in token: String, of items: [ItemID]) -> WireRequest {
    let ids = items.map(\.rawValue).joined(separator: ",")
    return WireRequest(
      .get,
      discovery.at(["v2", "collections", token, "availability"]).adding([.init("products", ids)]))
  }

  /// §6.1
  func availability(in token: String, of item: ItemID) -> WireRequest {
    WireRequest(
      .get,
      discovery.at(["v2", "collections", token, "products", item.rawValue, "availability"]))
  }

  // MARK: The reader

  /// §8.1
  var patronInformation: WireRequest { WireRequest(.get, patron.at(["v1", "patrons", "me"])) }

  /// §8.2
  var checkouts: WireRequest {
    WireRequest(.get, patron.at(["v1", "patrons", "me", "checkouts"]))
  }

  /// Upper case, as circulation has it.
  func checkout(_ item: ItemID) -> WireRequest {
    WireRequest(
      .get, patron.at(["v1", "patrons", "me", "checkouts", item.rawValue.uppercased()]))
  }

  /// §8.3. The format is left out: choosing one now would forbid the early return.
  func checkOut(_ item: ItemID) -> WireRequest {
    .fields(
      .post, patron.at(["v1", "patrons", "me", "checkouts"]),
      [("reserveId", item.rawValue.uppercased())])
  }

  /// §9.1
  func lock(_ item: ItemID, to format: String, by action: WireAction) throws(LinkFault)
    -> WireRequest
  {
    .fields(
      .post, try own(action.href),
      [("reserveId", item.rawValue.uppercased()), ("formatType", format)])
  }

  /// §10.2
  var holds: WireRequest { WireRequest(.get, patron.at(["v1", "patrons", "me", "holds"])) }

  func hold(_ item: ItemID) -> WireRequest {
    WireRequest(.get, patron.at(["v1", "patrons", "me", "holds", item.rawValue.uppercased()]))
  }

  /// §10.1. The address given is kept for the whole account, so none is invented.
  func placeHold(_ item: ItemID, email: String?) -> WireRequest {
    .fields(
      .post, patron.at(["v1", "patrons", "me", "holds"]),
      [
        ("reserveId", item.rawValue.uppercased()),
        email.map { ("emailAddress", $0) } ?? ("ignoreHoldEmail", "true"),
      ])
  }

  /// §10.4
  func removeHold(_ item: ItemID) -> WireRequest {
    WireRequest(.delete, hold(item).address)
  }

  /// §10.5: POST for a new suspension, PUT to change one.
  func suspend(_ item: ItemID, days: Int?, email: String?, isNew: Bool) -> WireRequest {
    var fields = [("suspensionType", days == nil ? "indefinite" : "limited")]
    if let days { fields.append(("numberOfDays", String(days))) }
    if let email { fields.append(("emailAddress", email)) }
    return .fields(
      isNew ? .post : .put, hold(item).address.appending(segment: "suspension"), fields)
  }

  func release(_ item: ItemID) -> WireRequest {
    WireRequest(.delete, hold(item).address.appending(segment: "suspension"))
  }

  // MARK: Links the service gave

  struct LinkFault: Error {}

  /// A link of the interface itself, which our token may be sent to. Whatever host it names, it is
  /// called on the endpoint that the configuration names: a token never goes where an answer says,
  /// and recorded answers work against a stand-in.
  func own(_ href: String) throws(LinkFault) -> Address {
    guard let address = try? Address(Links.clean(href)) else { throw LinkFault() }
    let base = address.path.contains("/patrons/") ? patron : discovery
    guard let moved = try? Address(base.origin.description + address.target) else {
      throw LinkFault()
    }
    return moved
  }
}

extension Address {
  /// The same question, put to the collection of that token.
  func inCollection(_ token: String) -> Address {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let place = parts.firstIndex(of: "collections"), place + 1 < parts.count else {
      return self
    }
    parts[place + 1] = Address.encoded(token)
    let tail = query.map { "?\($0)" } ?? ""
    return (try? Address(origin.description + parts.joined(separator: "/") + tail)) ?? self
  }

  func at(_ segments: [String]) -> Address {
    segments.reduce(self) { $0.appending(segment: $1) }
  }
}

extension WireRequest {
  /// The body that circulation takes: a list of named fields.
  fileprivate static func fields(
    _ method: Method, _ address: Address, _ fields: [(String, String)]
  ) -> WireRequest {
    let list = fields.map { name, value -> JSONValue in
      ["name": .string(name), "value": .string(value)]
    }
    return WireRequest(
      method, address, headers: ["Content-Type": "application/json; charset=utf-8"],
      body: (["fields": .array(list)] as JSONValue).bytes())
  }
}
