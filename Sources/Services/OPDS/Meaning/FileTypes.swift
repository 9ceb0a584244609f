import HTTP

extension Link {
  /// With the type of a book as it is registered, however the catalogue calls it; where it says
  /// nothing, the end of the address may.
  var asFile: Link {
    var link = self
    if let type, let known = FileTypes.aliases[type.essence] { link.type = known }
    let isFree = has(.acquisition) || has(.openAccess) || has(.sample)
    if isFree, type == nil || type == .bytes, let told = FileTypes.type(of: href) {
      link.type = told
    }
    return link
  }
}

private enum FileTypes {
  static let aliases: [String: MediaType] = [
    "application/epub": .epub, "application/x-epub+zip": .epub, "application/epub-zip": .epub,
    "application/x-epub": .epub, "application/vnd.epub+zip": .epub, "application/x-pdf": pdf,
  ]

  private static let pdf = MediaType("application", "pdf")

  private static let endings: [String: MediaType] = [
    "epub": .epub, "pdf": pdf, "mobi": MediaType("application", "x-mobipocket-ebook"),
    "azw3": MediaType("application", "vnd.amazon.ebook"),
    "cbz": MediaType("application", "vnd.comicbook+zip"),
    "cbr": MediaType("application", "vnd.comicbook-rar"),
  ]

  static func type(of href: String) -> MediaType? {
    let path = href.prefix { $0 != "?" && $0 != "#" && $0 != "{" }
    guard let dot = path.lastIndex(of: "."), path.distance(from: dot, to: path.endIndex) < 6 else {
      return nil
    }
    return endings[path[path.index(after: dot)...].lowercased()]
  }
}
