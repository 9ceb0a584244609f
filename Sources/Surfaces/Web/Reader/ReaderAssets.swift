import HTTP
import HTTPServer

/// The files of the reader, each under a name that changes with what is in it, to be kept for ever.
enum ReaderAssets {
  struct Asset: Sendable {
    let name: String
    let body: CachedBody

    init(_ stem: String, _ suffix: String, _ type: MediaType, _ bytes: [UInt8]) {
      body = CachedBody(
        bytes, type,
        headers: [
          "Cache-Control": "public, max-age=31536000, immutable",
          // A page of a book has no origin that could be the same.
          "Access-Control-Allow-Origin": "*",
        ])
      name = "\(stem)-\(body.etag.opaque.filter { $0.isLetter || $0.isNumber }).\(suffix)"
    }
  }

  static let script = Asset("reader", "js", .javaScript, PackageResources.reader_js)
  static let style = Asset("reader", "css", .css, PackageResources.reader_css)
  /// How pages of books look whose authors say nothing, and what readers like better than authors.
  static let before = Asset("page", "css", .css, PackageResources.page_css)
  static let behind = Asset("like", "css", .css, PackageResources.like_css)

  static let all = [
    (ReaderPaths.script, script), (ReaderPaths.style, style), (ReaderPaths.before, before),
    (ReaderPaths.behind, behind),
  ]
}
