import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served: by whom, of what, and when.
struct Visit {
  let request: MockRequest
  let route: Route
  let library: MockLibrary
  let now: Moment
  private var card = ""

  init(_ request: MockRequest, _ route: Route, _ library: MockLibrary, _ now: Moment) {
    (self.request, self.route, self.library, self.now) = (request, route, library, now)
  }

  func answer(_ state: inout WorldState) -> Response {
    var visit = self
    do throws(Refusal) {
      switch route {
      case .consent: return consent(&state)
      case .token: return token(&state)
      case .revoke:
        state.tokens.revoke(request.form["token"] ?? "")
        return .google([:])
      case .unknown: throw .notFound
      default: break
      }
      try visit.admit(&state)
      return try visit.served(&state)
    } catch {
      return error.response
    }
  }

  private mutating func admit(_ state: inout WorldState) throws(Refusal) {
    guard let token = state.tokens.valid(request.bearer ?? "", as: "google", at: now),
      let card = token.card
    else { throw .login }
    self.card = card
    let quota = library.settings["quota"]?.integer ?? 0
    guard quota > 0 else { return }
    let used = (library.settings["used"]?.integer ?? 0) + 1
    _ = state.change(library.id, of: GoogleBooksDialect.name) { library, _ in
      library.settings["used"] = .integer(used)
    }
    guard used <= quota else {
      throw Refusal(
        .tooManyRequests, "rateLimitExceeded",
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'")
    }
  }

  private func served(_ state: inout WorldState) throws(Refusal) -> Response {
    switch route {
    case .shelves:
      let lists = library.reading.readers[card]?.lists ?? []
      return .google([
        "kind": "books#bookshelves", "items": .array(lists.map { shelf($0) }),
      ])
    case .shelf(let id): return .google(shelf(try list(id)))
    case .volumes(let id): return try volumes(on: try list(id))
    case .change(let id, let verb): return try change(try list(id), verb, &state)
    case .search: return try search()
    case .volume(let id):
      guard let title = library.lending.titles[id] else { throw .notFound }
      return .google(volume(title))
    default: throw .notFound
    }
  }

  private func list(_ id: String) throws(Refusal) -> ReadingRoom.List {
    guard let list = library.reading.list(id, of: card) else { throw .notFound }
    return list
  }

  private func isOn(_ name: String) -> Bool { library.settings[name]?.bool == true }

  // MARK: - Reading

  private func shelf(_ list: ReadingRoom.List) -> JSONValue {
    let german = ["2": "Zu lesen", "3": "Lese gerade", "4": "Gelesen"]
    return [
      "kind": "books#bookshelf", "id": .integer(list.number),
      "title": .string(isOn("german") ? german[list.id] ?? list.name : list.name),
      "access": "PRIVATE", "updated": .string(list.changed.text),
      "volumeCount": .integer(list.books.count),
      "volumesLastUpdated": .string(list.changed.text),
    ]
  }

  private func volumes(on list: ReadingRoom.List) throws(Refusal) -> Response {
    let shown = list.books.enumerated().filter { isOn("withheld") ? $0.offset % 10 != 9 : true }
      .compactMap { library.lending.titles[$0.element] }
    return try page(of: shown, total: list.books.count, usual: 10)
  }

  /// Without anything to show there is no list of nothing.
  private func page(of titles: [Title], total: Int, usual: Int) throws(Refusal) -> Response {
    let most = request.query["maxResults"].flatMap { Int($0) } ?? usual
    guard (0...40).contains(most) else {
      throw Refusal(.badRequest, "invalidParameter", "Values must be within the range: [0, 40]")
    }
    let start = max(request.query["startIndex"].flatMap { Int($0) } ?? 0, 0)
    let items = titles.dropFirst(start).prefix(most).map(volume)
    var object: JSONObject = ["kind": "books#volumes", "totalItems": .integer(total)]
    if !items.isEmpty { object["items"] = .array(items) }
    return .google(.object(object))
  }

  private func search() throws(Refusal) -> Response {
    guard request.query["country"]?.count == 2 else {
      throw Refusal(
        .forbidden, "unknownLocation",
        "Cannot determine user location for geographically restricted operation.")
    }
    let titles = library.lending.order.compactMap { library.lending.titles[$0] }
    let question = request.query["q"] ?? ""
    if question.hasPrefix("isbn:") {
      let isbn = String(question.dropFirst(5))
      if isOn("other_book") {
        return try page(of: Array(titles.filter { $0.isbn != isbn }.prefix(1)), total: 1, usual: 10)
      }
      let found = titles.filter { $0.isbn == isbn }
      return try page(of: found, total: found.count, usual: 10)
    }
    let bare = question.replacing("intitle:", with: "").replacing("inauthor:", with: "")
      .replacing("\"", with: "").lowercased()
    let words = bare.split(whereSeparator: \.isWhitespace)
    let found = titles.filter { title in
      let text = ([title.name, title.isbn] + title.authors).joined(separator: " ").lowercased()
      return !words.isEmpty && words.allSatisfy { text.contains($0) }
    }
    return try page(of: found, total: found.count, usual: 10)
  }

  private func volume(_ title: Title) -> JSONValue {
    var told: JSONObject = [
      "title": .string(title.name), "publishedDate": .string(title.published),
      "description": "A tale of <b>ink</b>",
      "canonicalVolumeLink": .string("https://books.google.com/books?id=\(title.id)"),
    ]
    if let subtitle = title.subtitle { told["subtitle"] = .string(subtitle) }
    if !title.authors.isEmpty { told["authors"] = .array(title.authors.map(JSONValue.string)) }
    told["industryIdentifiers"] = [
      title.isbn.isEmpty
        ? ["type": "OTHER", "identifier": "UOM:39015004711"]
        : ["type": "ISBN_13", "identifier": .string(title.isbn)]
    ]
    return [
      "kind": "books#volume", "id": .string(title.id), "etag": "x", "volumeInfo": .object(told),
    ]
  }

  // MARK: - Writing

  private func change(
    _ list: ReadingRoom.List, _ verb: String, _ state: inout WorldState
  ) throws(Refusal) -> Response {
    let book = request.query["volumeId"] ?? ""
    if verb == "clearVolumes" {
      edit(&state) { room in
        for book in list.books { room.take(book, off: list.id, of: card, at: now) }
      }
      return done
    }
    guard list.isOpen else {
      throw Refusal(.forbidden, "forbidden", "This shelf cannot be changed.")
    }
    guard library.lending.titles[book] != nil else { throw .notFound }
    switch verb {
    case "addVolume": edit(&state) { $0.put(book, on: list.id, of: card, at: now) }
    case "removeVolume":
      guard list.books.contains(book) else { throw .notFound }
      edit(&state) { $0.take(book, off: list.id, of: card, at: now) }
    case "moveVolume":
      guard let place = request.query["volumePosition"].flatMap({ Int($0) }) else {
        throw Refusal(.badRequest, "required", "Required parameter: volumePosition")
      }
      edit(&state) { _ = $0.arrange(book, on: list.id, of: card, at: place, now) }
    default: throw .notFound
    }
    return done
  }

  private func edit(_ state: inout WorldState, _ act: (inout ReadingRoom) -> Void) {
    _ = state.change(library.id, of: GoogleBooksDialect.name) { library, _ in
      act(&library.reading)
    }
  }

  private var done: Response { isOn("empty_object") ? .google([:]) : Response(.noContent) }
}
