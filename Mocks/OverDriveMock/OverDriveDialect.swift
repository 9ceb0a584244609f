import HTTP
import HTTPServer
import JSON
package import MockKit

/// OverDrive's wire: discovery, circulation and both token hosts. Their paths do not collide, so one
/// port plays all four hosts.
package enum OverDriveDialect {
  package static let name = "overdrive"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request) else { return Failure.notFound.response(&state) }
      // The contract of the interface asks for it, and gateways in front of it insist.
      guard !(request.headers["User-Agent"] ?? "").isEmpty || route.isForBrowsers else {
        return Failure(.forbidden, "Forbidden", "A User-Agent header is required.").response(&state)
      }
      return Visit(request).answer(route, &state)
    },
    failure: { status, state in
      Failure(status, code(of: status), "An unexpected error has occurred.").response(&state)
    })

  private static func code(of status: Status) -> String {
    switch status {
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .notFound: "NotFound"
    case .tooManyRequests: "TooManyRequests"
    case .serviceUnavailable: "ServiceUnavailable"
    default: "InternalError"
    }
  }
}
