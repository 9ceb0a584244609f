import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// A distributor of rights to lend (ODL): its readers are libraries, and a library's readers are names
/// that it made up. A title of several copies has two rights: one of a single copy, for so many loans as
/// `checkouts` in the settings says and no more, and one of the others.
extension Visit {
  private static let infoType = MediaType("application", "vnd.odl.info+json")
  private static let feedType = MediaType("application", "opds+json")
  private static let publicationType = MediaType("application", "opds-publication+json")

  mutating func distribute(_ state: inout WorldState) throws(Failure) -> Response {
    _ = try reader(state)
    switch route.place {
    case .rights: return rights
    case .right(let id):
      return .bytes(publication(try offered(id)).bytes(), Self.publicationType)
    case .rightInfo(let id): return secret(info(try right(id)))
    case .checkout: return secret(try checkout(&state))
    default: throw .notFound
    }
  }

  private func offered(_ id: String) throws(Failure) -> Title {
    guard let title = library.lending.titles[id] else { throw .notFound }
    return title
  }

  private struct Right {
    let id: String
    let title: Title
    let concurrency: Int
    /// Loans in all; nil where nobody counts.
    var checkouts: Int?
  }

  private func rights(to title: Title) -> [Right] {
    guard case .counted(let copies) = title.copies else {
      return [Right(id: "\(title.id).1", title: title, concurrency: 100)]
    }
    guard copies > 1 else {
      return [Right(id: "\(title.id).1", title: title, concurrency: copies)]
    }
    return [
      Right(
        id: "\(title.id).1", title: title, concurrency: 1,
        checkouts: library.settings["checkouts"]?.integer ?? 40),
      Right(id: "\(title.id).2", title: title, concurrency: copies - 1),
    ]
  }

  private func right(_ id: String) throws(Failure) -> Right {
    let title = try offered(String(id.prefix { $0 != "." }))
    guard let right = rights(to: title).first(where: { $0.id == id }) else { throw .notFound }
    return right
  }

  /// Names of loans, each with the right that it is of.
  private var lent: JSONObject { library.settings["lent"]?.object ?? [:] }

  private func out(_ right: Right) -> [Loan] {
    let lent = lent
    return library.lending.loans.filter { lent[Self.licenceID($0)]?.string == right.id }
  }

  private func left(_ right: Right) -> Int? {
    right.checkouts.map { most in
      max(0, most - lent.members.count { $0.value.string == right.id })
    }
  }

  private func free(_ right: Right) -> Int {
    let free = right.concurrency - out(right).count
    return max(
      0, min(free, left(right) ?? free, library.lending.copiesAvailable(of: right.title.id)))
  }

  private var rights: Response {
    let size = library.settings["page_size"]?.integer ?? 50
    let page = max(1, request.query["page"].flatMap { Int($0) } ?? 1)
    let all = library.lending.order
    let shown = all.dropFirst((page - 1) * size).prefix(size)
    var links: [JSONValue] = [
      ["rel": "self", "href": .string(own), "type": .string(Self.feedType.description)]
    ]
    if page * size < all.count {
      links.append([
        "rel": "next", "href": .string(at("?page=\(page + 1)")),
        "type": .string(Self.feedType.description),
      ])
    }
    let body: JSONValue = [
      "metadata": ["title": .string(library.name), "numberOfItems": .integer(all.count)],
      "links": .array(links),
      "publications": .array(shown.compactMap { library.lending.titles[$0] }.map(publication)),
    ]
    return .bytes(body.bytes(), Self.feedType)
  }

  private func publication(_ title: Title) -> JSONValue {
    [
      "metadata": [
        "@type": "http://schema.org/Book", "title": .string(title.name),
        "identifier": .string(Self.urn(title.id)), "language": .string(title.language),
        "author": .array(title.authors.map(JSONValue.string)),
        "modified": .string(title.changed.text),
      ],
      "links": [
        [
          "rel": "self", "href": .string(at("titles/\(title.id)")),
          "type": .string(Self.publicationType.description),
        ]
      ],
      "images": [],
      "licenses": .array(rights(to: title).map(licence)),
    ]
  }

  private func licence(_ right: Right) -> JSONValue {
    let values = "{?id,checkout_id,patron_id,expires,notification_url,passphrase,hint,hint_url}"
    return [
      "metadata": [
        "identifier": .string(Self.urn(right.id)), "format": .string(Mechanism.epub),
        "price": ["currency": "USD", "value": 8],
        "created": .string(right.title.added.text), "terms": terms(right),
        "protection": ["format": .string(Mechanism.licence), "devices": 6, "copy": false],
      ],
      "links": [
        [
          "rel": "self", "href": .string(at("rights/\(right.id)")),
          "type": .string(Self.infoType.description),
        ],
        [
          "rel": "http://opds-spec.org/acquisition/borrow", "templated": true,
          "href": .string(at("checkouts") + values),
          "type": "application/vnd.readium.license.status.v1.0+json",
        ],
      ],
    ]
  }

  private func terms(_ right: Right) -> JSONValue {
    var terms: JSONObject = ["concurrency": .integer(right.concurrency), "length": 1_814_400]
    terms["checkouts"] = right.checkouts.map { .integer($0) }
    return .object(terms)
  }

  private func info(_ right: Right) -> Response {
    var checkouts: JSONObject = [
      "available": .integer(free(right)),
      "active": .array(
        out(right).map { loan in
          [
            "id": .string(Self.licenceID(loan)), "patron": .string(loan.card),
            "expires": .string(loan.until.text),
            "href": .string(at("lcp/\(Self.licenceID(loan))/status")),
          ]
        }),
    ]
    let left = left(right)
    checkouts["left"] = left.map { .integer($0) }
    let isOver = right.concurrency == 0 || left == 0
    let body: JSONValue = [
      "identifier": .string(Self.urn(right.id)),
      "status": isOver ? "unavailable" : "available",
      "format": .string(Mechanism.epub), "created": .string(right.title.added.text),
      "terms": terms(right), "checkouts": .object(checkouts),
      "protection": ["format": [.string(Mechanism.licence)], "devices": 6],
    ]
    return .bytes(body.bytes(), Self.infoType)
  }

  // MARK: Lending

  /// The same checkout again leads to the first.
  private mutating func checkout(_ state: inout WorldState) throws(Failure) -> Response {
    let words = request.query
    guard let urn = words["id"], let checkout = words["checkout_id"], !checkout.isEmpty,
      let patron = words["patron_id"], !patron.isEmpty, let passphrase = words["passphrase"],
      passphrase.utf8.count == 64
    else {
      throw Failure(.badRequest, "about:blank", "Bad request", "Something is missing.")
    }
    let right = try right(urn.replacing("urn:uuid:", with: ""))
    let id = right.title.id
    if let known = library.settings["done"]?[checkout]?.string {
      return .redirect(to: at("lcp/\(known)/status"), .seeOther)
    }
    let before = library.lending.loan(of: id, by: patron) != nil
    guard !before, free(right) > 0 else {
      throw Failure(
        .badRequest, "http://opds-spec.org/odl/error/checkout/unavailable", "No copy is free.",
        "All concurrent loans are out.")
    }
    let loan = try lend(&state) { lending, now throws(LendingRefusal) in
      if lending.patrons[patron] == nil {
        lending.add(Patron(card: patron, pin: "", name: "Reader"))
      }
      return try lending.borrow(id, by: patron, format: "epub-lcp", at: now)
    }
    let licence = Self.licenceID(loan)
    remember("lent", licence, right.id, &state)
    remember("done", checkout, licence, &state)
    remember("passphrases", patron, passphrase, &state)
    var response = licenceStatus(licence)
    response.status = .created
    return response
  }

  private mutating func remember(
    _ list: String, _ name: String, _ value: String, _ state: inout WorldState
  ) {
    _ = state.change(library.id, of: OPDSDialect.name) { library, _ in
      var object = library.settings[list]?.object ?? [:]
      object[name] = .string(value)
      library.settings[list] = .object(object)
    }
    if let changed = state.library(library.id, of: OPDSDialect.name) { library = changed }
  }
}
