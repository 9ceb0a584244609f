import HTTP
import HTTPServer

extension Request {
  /// For answers that anyone may read and that hold addresses of this site. Where these are made from
  /// `Host`, which any client can forge, no shared cache may give them to others.
  func caching(seconds: Int) -> String {
    "\(isNamedBySettings ? "public" : "private"), max-age=\(seconds)"
  }
}

/// Any page of the web may read what anybody may read (§7).
enum Sharing {
  static func add(to headers: inout Headers) {
    headers.set("Access-Control-Allow-Origin", "*")
    headers.set("Access-Control-Expose-Headers", "ETag, Link, WWW-Authenticate, Location")
  }

  static let preflight = Response(
    .noContent,
    headers: [
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers":
        "Authorization, Content-Type, If-None-Match, Accept, X-Requested-With",
      "Access-Control-Max-Age": "86400", "Allow": "GET, HEAD, OPTIONS",
    ])

  /// For addresses that are also written to.
  static let writing: Response = {
    var response = preflight
    let methods = "GET, HEAD, POST, PUT, DELETE, OPTIONS"
    response.headers.set("Access-Control-Allow-Methods", methods)
    response.headers.set(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, If-None-Match, If-Match, Slug, Accept, Idempotency-Key, "
        + "X-Requested-With")
    response.headers.set("Allow", methods)
    return response
  }()
}
