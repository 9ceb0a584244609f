package import HTTP
package import HTTPServer
import Markup
import Phrasebook

/// The pages, as rows of the gateway's route table.
package enum WebRoutes {
  static let start = Path.root

  /// Where there is nothing else to show. `open` is the owner's word for a route that anybody may use.
  package static func addStart<Note: Sendable>(to router: inout Router<Note>, open: Note) {
    router.speaking { router in
      router.immediate(.get, at: start, note: open) { request in
        page(StartPage().view(SiteLinks(request)))
      }
    }
  }

  package static func addAssets<Note: Sendable>(to router: inout Router<Note>, open: Note) {
    for asset in SiteAsset.all {
      router.immediate(.get, at: asset.path, note: open) { _ in .cached(asset.body) }
    }
    WorkerRoute.add(to: &router, open: open)
  }

  /// The path of a sign-in link with this secret.
  package static func signInLink(_ secret: String) -> String { LobbyPaths.linkSecret.print(secret) }

  /// What no route answers: a page for a browser, a problem document for a program.
  package static func refusal(_ request: Request, _ status: Status) -> Response {
    // A program that takes anything gets the document; only a browser asks for pages by name.
    guard Accept(request["Accept"]).best(of: [.problem, .html]) == .html else {
      return .problem(
        Problem(status, code: status == .notFound ? "not_found" : "method_not_allowed"))
    }
    return Tongue.$current.withValue(Tongue(request)) {
      page(ProblemPage(status).view(SiteLinks(request)), status: status)
    }
  }

  static func page(_ node: Node, status: Status = .ok) -> Response {
    var response = Response.bytes(
      HTMLWriter.document(node), .html, status: status)
    response.headers.set("Content-Security-Policy", policy)
    response.headers.set("Cache-Control", "no-cache")
    response.headers.set("Vary", "Cookie, Accept-Language")
    return response
  }

  /// Nothing runs and nothing loads but what comes from here as a file: no script stands in a page.
  static let policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].joined(separator: "; ")
}

/// Links inside the site, printed by the routes themselves and carrying the base path.
struct SiteLinks {
  let home: String
  let stylesheet: String
  let script: String
  let manifest: String
  let icon: String
  let touchIcon: String
  let look: Look

  init(_ request: Request) {
    home = request.link(WebRoutes.start.print())
    stylesheet = request.link(Stylesheet.asset.path.print())
    script = request.link(SiteScript.asset.path.print())
    manifest = request.link(SiteManifest.path.print())
    icon = request.link(SiteIcon.drawing.path.print())
    touchIcon = request.link(SiteIcon.touch.path.print())
    look = Look(request)
  }
}
