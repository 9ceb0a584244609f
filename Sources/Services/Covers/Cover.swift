/// How large a cover is wanted: by name, so that few are made.
package enum CoverSize: String, Sendable, Hashable, CaseIterable {
  case thumbnail, large

  /// The box that it fits into; a placeholder fills it.
  package var width: Int { self == .thumbnail ? 200 : 800 }
  package var height: Int { self == .thumbnail ? 300 : 1200 }
}

/// What is known of a book whose cover is wanted.
package struct CoveredBook: Sendable, Hashable {
  /// Settles the color of a placeholder.
  package let work: String
  package let title: String
  package let authors: [String]
  /// Where a picture may be, the best first.
  package let addresses: [String]

  package init(work: String, title: String, authors: [String], addresses: [String]) {
    (self.work, self.title, self.authors) = (work, title, authors)
    self.addresses = addresses
  }
}

/// A picture to show.
package struct Cover: Sendable, Hashable {
  package enum Origin: String, Sendable, Hashable {
    /// From the provider, just now or once.
    case fetched, kept
    /// Drawn by us, since nobody has one.
    case drawn
  }

  /// JPEG, or PNG where it was drawn.
  package let bytes: [UInt8]
  package let origin: Origin

  package init(_ bytes: [UInt8], _ origin: Origin) { (self.bytes, self.origin) = (bytes, origin) }

  package var mediaType: String { bytes.first == 0x89 ? "image/png" : "image/jpeg" }
}
