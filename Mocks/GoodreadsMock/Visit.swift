import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served: by whom, of what library, and when.
struct Visit {
  let request: MockRequest
  let route: Route
  let now: Moment
  /// As it was when the request came; changes go through `change`.
  let library: MockLibrary
  /// The card of who signed; nil for who only has a key, or nothing.
  private(set) var card: String?

  init(_ request: MockRequest, _ route: Route, _ library: MockLibrary, _ now: Moment) {
    (self.request, self.route, self.library, self.now) = (request, route, library, now)
  }

  func answer(_ state: inout WorldState) -> Response {
    var visit = self
    do throws(Refusal) {
      switch route {
      case .requestToken: return try visit.requestToken(&state)
      case .authorize: return visit.authorize(&state)
      case .accessToken: return try visit.accessToken(&state)
      case .feed(let user): return try visit.feed(user)
      case .unknown: return XML.page("Page not found", .notFound)
      default: break
      }
      try visit.admit(&state)
      if visit.has(.loginPage) { return XML.page("Sign in to Goodreads", .ok) }
      if visit.has(.noPayload) { return visit.envelope("") }
      if visit.has(.railsError) {
        return XML.document(
          "<hash><status>404</status><error>Not Found</error></hash>")
      }
      if visit.has(.friendlyError) {
        return XML.document(
          XML.wrap(
            "error",
            XML.element("generic", "not authorized") + XML.element("detail", "user 1")
              + XML.element("friendly", "You have to sign in first.")))
      }
      return try visit.served(&state)
    } catch {
      return error.response
    }
  }

  private func served(_ state: inout WorldState) throws(Refusal) -> Response {
    switch route {
    case .whoAmI: try whoAmI()
    case .shelves: try shelves()
    case .reviews(let user): try reviews(user)
    case .review: try review()
    case .reviewByBook: try reviewByBook()
    case .addToShelf: try addToShelf(&state)
    case .addManyToShelves: try addManyToShelves(&state)
    case .makeShelf: try makeShelf(&state)
    case .changeShelf(let number): try changeShelf(number, &state)
    case .createReview: try createReview(&state)
    case .editReview(let number): try editReview(number, &state)
    case .progress: try progress(&state)
    case .user(let id): try user(id)
    case .friends(let id): try friends(id)
    case .news: try news()
    case .search: try search()
    case .book(let id): try book(id)
    case .bookByISBN(let isbn): try bookByISBN(isbn)
    case .numbers(let isbn): try numbers(isbn)
    case .works(let ids): try works(ids)
    default: XML.page("Page not found", .notFound)
    }
  }

  // MARK: - Who asks

  private mutating func admit(_ state: inout WorldState) throws(Refusal) {
    guard let signature = Signature(request) else {
      guard request.query["key"] == library.settings["key"]?.string, !isDisabled else {
        throw .key
      }
      return
    }
    guard let card = try signer(signature, &state) else { throw .signature }
    self.card = card
  }

  var isDisabled: Bool { library.settings["key_disabled"]?.bool == true }

  /// A reader who has not walked through the pages has a token all the same, so that a test need not:
  /// it is called like the card, and its secret is the PIN.
  private func signer(_ signature: Signature, _ state: inout WorldState) throws(Refusal) -> String?
  {
    guard let name = signature.token else { throw .signature }
    if let token = state.tokens[name], token.kind == "goodreads" {
      try check(signature, token.note["secret"]?.string ?? "", &state)
      return token.card
    }
    guard let patron = library.lending.patrons[name] else { throw .signature }
    try check(signature, patron.pin, &state)
    return patron.card
  }

  func check(_ signature: Signature, _ secret: String, _ state: inout WorldState)
    throws(Refusal)
  {
    guard signature.consumer == library.settings["key"]?.string, !isDisabled else { throw .key }
    let mine = library.settings["consumer_secret"]?.string ?? ""
    guard
      signature.holds(
        for: request, consumerSecret: mine, tokenSecret: secret, &state)
    else { throw .signature }
  }

  /// Writing takes a signature.
  func me() throws(Refusal) -> String {
    guard let card else { throw Refusal("OAuth required", .forbidden) }
    return card
  }

  // MARK: - What every route needs

  func has(_ quirk: Quirk) -> Bool {
    library.settings["quirks"]?.array?.contains(.string(quirk.rawValue)) == true
  }

  func reader(_ id: String) throws(Refusal) -> ReadingRoom.Reader {
    let found = library.reading.readers.values.first { Furnishing.userID(of: $0.card) == id }
    guard let found else { throw .noUser }
    return found
  }

  /// Whose profile is asked about, where whoever asks may see it.
  func shown(_ id: String?) throws(Refusal) -> ReadingRoom.Reader {
    let reader: ReadingRoom.Reader
    if let id {
      reader = try self.reader(id)
    } else {
      guard let mine = library.reading.readers[try me()] else { throw .noUser }
      reader = mine
    }
    if reader.isPrivate, reader.card != card, !reader.friends.contains(card ?? "") {
      throw Refusal("This profile is private", .forbidden)
    }
    return reader
  }

  func title(_ id: String) throws(Refusal) -> Title {
    guard let title = library.lending.titles[id] else { throw .noBook }
    return title
  }

  /// The reader's dealings with that book, or with another edition of its work.
  func entry(of book: String, by card: String, onWork: Bool) -> ReadingRoom.Entry? {
    if let own = library.reading.entry(of: book, by: card) { return own }
    guard onWork else { return nil }
    let work = Furnishing.workID(of: book)
    return library.reading.entries(of: card).first { Furnishing.workID(of: $0.book) == work }
  }

  @discardableResult
  func change<Result>(
    _ state: inout WorldState, _ edit: (inout ReadingRoom) -> Result
  ) throws(Refusal) -> Result {
    let done = state.change(library.id, of: GoodreadsDialect.name) { library, _ in
      edit(&library.reading)
    }
    guard let done else { throw Refusal("gone", .internalServerError) }
    return done
  }

  /// The same visit to what has changed meanwhile.
  func again(_ state: WorldState) -> Visit {
    guard let now = state.library(library.id, of: GoodreadsDialect.name) else { return self }
    var visit = Visit(request, route, now, self.now)
    visit.card = card
    return visit
  }

  func envelope(_ payload: String, _ status: Status = .ok) -> Response {
    let request = XML.wrap(
      "Request",
      XML.element("authentication", String(card != nil))
        + XML.cdata("key", Furnishing.key) + XML.cdata("method", " \(route.method) "))
    return XML.document(XML.wrap("GoodreadsResponse", request + payload), status)
  }

  /// A part of something long, with where it begins and ends, from 1; 0 past the end.
  func slice<Element>(_ all: [Element], perPage: Int) -> (part: ArraySlice<Element>, span: String) {
    let page = max(request.query["page"].flatMap { Int($0) } ?? 1, 1)
    let start = (page - 1).multipliedReportingOverflow(by: perPage).partialValue
    guard start >= 0, start < all.count else { return ([], span(0, 0, all.count)) }
    let end = min(start + perPage, all.count)
    return (all[start..<end], span(start + 1, end, all.count))
  }

  private func span(_ start: Int, _ end: Int, _ total: Int) -> String {
    "start=\"\(start)\" end=\"\(end)\" total=\"\(total)\""
  }
}
