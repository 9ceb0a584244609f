import HTTP
import HTTPServer
package import MockKit

/// cloudLibrary's wire: one signed service in XML, without tokens or sessions.
package enum CloudLibraryDialect {
  package static let name = "cloudlibrary"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request) else { return Failure.notFound.response }
      return Visit(request, state.now).answer(route, &state)
    },
    failure: { status, _ in Failure(status, sentence(for: status)).response })

  private static func sentence(for status: Status) -> String {
    switch status {
    case .forbidden: "The request was refused"
    case .notFound: "Not found"
    case .tooManyRequests: "Too many requests"
    default: "Unknown error"
    }
  }
}
