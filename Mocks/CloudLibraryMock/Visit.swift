import HTTP
import HTTPServer
import JSON
import Markup
import MockKit
import XML

/// One request being served.
struct Visit {
  let request: MockRequest
  let now: Moment
  let libraryID: String

  init(_ request: MockRequest, _ now: Moment) {
    (self.request, self.now) = (request, now)
    libraryID = request.path.count > 2 ? request.path[2] : ""
  }

  func answer(_ route: Route, _ state: inout WorldState) -> Response {
    do throws(Failure) {
      guard let library = state.library(libraryID, of: CloudLibraryDialect.name),
        Signature.isRight(on: request, by: library, at: now)
      else { throw .unsigned }
      if let answer = try question(route, library) { return answer }
      return try command(route, library, &state)
    } catch {
      return error.response
    }
  }

  private func question(_ route: Route, _ library: MockLibrary) throws(Failure) -> Response? {
    switch route {
    case .marc: return try marc(library)
    case .marcRecord(let id): return try marcRecord(id, library)
    case .items(let ids): return try items(ids, library)
    case .itemData(let ids): return itemData(ids, library)
    case .itemSummary(let ids): return try summary(of: ids, library)
    case .isbnSummary(let isbns):
      let ids = library.lending.order.filter {
        isbns.contains(library.lending.titles[$0]?.isbn ?? "")
      }
      return try summary(of: ids, library)
    case .circulationItems(let ids): return try circulation(of: ids, library)
    case .circulationItem(let id): return try circulation(of: id, library)
    case .cloudEvents: return try events(library)
    case .patronCirculation(let card): return try shelf(of: card, library)
    case .patronCheck(let card): return check(card, library)
    case .itemStatus(let card, let ids): return try statuses(of: ids, for: card, library)
    default: return nil
    }
  }

  // MARK: - Readers

  /// Where the library asks for a PIN it has to be in the query.
  func signIn(_ card: String, _ library: MockLibrary) throws(Failure) {
    do throws(LendingRefusal) {
      _ = try library.lending.signIn(card: card, pin: request.query["password"], at: now)
    } catch { throw Failure(error) }
  }

  /// The partner has checked who it is.
  func trusted(_ card: String, _ library: MockLibrary) throws(Failure) {
    guard library.lending.patrons[card] != nil else { throw .authentication }
  }

  /// What a title is to a reader, which decides what can be done about it.
  func status(of id: String, to card: String, _ library: MockLibrary) -> String {
    let lending = library.lending
    if lending.loan(of: id, by: card) != nil { return "LOAN" }
    if let hold = lending.hold(on: id, by: card) { return hold.isReady ? "RESERVATION" : "HOLD" }
    guard let title = lending.titles[id] else { return "CAN_WISH" }
    if isPrepublished(id, library) { return "CAN_HOLD" }
    if title.copies == .counted(0) { return "CAN_WISH" }
    return lending.copiesAvailable(of: id) > 0 ? "CAN_LOAN" : "CAN_HOLD"
  }

  func isPrepublished(_ id: String, _ library: MockLibrary) -> Bool {
    library.settings["prepublished"]?.array?.contains(.string(id)) ?? false
  }

  // MARK: - Bodies

  struct Order {
    let item: String
    let card: String
  }

  /// The body of a command: `<CheckoutRequest><ItemId/><PatronId/></CheckoutRequest>`.
  func order(_ root: String) throws(Failure) -> Order {
    guard let document = try? XMLDocument(request.body), document.root.name.local == root,
      let item = document.root.child(named: "ItemId")?.text,
      let card = document.root.child(named: "PatronId")?.text
    else { throw .malformed }
    return Order(item: item, card: card)
  }

  func lend<Result: Sendable>(
    _ state: inout WorldState,
    _ verb: (inout LendingLibrary, Moment) throws(LendingRefusal) -> Result
  ) throws(Failure) -> Result {
    let outcome = state.change(libraryID, of: CloudLibraryDialect.name) {
      library, now -> Swift.Result<Result, LendingRefusal> in
      do throws(LendingRefusal) { return .success(try verb(&library.lending, now)) } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .success(let result)?: return result
    case .failure(let refusal)?: throw Failure(refusal)
    case nil: throw .notFound
    }
  }
}
