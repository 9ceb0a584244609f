import HTTP

/// The one style of all pages.
enum Stylesheet {
  static let asset = SiteAsset("carrel", "css", .css, text)

  static let text = groundStyle + shelfStyle + bookStyle + deskStyle + ownStyle + readerPageStyle

  /// For operators only, so that nobody else carries it.
  static let office = SiteAsset("office", "css", .css, officeStyle)
}
