import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// From a loan to its file: what each way of reading needs.
extension Visit {
  // MARK: Adobe

  /// A new address for every look at the shelf, good for one download.
  func downloadLink(
    _ id: String, _ card: String, _ library: MockLibrary, _ state: inout WorldState
  ) -> String? {
    guard let loan = library.lending.loan(of: id, by: card) else { return nil }
    let title = library.lending.titles[id]
    guard ["ePub", "PDF"].contains(Self.format(of: loan, title)) else { return nil }
    let token = state.tokens.issue(
      "link", library: library.id, card: card, note: ["title": .string(id)], length: 32,
      expires: loan.until)
    return "\(request.base)/Services/VendorAPI/GetAxisDownload/v2?src=library"
      + "&transactionId=\(token.text)&isbn=\(title?.isbn ?? "")&format=F2"
  }

  /// The address behind it is signed as it is written, escapes in small letters included.
  func download(_ state: inout WorldState) -> Response {
    guard let token = state.tokens.valid(field("transactionId") ?? "", as: "link", at: now),
      token.uses == 0
    else { return Self.refused("E_URLLINK_EXPIRED") }
    state.tokens.use(token.text)
    let target =
      "/fulfillment/URLLink.acsm?action=enterloan&ordersource=Mock%3aLibrary"
      + "&orderid=\(token.text)&resid=urn%3auuid%3a\(Self.uuid(token.text))"
      + "&gbauthdate=03%2f16%2f2026+09%3a00+UTC"
    return .redirect(to: request.base + target + "&auth=\(Self.signature(target))", .found)
  }

  func acsm(_ state: WorldState) -> Response {
    let parts = request.target.split(separator: "&auth=", maxSplits: 1).map(String.init)
    guard parts.count == 2, Self.signature(parts[0]) == parts[1],
      let token = state.tokens[field("orderid") ?? ""], token.kind == "link"
    else { return Self.refused("E_URLLINK_AUTH") }
    let text =
      "<fulfillmentToken fulfillmentType=\"loan\" auth=\"user\""
      + " xmlns=\"http://ns.adobe.com/adept\"><distributor>urn:uuid:mock</distributor>"
      + "<transaction>\(token.text)</transaction></fulfillmentToken>"
    return .bytes(Array(text.utf8), MediaType("application", "vnd.adobe.adept+xml"))
  }

  private static func signature(_ target: String) -> String {
    String(Hex.encode(Digest.sha256.hash("mock " + target)).prefix(40))
  }

  private static func refused(_ code: String) -> Response {
    .axis("<error xmlns=\"http://ns.adobe.com/adept\" data=\"\(code) http://mock\"/>")
  }

  // MARK: The vendor's own programs

  func fulfilmentInfo(_ state: WorldState) throws(Verdict) -> Response {
    let transaction = try required("TransactionID", "5003")
    let loan = try loan(of: transaction, state)
    let title = try home(state).lending.titles[loan.title]
    var members: [(String, JSONValue)] = [
      ("Status", Verdict("0000", "SUCCESS").json), ("TransactionID", .string(transaction)),
      ("BookVaultUUID", .string(Self.uuid(loan.title))), ("ISBN", .string(title?.isbn ?? "")),
      ("ExpirationDate", .string(Dates.precise(loan.until))),
    ]
    if Self.format(of: loan, title) == "Acoustik" {
      members += [
        ("FNDSessionKey", .string(Self.uuid("session \(transaction)"))),
        ("FNDTransactionID", .string(Self.uuid("audio \(transaction)"))),
        ("FNDLicenseID", .string(Self.uuid("licence \(transaction)"))),
        ("FNDContentID", .string(String(loan.title.suffix(5)))),
      ]
    }
    return .axis(members)
  }

  func audiobookMetadata(_ state: WorldState) throws(Verdict) -> Response {
    let id = try required("fndcontentid", "3100")
    let parts = (0..<3).map { number -> JSONValue in
      [
        "duration": JSONValue(2.5 + Double(number) * 1000.25), "fndpart": 0,
        "fndsequence": .integer(number), "title": .string("Track \(number)"),
      ]
    }
    return .axis([
      ("Status", Verdict("0000", "SUCCESS").json), ("fndaccountid", "MockTest"),
      ("fndcontentid", .string(id)), ("readingOrder", .array(parts)),
    ])
  }

  // MARK: The licence server

  /// It believes everything but the ISBN.
  func licence(_ path: [String], _ state: WorldState) -> Response {
    let titles = state.libraries.filter { $0.provider == Axis360Dialect.name }
      .flatMap { $0.lending.titles.values }
    guard titles.contains(where: { $0.isbn == path[3] }) else {
      return .axis(
        [
          ("ReturnCode", 9400), ("Type", "Error"), ("Title", "Invalid ISBN"),
          ("Messages", ["ISBN KeyId association does not exist.", "", ""]),
          ("Date", .string(now.text)),
        ], .methodNotAllowed)
    }
    return .axis([
      ("id", .string(Self.uuid("licence \(path[0])"))), ("version", "1"),
      ("issued", .string(now.text)), ("provider", "Mock"),
      (
        "encryption",
        [
          "content_key": ["algorithm": "mock", "encrypted_value": "xxx"],
          "user_key": ["key_check": "xxx", "text_hint": ""],
        ]
      ),
      ("rights", ["end": .string((now + 3 * LendingRules.day).text), "print": 0, "copy": 0]),
    ])
  }

  func content(_ isbn: String) -> Response {
    .bytes(Array("PK mock \(isbn)".utf8), .epub)
  }

  static func uuid(_ name: String) -> String {
    var random = SeededRandom(seed: 0, for: name)
    return random.guid()
  }
}
