import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// One request to Koha, answered from the library of paper as it stands.
struct KohaVisit {
  let request: MockRequest
  let route: KohaRoute
  let now: Moment

  init(_ request: MockRequest, _ route: KohaRoute, _ now: Moment) {
    (self.request, self.route, self.now) = (request, route, now)
  }

  func answer(_ state: inout WorldState) -> Response {
    do throws(KohaRefusal) {
      if case .token = route { return try token(&state) }
      guard let library = state.library(route.library, of: LibraryDeskDialect.name) else {
        throw KohaRefusal(.notFound, "Not found")
      }
      if case .sru = route { return SRUAnswer(request, library).response }
      try admit(library, state)
      if let answer = try asked(PaperLibrary(library, at: now)) { return answer }
      return try commanded(&state)
    } catch {
      return error.response
    }
  }

  // MARK: - Who asks

  private func token(_ state: inout WorldState) throws(KohaRefusal) -> Response {
    let (form, library) = (request.form, route.library)
    let settings = state.library(library, of: LibraryDeskDialect.name)?.settings
    guard form["grant_type"] == "client_credentials" else {
      throw KohaRefusal(.badRequest, "Unimplemented grant type")
    }
    guard form["client_id"] == settings?["client_id"]?.string,
      form["client_secret"] == settings?["client_secret"]?.string, form["client_secret"] != nil
    else { throw KohaRefusal(.forbidden, "unauthorized_client") }
    let token = state.tokens.issue(
      "koha", library: library, expires: now + 3_600_000)
    return .koha([
      "access_token": .string(token.text), "token_type": "Bearer", "expires_in": 3600,
    ])
  }

  private func admit(_ library: MockLibrary, _ state: WorldState) throws(KohaRefusal) {
    if let bearer = request.bearer,
      let token = state.tokens.valid(bearer, as: "koha", at: now), token.library == library.id
    {
      return
    }
    if let basic = request.basic, let bytes = try? Base64.standard.decode(basic) {
      let name = library.settings["staff_user"]?.string ?? ""
      let word = library.settings["staff_password"]?.string ?? ""
      if String(decoding: bytes, as: UTF8.self) == "\(name):\(word)" { return }
    }
    throw KohaRefusal(.unauthorized, "Authentication failure.")
  }

  // MARK: - Questions

  /// Nil for a command.
  private func asked(_ paper: PaperLibrary) throws(KohaRefusal) -> Response? {
    switch route {
    case .description: .koha(KohaDescription.json)
    case .patrons: page(paper.lending.patrons.values.sorted { $0.card < $1.card }.map(\.koha))
    case .patron(_, let number): .koha(try patron(number, paper).koha)
    case .account(_, let number): .koha(try patron(number, paper).kohaAccount)
    case .libraries: page(PaperLibrary.branches.map(\.koha))
    case .biblios: try biblios(paper)
    case .biblio(_, let number):
      try record(.array([try title(number, paper).koha]), [try title(number, paper)])
    case .biblioItems(_, let number): page(paper.kohaItems(of: try title(number, paper).id))
    case .items: page(paper.allItems)
    case .pickups(_, let number): try pickups(number, paper)
    case .holds: page(paper.kohaHolds)
    case .checkouts: page(paper.kohaCheckouts)
    case .allowance(_, let number): try allowance(number, paper)
    default: nil
    }
  }

  private func patron(_ number: Int, _ paper: PaperLibrary) throws(KohaRefusal) -> Patron {
    guard let patron = paper.patron(numbered: number) else {
      throw KohaRefusal(.notFound, "Patron not found.")
    }
    return patron
  }

  private func title(_ number: Int, _ paper: PaperLibrary) throws(KohaRefusal) -> Title {
    guard let title = paper.title(numbered: number) else {
      throw KohaRefusal(.notFound, "Bibliographic record not found")
    }
    return title
  }

  /// The same rules as when it is done.
  private func allowance(_ number: Int, _ paper: PaperLibrary) throws(KohaRefusal) -> Response {
    guard let copy = paper.copy(numbered: number), case .out(let loan) = copy.state else {
      throw KohaRefusal(.notFound, "Checkout doesn't exist")
    }
    var tried = paper.lending
    var refusal: String?
    do throws(LendingRefusal) {
      _ = try tried.renew(loan.title, by: loan.card, at: now)
    } catch { refusal = error.koha }
    return .koha([
      "allows_renewal": .bool(refusal == nil), "current_renewals": .integer(loan.renewals),
      "max_renewals": .integer(paper.lending.rules.renewalLimit), "error": JSONValue(refusal),
    ])
  }

  private func pickups(_ number: Int, _ paper: PaperLibrary) throws(KohaRefusal) -> Response {
    _ = try title(number, paper)
    guard let patron = Int(request.query["patron_id"] ?? "") else {
      throw .misspelt("Missing property.", "/patron_id")
    }
    _ = try self.patron(patron, paper)
    return cut(
      PaperLibrary.branches.filter(\.isPickup).map { branch in
        var object = branch.koha.object ?? [:]
        object["needs_override"] = false
        return .object(object)
      })
  }

  private func biblios(_ paper: PaperLibrary) throws(KohaRefusal) -> Response {
    let titles = paper.lending.order.compactMap { paper.lending.titles[$0] }
    let filter = try KohaFilter(request)
    let found = titles.filter { filter.fits($0.koha) }
    return try record(.array(found.map(\.koha)), found)
  }

  /// In the form that was asked for.
  private func record(_ json: JSONValue, _ titles: [Title]) throws(KohaRefusal) -> Response {
    let accept = request.headers["Accept"] ?? "application/json"
    let isOne = if case .biblio = route { true } else { false }
    switch accept {
    case "application/json", "*/*": return isOne ? .koha(json[0] ?? .null) : cut(json.array ?? [])
    case "application/marc-in-json":
      let rows = titles.map { MockMARC($0).json }
      let response = isOne ? Response.koha(rows.first ?? .null) : cut(rows)
      return response
    case "application/marcxml+xml":
      let text = titles.map { MockMARC($0).xml }.joined()
      return .text(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(text)</collection>",
        MediaType("application", "marcxml+xml"))
    default: throw KohaRefusal(.notAcceptable, "Not acceptable")
    }
  }

  // MARK: - Lists

  /// Those rows that the query wants, cut to a page.
  func page(_ rows: [JSONValue]) -> Response {
    do throws(KohaRefusal) {
      let filter = try KohaFilter(request)
      return cut(rows.filter { filter.fits($0) })
    } catch {
      return error.response
    }
  }

  private func cut(_ rows: [JSONValue]) -> Response {
    let size = request.query["_per_page"].flatMap { Int($0) } ?? 20
    let page = request.query["_page"].flatMap { Int($0) } ?? 1
    let first = size < 0 ? 0 : (max(page, 1) - 1) * size
    let shown = rows.dropFirst(first).prefix(size < 0 ? rows.count : size)
    var response = Response.koha(.array(Array(shown)))
    response.headers.set("X-Total-Count", String(rows.count))
    return response
  }
}
