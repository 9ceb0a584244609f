import HTTP
import HTTPServer
import JSON
package import MockKit

/// The wire of one instance of BookWyrm: profiles, shelves, books and authors as documents of
/// ActivityStreams, and as pages for whoever asks for no document. All of it below `/bookwyrm`.
package enum BookWyrmDialect {
  package static let name = "bookwyrm"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), let library = state.library("demo", of: name) else {
        return Page.refusal(.notFound).response
      }
      return Visit(request, route, library).answer
    },
    // Django and nginx both speak to people when something is wrong.
    failure: { status, _ in Page.refusal(status).response })
}

/// Something other than a document.
struct Page: Error {
  let response: Response

  static func refusal(_ status: Status) -> Page {
    Page(
      response: made("<h1>Oh no!</h1><p>The page you requested doesn't seem to exist!</p>", status))
  }

  static func made(_ body: String, _ status: Status = .ok) -> Response {
    var page = Response.text(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><title>BookWyrm</title></head>"
        + "<body>\(body)</body></html>", .html)
    page.status = status
    return page
  }
}

/// What a request asks for.
enum Route: Equatable {
  case person(String)
  case shelf(String, String)
  /// Under the other of the two paths that shelves have.
  case moved(String, String)
  case book(String)
  case author(String)
  case unknown

  init?(_ request: MockRequest) {
    guard request.path.first == "bookwyrm" else { return nil }
    let path = request.path.dropFirst().map { String($0) }
    let last = path.last.map { $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0 } ?? ""
    guard request.method == .get || request.method == .head else {
      self = .unknown
      return
    }
    switch (path.first, path.count) {
    case ("user", 2): self = .person(last)
    case ("user", 4) where path[2] == "books": self = .shelf(path[1], last)
    case ("user", 4) where path[2] == "shelf": self = .moved(path[1], last)
    case ("book", 2): self = .book(last)
    case ("author", 2): self = .author(last)
    default: self = .unknown
    }
  }

  var operation: String { String("\(self)".prefix { $0 != "(" }) }
}
