package import Circulation
import Pictures

/// How large a cover is wanted: by name, so that few are made.
package enum CoverSize: String, Sendable, Hashable, CaseIterable {
  case thumbnail, large

  /// The box that it fits into; a placeholder fills it.
  package var width: Int { self == .thumbnail ? 200 : 800 }
  package var height: Int { self == .thumbnail ? 300 : 1200 }

  var box: PictureBox { PictureBox(width, height) }
}

/// Where a picture may be, and which library said so.
package struct CoverSource: Sendable, Hashable {
  package let address: String
  package let library: LibraryID

  package init(_ address: String, from library: LibraryID) {
    (self.address, self.library) = (address, library)
  }

  /// By which a picture is kept. An address that a patron's catalog names has one of its own: whether it was
  /// refused says nothing of the same address named by the operator's libraries.
  var name: String { library.isAddress ? "\(library.rawValue) \(address)" : address }
}

/// What is known of a book whose cover is wanted.
package struct CoveredBook: Sendable, Hashable {
  /// Settles the color of a placeholder.
  package let work: String
  package let title: String
  package let authors: [String]
  /// The best first.
  package let sources: [CoverSource]

  package init(work: String, title: String, authors: [String], sources: [CoverSource]) {
    (self.work, self.title, self.authors) = (work, title, authors)
    var seen: Set<String> = []
    self.sources = sources.filter { seen.insert($0.name).inserted }
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
