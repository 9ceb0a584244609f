package import Circulation
import Phrasebook
package import Shelving

/// One page of a lane, as somebody asks for it.
package struct LaneQuery: Sendable, Hashable {
  package var lane: Lane
  /// Only what these list is there.
  package var libraries: [LibraryID]
  /// Nil for the lane's own.
  package var order: LaneOrder?
  package var facets: LaneFacets
  /// Counted in works.
  package var offset: Int
  package var limit: Int
  package var detail = Detail.books
  /// What the reader has or had, for lanes that recommend.
  package var taste: [CatalogItem]
  /// Genres that the reader likes outright.
  package var liked: [String] = []
  /// Editions whose works this reader does not want to see.
  package var hidden: [CatalogItem] = []

  package init(
    _ lane: Lane, libraries: [LibraryID], order: LaneOrder? = nil,
    facets: LaneFacets = LaneFacets(), offset: Int = 0, limit: Int = 50, taste: [CatalogItem] = []
  ) {
    (self.lane, self.libraries, self.order) = (lane, libraries, order)
    (self.facets, self.taste) = (facets, taste)
    (self.offset, self.limit) = (max(0, offset), min(max(0, limit), 1000))
  }
}

extension LaneQuery {
  package enum Detail: Sendable, Hashable {
    /// With all that is known of each work.
    case books
    /// With no more than which works stand there, and in what state: for whoever has their pages
    /// written already.
    case versions
  }
}

package struct CatalogItem: Sendable, Hashable {
  package let library: LibraryID
  package let item: ItemID

  package init(library: LibraryID, item: ItemID) { (self.library, self.item) = (library, item) }
}

package struct LanePage: Sendable, Hashable {
  package var entries: [CatalogEntry] = []
  /// In place of the entries, where only versions were asked for.
  package var versions: [WorkVersion] = []
  /// Works in the whole lane, as it was narrowed.
  package var total = 0
  package var offset = 0
  package var order = LaneOrder.liking
  package var facets: [FacetGroup] = []
  /// Why a work is recommended.
  package var reasons: [WorkID: RecommendationReason] = [:]

  package init() {}

  package var hasNext: Bool { offset + entries.count + versions.count < total }
}

/// What a recommended work has in common with what its reader knows.
package enum RecommendationReason: Sendable, Hashable {
  /// Of a series that a book is in, too.
  case series(String, like: String)
  case author(String, like: String)
  case genre(Genre, isLiked: Bool)

  package var words: String {
    switch self {
    case .series(let name, let title): said("in \(name), like \(title)")
    case .author(let name, let title): said("by \(name), like \(title)")
    case .genre(let genre, true): said("\(said(known: genre.title)), which you like")
    case .genre(let genre, false): said("\(said(known: genre.title)), as you read it")
    }
  }
}
