import HTTP
import HTTPServer
package import MockKit

/// The wire of OPDS: a lending library in the dialect of the Palace circulation manager, in Atom and
/// in JSON, and two catalogues that give their books away.
package enum OPDSDialect {
  package static let name = "opdslibrary"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), let library = state.library(route.library, of: name)
      else { return Failure.notFound.response }
      return Visit(request, route, library, state.now).answer(&state)
    },
    failure: { status, _ in Failure.usual(status).response },
    coding: .gzipWhenAsked)
}
