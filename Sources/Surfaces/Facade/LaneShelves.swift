import Catalog
import Circulation
import Database
import Desk
import HTTP
import OPDS
import Registry
import Shelving

/// The lanes as they are configured, and what stands in one.
extension Facade {
  func lane(named name: String) throws(Problem) -> Lane {
    guard
      let lane = stock.lanes.lazy.flatMap(\.flattened).map(\.lane).first(where: {
        $0.id == name
      })
    else {
      throw Problem(
        .notFound, code: "unknown_lane", detail: "There is no lane '\(name.prefix(100))'.",
        remedy: "Follow the links of the start feed.",
        type: "http://librarysimplified.org/terms/problem/unknown-lane")
    }
    return lane
  }

  /// What is recommended is another's for everybody, and nothing for a stranger.
  func open(_ lane: Lane, to errand: Errand) throws(Problem) {
    guard lane.isRecommending, errand.visitor == .anonymous else { return }
    throw Problem(.unauthorized, code: "credentials_rejected", detail: "Sign in first.")
  }

  func page(of lane: Lane, _ wish: PageWish, _ errand: Errand) async throws(Problem) -> LanePage {
    var query = LaneQuery(
      lane, libraries: errand.libraries, order: wish.order, facets: wish.facets,
      offset: wish.offset, limit: wish.count)
    query.detail = .versions
    query.taste = errand.taste
    query.hidden = errand.shelf?.hidden ?? []
    let asked = query
    let page = try await read { () throws(DatabaseError) in try await stock.catalog.lane(asked) }
    return try await withOwn(page, errand)
  }

  /// The few works that this reader has something of are read whole: their entries are the reader's
  /// own. So are those that are recommended, for the reason stands in them.
  func withOwn(_ page: LanePage, _ errand: Errand) async throws(Problem) -> LanePage {
    let mine = try await ownWorks(errand)
    let own = page.versions.map(\.work).filter {
      mine.contains($0) || page.reasons[$0] != nil
    }
    guard !own.isEmpty else { return page }
    var whole = page
    whole.entries = try await read { () throws(DatabaseError) in
      try await stock.catalog.entries(of: own, at: errand.libraries)
    }
    return whole
  }

  private func ownWorks(_ errand: Errand) async throws(Problem) -> Set<WorkID> {
    let items = errand.ownItems
    guard !items.isEmpty else { return [] }
    let works = try await read { () throws(DatabaseError) in
      try await stock.catalog.works(for: items)
    }
    return Set(works.compactMap(\.self))
  }
}

extension Errand {
  /// What the reader has on loan or waits for.
  var ownItems: [(LibraryID, ItemID)] {
    guard let shelf else { return [] }
    let libraries = Dictionary(
      shelf.accounts.map { ($0.id, $0.library) }, uniquingKeysWith: { $1 })
    let pairs =
      shelf.loans.map { ($0.account, $0.loan.item) }
      + shelf.holds.map { ($0.account, $0.hold.item) }
    return pairs.compactMap { account, item in libraries[account].map { ($0, item) } }
  }

  var taste: [CatalogItem] { ownItems.map { CatalogItem(library: $0.0, item: $0.1) } }
}

extension Lane {
  var isRecommending: Bool {
    if case .recommendation = source { true } else { false }
  }

  /// Recommendations of one genre only. Other lanes are made of genres already.
  func about(_ genre: Genre?) -> Lane {
    guard let genre, case .recommendation(var rule) = source else { return self }
    rule.genres = [genre.id]
    var lane = self
    lane.source = .recommendation(rule)
    return lane
  }

  var isGroup: Bool { source == .group }

  /// A word for apps that give such a lane a place of its own.
  var relations: [Relation] {
    switch id {
    case "new": [.newest]
    case "popular": [.popular]
    case "featured": [.featured]
    case "recommended": [.recommended]
    default: isRecommending ? [.recommended] : []
    }
  }
}
