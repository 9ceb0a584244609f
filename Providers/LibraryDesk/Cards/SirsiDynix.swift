import Circulation
import HTTP
import HTTPClient
import JSON
import Machine
import ProviderKit
import SIP2
import Secrets

/// The web services of SirsiDynix (§5 of the reference), for signing in. The token of a reader's
/// session lives as long as one proof and is kept nowhere.
struct SirsiDynix: Sendable {
  let base: Address
  let app: String
  let client: Secret
  /// Whether the library keeps readers from borrowing by the marks besides "expired".
  let enforces: Bool
  let session: Session

  static let needs: [ProviderListing.Field] = [
    Settings.field("sirsidynix_app", "The name of our program at SirsiDynix"),
    Settings.field("sirsidynix_client", "The client id at SirsiDynix", isSecret: true),
    Settings.field("sirsidynix_enforces", "Whether limits of SirsiDynix block readers"),
  ]

  init(_ library: Library, _ session: Session) throws(SettingsFault) {
    base = try library.endpoint("sirsidynix")
    app = try library.setting("sirsidynix_app")
    client = try library.secret("sirsidynix_client")
    enforces = try library.flag("sirsidynix_enforces", default: true)
    self.session = session
  }

  func prove(
    _ slip: Slip, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> DeskReader {
    guard let pin = slip.pin else { throw Failures.wrongCard(operation) }
    let body: JSONValue = [
      "login": .string(slip.card), "password": .string(pin.revealText { $0 }),
    ]
    var login = request(.post, "user/patron/login", nil)
    login.headers.set("Content-Type", "application/json")
    (login.body, login.isRepeatable) = (body.bytes(), false)
    let reply = try await session.send(login, operation, in: call)
    if reply.status.code == 401 { throw Failures.wrongCard(operation) }
    guard let signedIn = SirsiDynixLogin(try json(reply, operation)) else {
      throw Failures.malformed("a session", operation)
    }
    let patron = try await session.send(
      request(.get, "user/patron/key/\(signedIn.key)", signedIn.token), operation, in: call)
    guard
      var reader = SirsiDynixPatron(try json(patron, operation))?.reader(
        key: signedIn.key, card: slip.card)
    else { throw Failures.malformed("a patron", operation) }
    let status = try await session.send(
      request(.get, "user/patronStatusInfo/key/\(signedIn.key)", signedIn.token), operation,
      in: call)
    guard let standing = SirsiDynixStatus(try json(status, operation)) else {
      throw Failures.malformed("a patron's status", operation)
    }
    standing.describe(&reader, enforces: enforces)
    return reader
  }

  private func request(_ method: HTTP.Method, _ path: String, _ token: Secret?) -> WireRequest {
    var address = base
    for part in path.split(separator: "/") { address = address.appending(segment: String(part)) }
    var request = WireRequest(method, address)
    request.headers.set("Accept", "application/json")
    request.headers.set("SD-Originating-App-Id", app)
    request.headers.set("x-sirs-clientID", client.revealText { $0 })
    if let token { request.headers.set("x-sirs-sessionToken", token.revealText { $0 }) }
    request.secretHeaders = ["x-sirs-clientID", "x-sirs-sessionToken"]
    (request.bodyLimit, request.shownPath) = (1 << 20, "patron")
    return request
  }

  private func json(_ reply: Reply, _ operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    guard (200..<300).contains(reply.status.code) else {
      throw Failures.failure(
        Failures.reason(ofStatus: reply.status.code, retryAfter: reply.retryAfter), operation,
        says: "HTTP \(reply.status.code)")
    }
    guard let json = try? JSONValue(parsing: reply.body, by: .tolerant), json.object != nil else {
      throw Failures.malformed("JSON", operation)
    }
    return json
  }
}

struct SirsiDynixLogin: Sendable {
  let key: String
  let token: Secret

  init?(_ json: JSONValue) {
    guard let key = json["patronKey"]?.words ?? json["patronKey"]?.integer.map(String.init),
      let token = json["sessionToken"]?.words
    else { return nil }
    (self.key, self.token) = (key, Secret(token))
  }
}

struct SirsiDynixPatron: Sendable {
  let name: String?
  let isApproved: Bool
  let kind: String?
  let home: String?
  let lastDay: CivilDate?

  init?(_ json: JSONValue) {
    guard let fields = json["fields"], fields.object != nil else { return nil }
    name = fields["displayName"]?.words
    isApproved = fields["approved"]?.flag == true
    kind = fields["patronType"]?["key"]?.words ?? fields["profile"]?["key"]?.words
    home = fields["library"]?["key"]?.words
    lastDay = fields["privilegeExpiresDate"]?.words.flatMap { CivilDate(written: $0) }
  }

  func reader(key: String, card: String) -> DeskReader {
    var reader = DeskReader(id: key, card: card)
    (reader.name, reader.kind, reader.home) = (name, kind, home)
    reader.lastDay = lastDay
    if !isApproved { reader.blocks.append(AccountBlock(.notApproved)) }
    return reader
  }
}

struct SirsiDynixStatus: Sendable {
  let isExpired: Bool
  let owed: Amount?
  let currency: String?
  let marks: Set<AccountBlock.Kind>

  init?(_ json: JSONValue) {
    guard let fields = json["fields"], fields.object != nil else { return nil }
    isExpired = fields["expired"]?.flag == true
    owed = fields["estimatedFines"]?["amount"]?.amount
    currency = fields["estimatedFines"]?["currencyCode"]?.words
    var marks: Set<AccountBlock.Kind> = []
    for (name, kind) in Self.names where fields[name]?.flag == true { marks.insert(kind) }
    self.marks = marks
  }

  private static let names: [(String, AccountBlock.Kind)] = [
    ("hasMaxFines", .fines), ("hasMaxDaysWithFines", .fines), ("hasMaxLostItem", .tooManyLost),
    ("hasMaxOverdueDays", .tooManyOverdue), ("hasMaxOverdueItem", .tooManyOverdue),
    ("hasMaxItemsCheckedOut", .tooManyLoans),
  ]

  /// What is expired is refused always; the other marks only where the library goes by them.
  func describe(_ reader: inout DeskReader, enforces: Bool) {
    (reader.owed, reader.currency) = (owed, currency)
    if isExpired { reader.blocks.append(AccountBlock(.expired)) }
    guard enforces else { return }
    reader.blocks += AccountBlock.Kind.allCases.filter(marks.contains).map { AccountBlock($0) }
  }
}
