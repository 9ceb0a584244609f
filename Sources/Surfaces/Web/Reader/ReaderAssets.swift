import HTTP

/// The files of the reader.
enum ReaderAssets {
  static let script = SiteAsset("reader", "js", .javaScript, text(PackageResources.reader_js))
  static let style = SiteAsset("reader", "css", .css, text(PackageResources.reader_css))
  /// How pages of books look whose authors say nothing, and what readers like better than authors.
  static let before = SiteAsset("page", "css", .css, text(PackageResources.page_css))
  static let behind = SiteAsset("like", "css", .css, text(PackageResources.like_css))

  static let all = [script, style, before, behind]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
