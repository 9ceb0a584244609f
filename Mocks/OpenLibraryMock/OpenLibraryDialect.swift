import HTTP
import HTTPServer
import JSON
package import MockKit

/// The wire of Open Library: a cookie for who signs in, the reading log, lists, records and
/// availability. All of it below `/openlibrary`.
package enum OpenLibraryDialect {
  package static let name = "open-library"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), let library = state.library("demo", of: name) else {
        return Refusal.page(.notFound).response
      }
      return Visit(request, route, library, state.now).answer(&state)
    },
    // What is wrong in front of the service is told by a page.
    failure: { status, _ in Refusal.page(status).response })
}

/// Why the service says no.
struct Refusal: Error {
  let response: Response

  private init(_ response: Response) { self.response = response }

  init(_ error: String, _ status: Status, _ more: JSONObject = [:]) {
    var object: JSONObject = ["error": .string(error)]
    for member in more.members { object[member.name] = member.value }
    self.init(.library(.object(object), status))
  }

  static func page(_ status: Status) -> Refusal {
    var page = Response.text(
      "<!DOCTYPE html>\n<html><head><title>\(status.code)</title></head>"
        + "<body><h1>Sorry. There seems to be a problem.</h1></body></html>", .html)
    page.status = status
    return Refusal(page)
  }

  /// Strangers are led to the door and back.
  static func door(_ target: String) -> Refusal {
    Refusal(.redirect(to: "/openlibrary/account/login?redirect=\(target)", .seeOther))
  }

  static func nothing(at path: String) -> Refusal {
    Refusal("notfound", .notFound, ["key": .string(path)])
  }
}

extension Response {
  static func library(_ json: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(json.bytes(), MediaType("application", "json"), status: status)
  }
}

/// What a request asks for.
enum Route: Equatable {
  case login
  case log(String, String)
  case bookshelves(String)
  case rating(String)
  case checkIns(String)
  case checkIn(String)
  case export
  case lists(String)
  case list(String, String)
  case seeds(String, String)
  case changeSeeds(String, String)
  case work(String)
  case edition(String)
  case isbn(String)
  case books
  case search
  case availability
  case unknown

  init?(_ request: MockRequest) {
    guard request.path.first == "openlibrary" else { return nil }
    let path = request.path.dropFirst().map { String($0) }
    switch request.method {
    case .get, .head: self = Self.question(path)
    case .post: self = Self.command(path)
    case .delete where path.count == 2 && path[0] == "check-ins": self = .checkIn(path[1])
    default: self = .unknown
    }
  }

  private static func question(_ path: [String]) -> Route {
    let last = path.last.map { $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0 } ?? ""
    switch (path.first, path.count) {
    case ("people", 4) where path[2] == "books": return .log(path[1], last)
    case ("people", 3) where last == "lists": return .lists(path[1])
    case ("people", 4) where path[2] == "lists": return .list(path[1], last)
    case ("people", 5) where path[2] == "lists" && last == "seeds": return .seeds(path[1], path[3])
    case ("account", 2) where last == "export": return .export
    case ("works", 2): return .work(last)
    case ("books", 2): return .edition(last)
    case ("isbn", 2): return .isbn(last)
    case ("api", 2) where last == "books": return .books
    case ("search.json", 1): return .search
    case ("availability", 2): return .availability
    default: return .unknown
    }
  }

  private static func command(_ path: [String]) -> Route {
    switch (path.first, path.count) {
    case ("account", 2) where path[1] == "login": .login
    case ("works", 3) where path[2] == "bookshelves.json": .bookshelves(path[1])
    case ("works", 3) where path[2] == "ratings.json": .rating(path[1])
    case ("works", 3) where path[2] == "check-ins": .checkIns(path[1])
    case ("people", 5) where path[2] == "lists" && path[4] == "seeds.json":
      .changeSeeds(path[1], path[3])
    case ("availability", 2): .availability
    default: .unknown
    }
  }

  var operation: String { String("\(self)".prefix { $0 != "(" }) }
}
