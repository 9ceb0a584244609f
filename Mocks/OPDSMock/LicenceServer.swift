import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// The licence server behind the lender: licences signed with a key it made itself, the books locked for
/// them, and how each licence stands.
extension Visit {
  private static let press = Result { try LicensePress() }

  private static func made<Value>(_ make: (LicensePress) throws -> Value) throws(Failure) -> Value {
    do { return try make(try press.get()) } catch { throw .usual(.internalServerError) }
  }

  /// What a reading program has to trust, as PEM.
  func licenceRoot() throws(Failure) -> Response {
    let root = try Self.made { $0.root.pem }
    return .bytes(Array(root.utf8), MediaType("application", "x-pem-file"))
  }

  static let licenceType = MediaType("application", "vnd.readium.lcp.license.v1.0+json")
  private static let statusType = MediaType("application", "vnd.readium.license.status.v1.0+json")

  // MARK: Licences

  func licence(_ loan: Loan, _ mechanism: Mechanism) throws(Failure) -> Response {
    let id = Self.licenceID(loan)
    let isBook = mechanism.steps[1] == Mechanism.epub
    let file =
      isBook
      ? media("content/\(loan.title).locked/\(loan.title)")
      : media("content/\(loan.title).lcpa/\(loan.title)")
    let book = try isBook ? lockedBook(loan.title) : nil
    var publication: JSONObject = [
      "rel": "publication", "type": .string(mechanism.steps[1]), "href": .string(file),
    ]
    if let book {
      publication["length"] = .integer(book.count)
      publication["hash"] = .string(Hex.encode(Digest.sha256.hash(book)))
    }
    var order = LicensePress.Order(
      id: id, issued: loan.since.text,
      passphrase: given(loan.card) ?? Digest.sha256.hash(Self.phrase(loan.card)),
      contentKey: Self.contentKey(loan.title),
      links: [
        .object(publication),
        [
          "rel": "status", "type": .string(Self.statusType.description),
          "href": .string(at("lcp/\(id)/status")),
        ],
        ["rel": "hint", "type": "text/html", "href": .string(at("help"))],
      ])
    order.provider = at("")
    if loan.renewals > 0 { order.updated = Self.changed(loan).text }
    order.hint = "The three letters, a blank, and the number of your card"
    order.rights = [
      "start": .string(loan.since.text), "end": .string(loan.until.text), "print": 10,
      "copy": 2048,
    ]
    order.user = ["id": .string(Hex.encode(Digest.sha256.hash(loan.card)))]
    let licence = try Self.made { try $0.license(order) }
    return .bytes(JSONValue.object(licence).bytes(), Self.licenceType)
  }

  /// As whoever lends here in the library's stead gave it.
  private func given(_ card: String) -> [UInt8]? {
    library.settings["passphrases"]?[card]?.string.flatMap { try? Hex.decode($0) }
  }

  /// One for each reader of the library; no hint holds it.
  static func phrase(_ card: String) -> String { "lcp \(card)" }

  /// A second later for each renewal: their own moments are not kept.
  private static func changed(_ loan: Loan) -> Moment {
    loan.since + Int64(loan.renewals) * 1000
  }

  private static func contentKey(_ title: String) -> [UInt8] {
    Digest.sha256.hash("content key \(title)")
  }

  static func licenceID(_ loan: Loan) -> String {
    var random = SeededRandom(
      seed: 0, for: "\(loan.card) \(loan.title) \(loan.since.milliseconds)")
    return random.guid()
  }

  /// The same for all readers, without any licence.
  func lockedBook(_ id: String) throws(Failure) -> [UInt8] {
    guard let title = library.lending.titles[id] else { throw .notFound }
    return try Self.made { _ in try MockBook(title).locked(with: Self.contentKey(id)) }
  }

  // MARK: How they stand

  /// Anybody who knows the licence may ask.
  func licenceStatus(_ id: String) -> Response {
    let loan = library.lending.loans.first { Self.licenceID($0) == id }
    var object: JSONObject = [
      "id": .string(id), "status": loan == nil ? "returned" : "active",
      "message": "Status of a licence.",
      "updated": [
        "license": .string((loan.map(Self.changed) ?? now).text), "status": .string(now.text),
      ],
    ]
    if let loan {
      object["potential_rights"] = ["end": .string((loan.until + 21 * 86_400_000).text)]
      let type = JSONValue.string(Self.statusType.description)
      var links: [JSONValue] = [
        ["rel": "self", "href": .string(at("lcp/\(id)/status")), "type": type],
        [
          "rel": "license", "href": .string(at("lcp/\(id)/licence")),
          "type": .string(Self.licenceType.description),
        ],
      ]
      for deed in ["register", "return", "renew"] {
        let words = deed == "renew" ? "{?end,id,name}" : "{?id,name}"
        links.append([
          "rel": .string(deed), "href": .string(at("lcp/\(id)/\(deed)") + words), "type": type,
          "templated": true,
        ])
      }
      object["links"] = .array(links)
    }
    return .bytes(JSONValue.object(object).bytes(), Self.statusType)
  }

  func freshLicence(_ id: String) throws(Failure) -> Response {
    guard let loan = library.lending.loans.first(where: { Self.licenceID($0) == id }),
      let mechanism = Mechanism.of(title(loan.title)).first(where: {
        $0.steps[0] == Mechanism.licence
      })
    else { throw .notFound }
    return try licence(loan, mechanism)
  }

  /// To register is to be told how it stands; the other two are what they say.
  mutating func licenceDeed(
    _ id: String, _ deed: String, _ state: inout WorldState
  ) throws(Failure) -> Response {
    guard let loan = library.lending.loans.first(where: { Self.licenceID($0) == id }) else {
      throw Self.problem(
        deed == "return" ? "return/already" : deed == "renew" ? "renew" : "registration")
    }
    switch deed {
    case "return":
      try lend(&state) { lending, now throws(LendingRefusal) in
        try lending.giveBack(loan.title, by: loan.card, at: now)
      }
    case "renew":
      do throws(Failure) {
        try lend(&state) { lending, now throws(LendingRefusal) in
          _ = try lending.renew(loan.title, by: loan.card, at: now)
        }
      } catch { throw Self.problem("renew") }
    default:
      guard request.query["id"]?.isEmpty == false else { throw Self.problem("registration") }
    }
    return licenceStatus(id)
  }

  private static func problem(_ word: String) -> Failure {
    Failure(
      .forbidden, "http://readium.org/license-status-document/error/\(word)", "Not possible.",
      "The licence server does not do that.")
  }
}
