import HTTP
import HTTPServer

/// What machines ask: does the process answer, and should it get traffic. Both answer without base path
/// as well as under it: who probes the process itself, past any proxy, knows nothing of the site.
enum Probes {
  static let health = Path.root / "healthz"
  static let readiness = Path.root / "readyz"

  static func add<Note>(
    to router: inout Router<Note>, note: Note, fitness: Fitness, identity: GatewayIdentity? = nil
  ) {
    router.immediate(.get, at: health, note: note) { _ in alive() }
    router.on(.get, at: readiness, note: note) { request in
      var response = answer(await fitness.reasons())
      if let question = request.headers[GatewayIdentity.question],
        let proof = identity?.answer(to: question)
      {
        response.headers.set(GatewayIdentity.answer, proof)
      }
      return response
    }
  }

  static func alive() -> Response { fresh(.text("ok\n")) }

  static func answer(_ reasons: [String]) -> Response {
    guard !reasons.isEmpty else { return fresh(.text("ready\n")) }
    var problem = Problem(
      .serviceUnavailable, code: "not_ready", detail: reasons.joined(separator: "; "),
      remedy: "carrel doctor", retryAfter: 5)
    problem.reasons = reasons
    return fresh(.problem(problem))
  }

  private static func fresh(_ response: Response) -> Response {
    var response = response
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
