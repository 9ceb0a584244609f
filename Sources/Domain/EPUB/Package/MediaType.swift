/// What an item says it is.
package struct MediaType: Sendable, Hashable {
  package let text: String

  package init(_ written: String) {
    text =
      Self.isPlain(written)
      ? written : String(written.lowercased().prefix { $0 != ";" }).cleaned()
  }

  /// As nearly all are: there is nothing to clean, and a manifest has thousands.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count < 100
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x2B...0x39).contains($0) }
  }

  /// Those that are rendered as pages: the standards' own, and what older books have.
  package var isDocument: Bool {
    switch text {
    case "application/xhtml+xml", "image/svg+xml", "application/x-dtbook+xml",
      "text/x-oeb1-document", "text/html":
      true
    default: false
    }
  }

  package var isPicture: Bool {
    switch text {
    case "image/jpeg", "image/jpg", "image/png", "image/gif", "image/webp", "image/svg+xml": true
    default: false
    }
  }

  /// A picture alone makes a page, too.
  package var isReadable: Bool { isDocument || isPicture }

  package static let ncx = MediaType("application/x-dtbncx+xml")
}
