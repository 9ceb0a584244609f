/// What an item says it is.
package struct MediaType: Sendable, Hashable {
  package let text: String

  package init(_ written: String) {
    text = String(written.lowercased().prefix { $0 != ";" }).cleaned()
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
