/// What a loan can turn into: a kind of file or stream, how it is protected, and what the provider
/// calls it.
package struct Format: Sendable, Hashable {
  /// The provider's own name, used when this format is asked for.
  package let id: String
  package let content: Content
  package let protection: Protection
  /// True where asking for this format rules out the others, as many lenders have it.
  package let locksLoan: Bool

  package init(id: String, content: Content, protection: Protection, locksLoan: Bool = false) {
    (self.id, self.content, self.protection) = (id, content, protection)
    self.locksLoan = locksLoan
  }

  package enum Content: String, Sendable, Hashable, CaseIterable {
    case epub, pdf, audiobook, comic, kindle, html, text, mobi, video, music, other
  }

  package enum Protection: String, Sendable, Hashable, CaseIterable {
    /// A plain file.
    case none
    /// Adobe's, handed over as an ACSM document.
    case adobe
    case lcp
    /// Read or heard at the provider's own page.
    case streaming
    /// Only in the vendor's app, or at Amazon.
    case vendorApp = "vendor_app"
    case unknown
  }

  /// Whether Carrel itself can open it.
  package var isReadableHere: Bool {
    protection == .none && [.epub, .html, .text].contains(content)
  }
}
