import HTTP
import HTTPServer

/// A file of the site itself. Served from memory under a name that changes with its content, so a
/// browser may keep it for ever.
struct SiteAsset: Sendable {
  let body: CachedBody
  let path: RoutePath<Void>

  init(_ stem: String, _ suffix: String, _ type: MediaType, _ text: String) {
    body = CachedBody(
      Array(text.utf8), type,
      headers: ["Cache-Control": "public, max-age=31536000, immutable"])
    let tag = body.etag.opaque.filter { $0.isLetter || $0.isNumber }
    path = Path.root / "assets" / "\(stem)-\(tag).\(suffix)"
  }

  static let all = [Stylesheet.asset, SiteScript.asset]
}
