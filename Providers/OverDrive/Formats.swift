import Circulation

/// The format ids of the wire and what each means for a reader (§7.1).
enum Formats {
  static func named(_ id: String) -> Format {
    let id = id.lowercased()
    guard let row = table[id] else {
      // Whole families were retired, or are left to the service's own apps.
      let isRetired = id.hasPrefix("music-") || id.hasPrefix("video-wmv")
      return Format(
        id: id, content: guess(id), protection: isRetired ? .vendorApp : .unknown, locksLoan: true)
    }
    return Format(
      id: id, content: row.content, protection: row.protection, locksLoan: row.locksLoan)
  }

  /// The service's own page, whatever it makes of the loan there (§9.5).
  static let web = Format(id: "web", content: .html, protection: .streaming)

  /// What a media type tells where the format is not named.
  static func delivered(as type: String) -> Format {
    switch type {
    case "application/epub+zip": named("ebook-epub-open")
    case "application/pdf": named("ebook-pdf-open")
    case "application/vnd.adobe.adept+xml": named("ebook-epub-adobe")
    default: web
    }
  }

  /// What Carrel would rather have when the reader does not choose: a plain file it opens itself,
  /// then the page in the browser, which binds the loan to nothing.
  static func preferred(among formats: [Format]) -> Format? {
    formats.first(where: \.isReadableHere) ?? formats.first { $0.protection == .streaming }
      ?? formats.first { $0.protection == .none } ?? formats.first
  }

  private typealias Row = (content: Format.Content, protection: Format.Protection, locksLoan: Bool)

  private static let table: [String: Row] = [
    "ebook-overdrive": (.html, .streaming, false),
    "audiobook-overdrive": (.audiobook, .streaming, false),
    "magazine-overdrive": (.html, .streaming, false),
    "video-streaming": (.video, .streaming, false),
    "ebook-epub-adobe": (.epub, .adobe, true),
    "ebook-pdf-adobe": (.pdf, .adobe, true),
    "ebook-epub-open": (.epub, .none, true),
    "ebook-pdf-open": (.pdf, .none, true),
    "ebook-kindle": (.kindle, .vendorApp, true),
    "ebook-mediado": (.html, .streaming, false),
    "ebook-disney": (.html, .streaming, false),
    "audiobook-mp3": (.audiobook, .vendorApp, true),
    "audiobook-wma": (.audiobook, .vendorApp, true),
    "periodicals-nook": (.other, .vendorApp, true),
    "ebook-microsoft": (.other, .vendorApp, true),
  ]

  private static func guess(_ id: String) -> Format.Content {
    if id.hasPrefix("audiobook") { return .audiobook }
    if id.hasPrefix("video") { return .video }
    if id.hasPrefix("music") { return .music }
    if id.contains("epub") { return .epub }
    if id.contains("pdf") { return .pdf }
    return .other
  }
}
