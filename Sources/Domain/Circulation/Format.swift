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
    /// Copies that stand in a building: fetched there, never a file.
    case paper
  }

  /// The one format of a title that is lent on paper.
  package static let paper = Format(id: "paper", content: .paper, protection: .none)

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

  /// Whether it comes as a file, be it a licence for another program.
  package var isFile: Bool {
    content != .paper && [.none, .adobe, .lcp].contains(protection)
  }

  /// The program that opens it; nil where Carrel does, or any program for files of that kind.
  package var opener: String? {
    if content == .paper { return "the reader's own hands" }
    return protection == .vendorApp && content == .kindle ? "a Kindle" : protection.opener
  }

  /// Whether Carrel itself can open it.
  package var isReadableHere: Bool {
    protection == .none && [.epub, .html, .text].contains(content)
  }
}

extension Format.Protection {
  /// The program that opens what is protected so.
  package var opener: String? {
    switch self {
    case .none: nil
    case .adobe: "Adobe Digital Editions"
    case .lcp: "Thorium Reader"
    case .streaming: "the browser, at the library's own page"
    case .vendorApp: "the vendor's own app"
    case .unknown: "the library's own app"
    }
  }
}
