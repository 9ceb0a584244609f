import HTTP
import HTTPServer
package import MockKit

/// The wire of Axis 360: the vendor's interface, the download host it sends readers on to, and the
/// licence server of AxisNow. Their paths do not collide, so one port plays all three.
package enum Axis360Dialect {
  package static let name = "axis360"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request) else { return notFound }
      return Visit(request, route).answer(&state)
    },
    failure: { status, _ in
      switch status {
      case .notFound: notFound
      // A gateway in front answers in its own way.
      case .tooManyRequests, .serviceUnavailable: page("The service is unavailable.", status)
      default:
        Verdict(code(of: status), "Internal Server Error").response(
          in: .xml(root: "availabilityResponse", result: nil), status)
      }
    })

  static let notFound = page("404 - File or directory not found.", .notFound)

  private static func page(_ text: String, _ status: Status) -> Response {
    .text(
      "<!DOCTYPE html><html><head><title>\(text)</title></head><body><h2>\(text)</h2></body></html>",
      .html, status: status)
  }

  private static func code(of status: Status) -> String {
    switch status {
    case .unauthorized: "1001"
    case .forbidden: "1003"
    default: "5000"
    }
  }
}
