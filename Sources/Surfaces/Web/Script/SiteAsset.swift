import HTTP
import HTTPServer

/// A file of the site itself. Served from memory under a name that changes with its content, so a
/// browser may keep it for ever.
struct SiteAsset: Sendable {
  let body: CachedBody
  let path: RoutePath<Void>

  init(_ stem: String, _ suffix: String, _ type: MediaType, _ text: String) {
    self.init(stem, suffix, type, Array(text.utf8))
  }

  init(_ stem: String, _ suffix: String, _ type: MediaType, _ bytes: [UInt8]) {
    body = CachedBody(
      bytes, type,
      headers: ["Cache-Control": "public, max-age=31536000, immutable"])
    let tag = body.etag.opaque.filter { $0.isLetter || $0.isNumber }
    path = Path.root / "assets" / "\(stem)-\(tag).\(suffix)"
  }

  static let all = [
    Stylesheet.asset, Stylesheet.office, SiteScript.asset, SiteIcon.drawing, SiteIcon.touch,
    SiteIcon.small, SiteIcon.large,
  ]
}
