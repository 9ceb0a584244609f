import Catalog
import Circulation
import Covers
import HTTP
import HTTPServer
import OPDS

/// Pictures load without credentials (§5): each has an address that nobody guesses, and another one
/// when it may look otherwise.
enum CoverAddress {
  static func all(of entry: CatalogEntry, _ head: Letterhead) -> [Link] {
    let book = CoveredBook(entry)
    return [(CoverSize.large, Relation.image), (.thumbnail, .thumbnail)].map { size, relation in
      let type: MediaType = book.addresses.isEmpty ? .png : .jpeg
      var link = Link(
        head.address(
          FeedPaths.cover.print((entry.work.rawValue, name(of: book, size, head.signer)))),
        [relation], type: type)
      if book.addresses.isEmpty { (link.width, link.height) = (size.width, size.height) }
      return link
    }
  }

  static func name(of book: CoveredBook, _ size: CoverSize, _ signer: Signer) -> String {
    let version = version(of: book)
    let signature = signer.signature(of: "cover", book.work, size.rawValue, version)
    return "\(size.rawValue)-\(version)-\(signature)"
  }

  /// The size that a name asks for; nil where nobody signed it. The version may be an old one.
  static func size(in name: String, of work: String, _ signer: Signer) -> CoverSize? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let size = CoverSize(rawValue: parts[0]),
      signer.vouches(for: parts[2], of: "cover", work, parts[0], parts[1])
    else { return nil }
    return size
  }

  private static func version(of book: CoveredBook) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in [book.title] + book.authors + book.addresses {
      for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      sum = (sum ^ 0xFF) &* 0x100_0000_01B3
    }
    return String(sum, radix: 36)
  }
}

extension CoveredBook {
  /// The leading edition names the work; any of them may have the picture. The large one serves for
  /// every size.
  init(_ entry: CatalogEntry) {
    let face = entry.face
    let covers = [face.covers] + entry.editions.map(\.edition.covers)
    self.init(
      work: entry.work.rawValue, title: face.title, authors: face.authors,
      addresses: covers.compactMap { $0.large ?? $0.small }.distinct)
  }
}
