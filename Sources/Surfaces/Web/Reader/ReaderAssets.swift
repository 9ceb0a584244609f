import BuiltIn
import HTTP

/// The files of the reader.
enum ReaderAssets {
  static let script = SiteAsset("reader", "js", .javaScript, BuiltIn.readerScript)
  static let style = SiteAsset("reader", "css", .css, BuiltIn.readerStyle)
  /// How pages of books look whose authors say nothing, and what readers like better than authors.
  static let before = SiteAsset("page", "css", .css, BuiltIn.pageStyle)
  static let behind = SiteAsset("like", "css", .css, BuiltIn.likeStyle)

  static let all = [script, style, before, behind]
}
