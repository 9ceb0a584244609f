import HTTP
import HTTPServer

/// The one style of all pages. Served from memory under a name that changes with its content, so a
/// browser may keep it for ever.
enum Stylesheet {
  static let body = CachedBody(
    Array(text.utf8), .css,
    headers: ["Cache-Control": "public, max-age=31536000, immutable"])

  static let name: String = {
    let tag = body.etag.opaque.filter { $0.isLetter || $0.isNumber }
    return "carrel-\(tag).css"
  }()

  static let text = groundStyle + shelfStyle + bookStyle + readerPageStyle
}
