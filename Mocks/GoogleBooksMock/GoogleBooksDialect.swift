import HTTP
import HTTPServer
import JSON
package import MockKit

/// The wire of Google Books: bookshelves and volumes, and the pages and tokens of OAuth 2. All of it
/// below `/google`.
package enum GoogleBooksDialect {
  package static let name = "googlebooks"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), let library = state.library("demo", of: name) else {
        return Refusal.notFound.response
      }
      return Visit(request, route, library, state.now).answer(&state)
    },
    failure: { status, _ in
      let word =
        switch status {
        case .unauthorized: "authError"
        case .forbidden: "forbidden"
        case .notFound: "notFound"
        case .tooManyRequests: "rateLimitExceeded"
        default: "backendError"
        }
      return Refusal(status, word, "Service temporarily unavailable.").response
    })
}

/// Why the service says no.
struct Refusal: Error {
  let response: Response

  init(_ status: Status, _ reason: String, _ message: String) {
    response = .google(
      [
        "error": [
          "code": .integer(status.code), "message": .string(message),
          "errors": [
            ["domain": "global", "reason": .string(reason), "message": .string(message)]
          ],
        ]
      ], status)
  }

  static let notFound = Refusal(.notFound, "notFound", "The volume ID could not be found.")
  static let login = Refusal(.unauthorized, "authError", "Invalid Credentials")
}

extension Response {
  static func google(_ json: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(
      json.bytes(.indented), MediaType("application", "json", [.init("charset", "UTF-8")]),
      status: status)
  }
}

/// What a request asks for.
enum Route: Equatable {
  case consent, token, revoke
  case shelves
  case shelf(String)
  case volumes(String)
  case change(String, String)
  case search
  case volume(String)
  case unknown

  init?(_ request: MockRequest) {
    guard request.path.first == "google" else { return nil }
    let path = Array(request.path.dropFirst())
    let isGet = request.method == .get || request.method == .head
    if path == ["o", "oauth2", "v2", "auth"] {
      self = .consent
    } else if path == ["token"] {
      self = request.method == .post ? .token : .unknown
    } else if path == ["revoke"] {
      self = request.method == .post ? .revoke : .unknown
    } else if path.starts(with: ["books", "v1", "mylibrary", "bookshelves"]) {
      self = Route.shelf(Array(path.dropFirst(4)), isGet, isPost: request.method == .post)
    } else if path.starts(with: ["books", "v1", "volumes"]), isGet, path.count < 5 {
      self = path.count == 4 ? .volume(path[3]) : .search
    } else {
      self = .unknown
    }
  }

  private static func shelf(_ rest: [String], _ isGet: Bool, isPost: Bool) -> Route {
    switch rest.count {
    case 0 where isGet: .shelves
    case 1 where isGet: .shelf(rest[0])
    case 2 where isGet && rest[1] == "volumes": .volumes(rest[0])
    case 2 where isPost: .change(rest[0], rest[1])
    default: .unknown
    }
  }

  var operation: String {
    if case .change(_, let verb) = self { return verb }
    return String("\(self)".prefix { $0 != "(" })
  }
}
