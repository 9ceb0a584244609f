package import EPUB
package import HTTP
import Markup
import Styles
import Zip

/// A part of a book on its way to a browser.
package struct BookPart: Sendable {
  package let bytes: [UInt8]
  package let type: HTTP.MediaType
}

/// A picture, a font, a recording or a film that is too large to be held in memory.
package struct BookMedia: Sendable {
  package let type: HTTP.MediaType
  /// As the archive tells.
  package let length: Int
  private let book: Book
  private let path: String

  init(_ book: Book, _ path: String, length: Int) throws(ResourceError) {
    var beginning: [UInt8] = []
    try book.read(path, upTo: .max) { piece in
      beginning += piece
      return beginning.count < 16
    }
    guard let type = HTTP.MediaType.media(beginning, listed: book.mediaType(of: path)) else {
      throw .missing
    }
    (self.book, self.path, self.type, self.length) = (book, path, type, length)
  }

  /// All of it, piece by piece, until `take` has enough; no more than the archive tells.
  package func read(_ take: ([UInt8]) -> Bool) throws(ResourceError) {
    try book.read(path, upTo: length, take)
  }
}

extension Book {
  /// Whether a page of the book may use this entry: what a newer book does not list is not its own.
  func isUsable(_ path: String) -> Bool {
    guard !path.hasPrefix("META-INF/"), container.archive.entry(named: path) != nil else {
      return false
    }
    return !document.isEPUB3 || item(at: path) != nil
  }

  func item(at path: String) -> ManifestItem? { document.item(at: path) }

  func mediaType(of path: String) -> EPUB.MediaType {
    item(at: path)?.mediaType ?? EPUB.MediaType(Self.byEnding[Self.ending(path)] ?? "")
  }

  static func ending(_ path: String) -> String {
    path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
  }

  static let byEnding: [String: String] = [
    "xhtml": "application/xhtml+xml", "html": "text/html", "htm": "text/html",
    "svg": "image/svg+xml", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "gif": "image/gif", "webp": "image/webp", "css": "text/css", "mp3": "audio/mpeg",
    "m4a": "audio/mp4", "mp4": "video/mp4", "ogg": "audio/ogg", "opus": "audio/ogg",
    "webm": "video/webm", "otf": "font/otf", "ttf": "font/ttf", "woff": "font/woff",
    "woff2": "font/woff2",
  ]
}

extension StyleList {
  /// Nothing but what the book itself holds.
  static func own(_ book: Book, from base: String, _ addresses: BookAddresses) -> StyleList {
    @Sendable func own(_ written: String) -> String? {
      guard let path = Reference(written, from: base).path, book.isUsable(path) else { return nil }
      return addresses.resource(path)
    }
    return StyleList(
      picture: { text in
        if let address = Address(text), address.isDataImage { return address.text }
        return own(text)
      }, font: own,
      sheet: { text in
        guard let path = Reference(text, from: base).path,
          book.mediaType(of: path).text == "text/css" || Book.ending(path) == "css"
        else { return nil }
        return own(text)
      })
  }
}

extension HTTP.MediaType {
  static let xhtml = HTTP.MediaType("application", "xhtml+xml")

  /// What bytes are is told by the bytes where they tell it: names and lists of books are often wrong.
  static func picture(_ bytes: [UInt8]) -> HTTP.MediaType? {
    func begins(_ text: [UInt8], at place: Int = 0) -> Bool {
      bytes.dropFirst(place).starts(with: text)
    }
    if begins([0x89, 0x50, 0x4E, 0x47]) { return .png }
    if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if begins(Array("GIF8".utf8)) { return HTTP.MediaType("image", "gif") }
    if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      return HTTP.MediaType("image", "webp")
    }
    if begins(Array("ftypavif".utf8), at: 4) { return HTTP.MediaType("image", "avif") }
    return nil
  }

  /// What is sent as it is, by how it begins, or by the book's word for it.
  static func media(_ bytes: [UInt8], listed: EPUB.MediaType) -> HTTP.MediaType? {
    if let known = picture(bytes) ?? font(bytes) { return known }
    guard listed.text.hasPrefix("audio/") || listed.text.hasPrefix("video/") else { return nil }
    return HTTP.MediaType(parsing: listed.text)
  }

  static func font(_ bytes: [UInt8]) -> HTTP.MediaType? {
    let kinds: [([UInt8], String)] = [
      (Array("OTTO".utf8), "otf"), ([0, 1, 0, 0], "ttf"), (Array("true".utf8), "ttf"),
      (Array("wOFF".utf8), "woff"), (Array("wOF2".utf8), "woff2"),
      (Array("ttcf".utf8), "collection"),
    ]
    return kinds.first { bytes.starts(with: $0.0) }.map { HTTP.MediaType("font", $0.1) }
  }
}
