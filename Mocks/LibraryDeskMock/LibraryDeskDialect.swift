import HTTP
import HTTPServer
import JSON
package import MockKit

/// A library's own system as programs see it over HTTP: Koha's REST interface under
/// `/koha/LIBRARY/api/v1`, and its catalogue by SRU under `/koha/LIBRARY/sru`. The line of
/// self-service machines answers from the same library.
package enum LibraryDeskDialect {
  package static let name = "library_desk"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in KohaRoute(request)?.operation },
    answer: { request, state in
      guard let route = KohaRoute(request), state.library(route.library, of: name) != nil else {
        return KohaRefusal(.notFound, "Not found").response
      }
      return KohaVisit(request, route, state.now).answer(&state)
    },
    failure: { status, _ in
      let words =
        status == .forbidden
        ? "Authorization failure. Missing required permission(s)." : "Something went wrong"
      return KohaRefusal(status, words).response
    })
}
