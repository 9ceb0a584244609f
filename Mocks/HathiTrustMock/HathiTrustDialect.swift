import HTTP
import HTTPServer
import JSON
package import MockKit

/// The wire of HathiTrust: its bibliographic interface and, on the same port, the pages where its
/// volumes are read.
package enum HathiTrustDialect {
  package static let name = "hathitrust"

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in Furnishing(scenario, seed, now).libraries },
    operation: { request in Route(request)?.operation },
    answer: { request, state in
      guard let route = Route(request), request.method == .get || request.method == .head else {
        return notFound
      }
      guard let library = state.library("demo", of: name) else { return notFound }
      switch route {
      case .single(let detail, let type, let id):
        return Answering(library, request).single(detail, type, id)
      case .many(let detail, let specs): return Answering(library, request).many(detail, specs)
      case .page(let volume): return Answering(library, request).page(volume)
      case .unknown: return notFound
      }
    },
    failure: { status, _ in
      status == .notFound ? notFound : page("We're sorry, something went wrong", status)
    })

  static let notFound = page("404 Not Found", .notFound)

  static func page(_ text: String, _ status: Status = .ok) -> Response {
    .text(
      "<!DOCTYPE html>\n<html><head><title>\(text)</title></head><body><h1>\(text)</h1></body></html>",
      .html, status: status)
  }
}

/// What a request asks for, read from method and path alone.
enum Route: Equatable {
  case single(detail: String, type: String, id: String)
  case many(detail: String, specs: String)
  case page(volume: String)
  case unknown

  /// Nil for paths that are none of this service's.
  init?(_ request: MockRequest) {
    let path = request.path
    if path == ["cgi", "pt"] {
      self = .page(volume: request.query["id"] ?? "")
      return
    }
    guard path.count >= 3, path[0] == "api", path[1] == "volumes" else { return nil }
    var rest = Array(path.dropFirst(2))
    let detail = ["brief", "full"].contains(rest[0]) ? rest.removeFirst() : "brief"
    // A volume's id may have slashes of its own.
    if rest.first == "json" {
      self = .many(detail: detail, specs: rest.dropFirst().joined(separator: "/"))
    } else if rest.count >= 2, let last = rest.last, last.hasSuffix(".json") {
      let id = rest.dropFirst().joined(separator: "/").dropLast(5)
      self = .single(detail: detail, type: rest[0], id: String(id))
    } else {
      self = .unknown
    }
  }

  var operation: String {
    switch self {
    case .single: "single"
    case .many: "many"
    case .page: "page"
    case .unknown: "unknown"
    }
  }
}
