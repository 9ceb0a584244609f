import HTTP
import HTTPServer

/// What machines ask: does the process answer, and should it get traffic.
enum Probes {
  static let health = Path.root / "healthz"
  static let readiness = Path.root / "readyz"

  /// `database` tells what is wrong with it, nil when it can be written to.
  static func add(
    to router: inout Router<RouteAccess>, readiness state: Readiness,
    database: @escaping @Sendable () async -> String?
  ) {
    router.immediate(.get, at: health, note: .open) { _ in answer(.ok, "ok\n") }
    router.on(.get, at: readiness, note: .open) { _ in
      switch state.state {
      case .starting: return answer(.serviceUnavailable, "starting\n")
      case .draining: return answer(.serviceUnavailable, "stopping\n")
      case .degraded(let reasons):
        return answer(.serviceUnavailable, reasons.map { $0 + "\n" }.joined())
      case .ready:
        guard let trouble = await database() else { return answer(.ok, "ready\n") }
        return answer(.serviceUnavailable, trouble + "\n")
      }
    }
  }

  private static func answer(_ status: Status, _ text: String) -> Response {
    var response = Response.text(text, status: status)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}

/// Who may use a route. Every row of the route table says one, and a test walks the table.
package enum RouteAccess: Sendable, Hashable {
  case open
  /// Readers, and strangers where the settings let them in.
  case catalog
  case reader
  /// Readers who look after the gateway; for everybody else there is nothing there.
  case operators
}
