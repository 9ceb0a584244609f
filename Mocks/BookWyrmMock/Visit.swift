import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served.
struct Visit {
  private let request: MockRequest
  private let route: Route
  private let library: MockLibrary

  init(_ request: MockRequest, _ route: Route, _ library: MockLibrary) {
    (self.request, self.route, self.library) = (request, route, library)
  }

  var answer: Response {
    do throws(Page) { return try served() } catch { return error.response }
  }

  private static let perPage = 15
  /// What was merged away stands so far above what stayed.
  private static let merged = 1_000_000

  private func served() throws(Page) -> Response {
    guard wantsDocument || route == .unknown else {
      return Page.made("<h1>BookWyrm</h1><p>A page for people.</p>")
    }
    guard !has(.authorizedFetch) || request.headers["Signature"] != nil else {
      throw Page(response: Page.made("", .unauthorized))
    }
    switch route {
    case .person(let name): return document(person(name, try reader(name)))
    case .shelf(let name, let slug) where has(.oldPaths): return moved(name, "shelf", slug)
    case .moved(let name, let slug) where !has(.oldPaths): return moved(name, "books", slug)
    case .shelf(let name, let slug), .moved(let name, let slug):
      return document(try shelf(slug, of: name))
    case .book(let number): return document(try book(number))
    case .author(let number): return try author(number)
    case .unknown: throw .refusal(.notFound)
    }
  }

  private func has(_ quirk: Quirk) -> Bool {
    library.settings["quirks"]?.array?.contains(.string(quirk.rawValue)) == true
  }

  private var wantsDocument: Bool {
    let accept = request.headers["Accept"] ?? ""
    return request.path.last?.hasSuffix(".json") == true
      || accept.contains("application/activity+json") || accept.contains("application/ld+json")
  }

  private var base: String { request.base + "/bookwyrm" }

  private func document(_ json: JSONValue) -> Response {
    guard var object = json.object else { return Page.refusal(.notFound).response }
    object["@context"] = "https://www.w3.org/ns/activitystreams"
    return .bytes(JSONValue.object(object).bytes(), MediaType("application", "activity+json"))
  }

  /// The query is kept, the ending is lost.
  private func moved(_ name: String, _ folder: String, _ slug: String) -> Response {
    let query = request.query["page"].map { "?page=\($0)" } ?? ""
    return .redirect(to: "\(base)/user/\(name)/\(folder)/\(slug)\(query)", .found)
  }

  // MARK: - Readers and their shelves

  private func reader(_ name: String) throws(Page) -> ReadingRoom.Reader {
    let found = library.reading.readers.values.first { Furnishing.user(of: $0.card) == name }
    guard let found else { throw .refusal(.notFound) }
    return found
  }

  private func person(_ name: String, _ reader: ReadingRoom.Reader) -> JSONValue {
    let id = "\(base)/user/\(name)"
    return [
      "id": .string(id), "type": "Person", "preferredUsername": .string(name),
      "name": .string(reader.name), "summary": "<p>Reads &amp; cooks.</p>",
      "inbox": .string("\(id)/inbox"), "outbox": .string("\(id)/outbox"),
      "followers": .string("\(id)/followers"), "bookwyrmUser": true, "discoverable": false,
    ]
  }

  /// What is private is not told from what is not there.
  private func shelf(_ slug: String, of name: String) throws(Page) -> JSONValue {
    let reader = try reader(name)
    let shut = library.settings["private_shelves"]?.array?.contains(.string(slug)) == true
    guard !shut, !reader.isPrivate, let list = reader.lists.first(where: { $0.id == slug }) else {
      throw .refusal(.notFound)
    }
    let id = "\(base)/user/\(name)/books/\(slug)"
    let last = max((list.books.count + Self.perPage - 1) / Self.perPage, 1)
    guard let asked = request.query["page"].flatMap({ Int($0) }) else {
      return [
        "id": .string(id), "type": "Shelf", "totalItems": .integer(list.books.count),
        "first": .string("\(id)?page=1"), "last": .string("\(id)?page=\(last)"),
        "name": .string(list.name), "owner": .string("\(base)/user/\(name)"),
        "to": ["https://www.w3.org/ns/activitystreams#Public"],
        "cc": [.string("\(base)/user/\(name)/followers")],
      ]
    }
    // Django's paginator answers what lies beyond with its last page.
    let page = min(max(asked, 1), last)
    let books = list.books.dropFirst((page - 1) * Self.perPage).prefix(Self.perPage)
    var told: JSONObject = [
      "id": .string("\(id)?page=\(page)"), "type": "OrderedCollectionPage",
      "partOf": .string(id), "orderedItems": .array(books.map { edition($0) }),
    ]
    if page > 1 { told["prev"] = .string("\(id)?page=\(page - 1)") }
    if page < last {
      told["next"] = .string("\(id)?page=\(page + 1)")
    } else if has(.nextLoops) {
      told["next"] = .string("\(id)?page=1")
    } else if has(.lastPageAgain) {
      told["next"] = .string("\(id)?page=\(asked + 1)")
    }
    return .object(told)
  }

  // MARK: - Books and authors

  private func book(_ number: String) throws(Page) -> JSONValue {
    if library.lending.titles[number] != nil { return edition(number) }
    // The work below an edition.
    guard let place = Int(number), let title = library.lending.titles[String(place + 1)] else {
      throw .refusal(.notFound)
    }
    return [
      "id": .string("\(base)/book/\(number)"), "type": "Work", "title": .string(title.name),
      "authors": .array(addresses(title)), "editions": [.string("\(base)/book/\(title.id)")],
    ]
  }

  private func edition(_ number: String) -> JSONValue {
    let id = "\(base)/book/\(number)"
    guard let title = library.lending.titles[number] else {
      return ["id": .string(id), "type": "Edition"]
    }
    var told: JSONObject = ["id": .string(id), "type": "Edition"]
    if !has(.noTitles) { told["title"] = .string(title.name) }
    if let place = Int(number) { told["work"] = .string("\(base)/book/\(place - 1)") }
    guard !has(.bareEditions) else {
      told["authors"] = []
      return .object(told)
    }
    told["authors"] = .array(addresses(title))
    told["subtitle"] = .string(title.subtitle ?? "")
    told["description"] = .string(
      title.summary + "<script>alert(1)</script><a href=\"javascript:alert(2)\">more</a>")
    told["languages"] = [.string(title.language == "en" ? "English" : title.language)]
    told["series"] = .string(title.series ?? "")
    told["seriesNumber"] = .string(title.seriesPosition ?? "")
    told["isbn13"] = .string(title.isbn)
    told["isbn10"] = ""
    told["oclcNumber"] = .string(title.isbn.isEmpty ? "" : String(title.isbn.suffix(8)))
    told["asin"] = ""
    told["pages"] = .null
    told["physicalFormat"] = ""
    told["publishers"] = [.string(title.publisher)]
    told["publishedDate"] = .string("\(title.published)T00:00:00+00:00")
    told["openlibraryKey"] = .string("OL\(number)M")
    told["inventaireId"] = ""
    told["cover"] = [
      "type": "Document", "url": .string("\(base)/images/covers/\(number).jpg"), "name": "",
    ]
    return .object(told)
  }

  /// Numbered as they come in the catalogue.
  private var people: [String] {
    var (seen, people): (Set<String>, [String]) = ([], [])
    for title in library.lending.order.compactMap({ library.lending.titles[$0] }) {
      for name in title.authors where seen.insert(name).inserted { people.append(name) }
    }
    return people
  }

  private func addresses(_ title: Title) -> [JSONValue] {
    guard !has(.noAuthors) else { return [] }
    let people = people
    let elsewhere = library.settings["elsewhere"]?.string ?? ""
    let isGuest = !elsewhere.isEmpty && (Int(title.id) ?? 0) % 4 == 1
    return title.authors.compactMap { name in
      people.firstIndex(of: name).map { place in
        let number = place + 1 + (has(.mergedAuthors) ? Self.merged : 0)
        return .string("\(isGuest ? elsewhere : base)/author/\(number)")
      }
    }
  }

  private func author(_ number: String) throws(Page) -> Response {
    guard let place = Int(number) else { throw .refusal(.notFound) }
    if place > Self.merged {
      return .redirect(to: "\(base)/author/\(place - Self.merged)", .movedPermanently)
    }
    let people = people
    guard people.indices.contains(place - 1) else { throw .refusal(.notFound) }
    return document([
      "id": .string("\(base)/author/\(number)"), "type": "Author",
      "name": .string(people[place - 1]), "aliases": [], "bio": "<p>Writes.</p>",
      "openlibraryKey": .string("OL\(number)A"),
    ])
  }
}
