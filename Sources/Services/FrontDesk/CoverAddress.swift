package import Catalog
import Circulation
package import Covers
package import HTTPServer

/// Where the picture of a work is found: at an address that nobody guesses, and at another one when
/// it may look otherwise.
package enum CoverAddress {
  package static let path = Path.root / "opds" / "covers" / .text("work") / .text("name")

  /// Below the site's own start.
  package static func path(of entry: CatalogEntry, _ size: CoverSize, _ signer: Signer) -> String {
    path.print((entry.work.rawValue, name(of: CoveredBook(entry), size, signer)))
  }

  package static func name(of book: CoveredBook, _ size: CoverSize, _ signer: Signer) -> String {
    let version = version(of: book)
    let signature = signer.signature(of: "cover", book.work, size.rawValue, version)
    return "\(size.rawValue)-\(version)-\(signature)"
  }

  /// The size that a name asks for; nil where nobody signed it. The version may be an old one.
  package static func size(in name: String, of work: String, _ signer: Signer) -> CoverSize? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let size = CoverSize(rawValue: parts[0]),
      signer.vouches(for: parts[2], of: "cover", work, parts[0], parts[1])
    else { return nil }
    return size
  }

  private static func version(of book: CoveredBook) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in [book.title] + book.authors + book.sources.map(\.address) {
      for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      sum = (sum ^ 0xFF) &* 0x100_0000_01B3
    }
    return String(sum, radix: 36)
  }
}

extension CoveredBook {
  /// The leading edition names the work; any of them may have the picture. The large one serves for
  /// every size.
  package init(_ entry: CatalogEntry) {
    let face = entry.face
    let first = entry.editions.filter { $0.edition.item == face.item }
    let sources = (first + entry.editions).compactMap { listed in
      let covers = listed.edition.covers
      return (covers.large ?? covers.small).map { CoverSource($0, from: listed.library) }
    }
    self.init(
      work: entry.work.rawValue, title: face.title, authors: face.authors,
      sources: sources)
  }
}
