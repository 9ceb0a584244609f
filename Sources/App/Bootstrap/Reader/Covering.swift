import Catalog
import Circulation
import Covers
package import Items
import Pictures
package import Setup

extension LinkedEngine {
  package func cover(of title: String, _ size: CoverOrder.Size, at seat: Seat)
    async throws(ErrorItem) -> CoverOrder.Answer
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let book = CoveredBook(try await Finding(visit, offers).one(title).entry)
      do throws(ImageFault) {
        let cover = try await visit.house.covers.cover(of: book, CoverSize(size))
        return CoverOrder.Answer(
          work: book.work, title: book.title, origin: cover.origin.rawValue,
          mediaType: cover.mediaType, bytes: cover.bytes)
      } catch {
        var item = ErrorItem("no_picture")
        item.detail = book.title
        throw item
      }
    }
  }
}

extension CoverSize {
  fileprivate init(_ size: CoverOrder.Size) {
    self =
      switch size {
      case .thumbnail: .thumbnail
      case .large: .large
      }
  }
}

extension CoveredBook {
  /// The first edition names the work; any of them may have the picture. The large one serves for
  /// every size.
  fileprivate init(_ entry: CatalogEntry) {
    let first = entry.editions[0].edition
    let sources = entry.editions.compactMap { listed in
      let covers = listed.edition.covers
      return (covers.large ?? covers.small).map { CoverSource($0, from: listed.library) }
    }
    self.init(
      work: entry.work.rawValue, title: first.title, authors: first.authors,
      sources: sources)
  }
}
