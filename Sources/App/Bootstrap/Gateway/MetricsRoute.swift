import HTTP
import HTTPServer
import Metrics
import Secrets
import Setup

/// /metrics: on a listener of its own, with a token, or not at all.
struct MetricsRoute: Sendable {
  static let path = Path.root / "metrics"

  let exporter: Exporter
  /// Nil where the listener itself is kept from strangers.
  let token: Secret?

  /// A token file that cannot be used must not leave the door open.
  static func token(_ settings: Configuration.Metrics) throws(ServeError) -> Secret? {
    guard let path = settings.tokenFile else { return nil }
    guard let secret = Secret(inFile: path) else {
      throw ServeError(
        .configInvalid, "metrics.token_file: \(path) cannot be read, or others can read it")
    }
    guard secret.count >= 16 else {
      throw ServeError(
        .configInvalid, "metrics.token_file: the token in \(path) is shorter than 16 characters")
    }
    return secret
  }

  func add<Note>(to router: inout Router<Note>, note: Note) {
    router.on(.get, at: Self.path, note: note) { request in
      guard allows(request) else { return Self.closed }
      var response = Response.text(await exporter.text())
      response.headers.set("Content-Type", Exposition.mediaType)
      response.headers.set("Cache-Control", "no-store")
      return response
    }
  }

  private func allows(_ request: Request) -> Bool {
    guard let token else { return true }
    guard let field = request["Authorization"], field.lowercased().hasPrefix("bearer ") else {
      return false
    }
    return token.matches(Secret(String(field.dropFirst(7))))
  }

  private static var closed: Response {
    var response = Response.problem(
      Problem(
        .unauthorized, code: "token_required", detail: "This needs the token of monitoring.",
        remedy: "Send Authorization: Bearer with the token of metrics.token_file."))
    response.headers.set("WWW-Authenticate", "Bearer realm=\"metrics\"")
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}
