import HTTP
import HTTPServer
package import MockKit

/// Project Gutenberg's site and a mirror of its files on one port: the nightly archive and the
/// table, single records, files, and the pages that robots get to see.
package enum GutenbergDialect {
  package static let name = "gutenberg"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), let library = state.library(name, of: name) else {
        return Page.notFound
      }
      return Visit(request: request, route: route, library: library, now: state.now).answer
    },
    failure: { status, _ in Page.failure(status) })
}

/// Pages for people, which is all that the site says when something is wrong.
enum Page {
  static let notFound = page("404 Not Found", "The book you asked for is not here.", .notFound)
  static let robots = page(
    "Blocked",
    "You have used Project Gutenberg quite a lot today or clicked through it really "
      + "fast. To make sure you are human, we ask you to resolve this captcha.", .ok)
  static let forbidden = page(
    "403 Forbidden", "Don't use automated software on this web site.", Status(403))

  static func failure(_ status: Status) -> Response {
    status == .notFound ? notFound : page("Error \(status.code)", "Something went wrong.", status)
  }

  static func page(_ title: String, _ text: String, _ status: Status = .ok) -> Response {
    .text(
      "<!DOCTYPE html><html lang=\"en\"><head><title>\(title)</title></head>"
        + "<body><h1>\(title)</h1><p>\(text)</p></body></html>", .html, status: status)
  }
}
