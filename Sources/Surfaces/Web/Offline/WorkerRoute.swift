import Crypto
import HTTP
import HTTPServer
import JSON

/// The service worker: it stands at the top of the site, since it may look after nothing above.
enum WorkerRoute {
  static let path = Path.root / "sw.js"

  /// What every page needs, kept from the first visit on.
  private static let assets = [Stylesheet.asset, SiteScript.asset, SiteIcon.drawing]

  static func answer(_ request: Request) -> Response {
    let base = request.link(WebRoutes.start.print())
    let assets = assets.map { request.link($0.path.print()) }
    // Another worker whenever anything that it keeps is another.
    let version = Hex.encode(
      Array(Digest.sha256.hash(Array((assets.joined() + workerScript).utf8)).prefix(6)))
    let list = JSONValue.array(assets.map(JSONValue.string)).text()
    let head = """
      "use strict";
      const base = \(JSONValue.string(base).text()), version = "\(version)", assets = \(list);

      """
    var response = Response.text(head + lean, .javaScript)
    response.headers.set("Cache-Control", "no-cache")
    response.headers.set(
      "Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'")
    return response
  }

  /// Without what only people read.
  static let lean =
    workerScript.split(separator: "\n").map { $0.drop { $0 == " " } }
    .filter { !$0.hasPrefix("//") }.joined(separator: "\n") + "\n"

  static func add<Note: Sendable>(to router: inout Router<Note>, open: Note) {
    router.immediate(.get, at: path, note: open) { answer($0) }
    router.speaking { router in
      router.immediate(.get, at: SiteManifest.path, note: open) { SiteManifest.answer($0) }
      router.immediate(.get, at: OfflinePage.path, note: open) { request in
        WebRoutes.page(OfflinePage.view(SiteLinks(request), request))
      }
    }
  }
}
