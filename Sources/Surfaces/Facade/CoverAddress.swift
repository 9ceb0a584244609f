import Catalog
import Circulation
import Covers
import FrontDesk
import HTTP
import HTTPServer
import OPDS

/// Pictures load without credentials (§5): each has an address that nobody guesses, and another one
/// when it may look otherwise.
extension CoverAddress {
  static func all(of entry: CatalogEntry, _ head: Letterhead) -> [Link] {
    let book = CoveredBook(entry)
    return [(CoverSize.large, Relation.image), (.thumbnail, .thumbnail)].map { size, relation in
      let type: MediaType = book.sources.isEmpty ? .png : .jpeg
      var link = Link(
        head.address(
          FeedPaths.cover.print((entry.work.rawValue, name(of: book, size, head.signer)))),
        [relation], type: type)
      if book.sources.isEmpty { (link.width, link.height) = (size.width, size.height) }
      return link
    }
  }
}
