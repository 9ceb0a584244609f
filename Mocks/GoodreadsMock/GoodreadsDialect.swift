import HTTP
import HTTPServer
package import MockKit

/// The wire of Goodreads: the classic interface with its signatures, the pages on which readers grant
/// access, and the feeds of shelves. All of it below `/goodreads`.
package enum GoodreadsDialect {
  package static let name = "goodreads"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), let library = state.library("demo", of: name) else {
        return XML.page("Page not found", .notFound)
      }
      return Visit(request, route, library, state.now).answer(&state)
    },
    failure: { status, _ in
      switch status {
      case .unauthorized: Response.text("Invalid OAuth Request", status: .unauthorized)
      case .notFound: XML.error("book not found", .notFound)
      case .forbidden: XML.error("Forbidden", .forbidden)
      case .unprocessableContent:
        XML.document("<errors><error>Name is invalid</error></errors>", status)
      default: XML.error("something went wrong", status)
      }
    })
}
