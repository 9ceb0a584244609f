import Catalog
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import OPDS
import Registry
import Shelving

/// The lanes as they are configured, and what stands in one.
extension Facade {
  func lane(named name: String) throws(Problem) -> Lane {
    guard let lane = stock.lane(named: name) else {
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
    let page = try await stock.page(of: lane, wish, errand.reach, .versions)
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
  var reach: Reach { Reach(shelf: shelf, libraries: libraries) }
  var ownItems: [(LibraryID, ItemID)] { reach.ownItems }
}

/// What the feeds ask of the stock, as this errand may.
extension Facade {
  func wanted(_ name: Stock.TitleName, _ errand: Errand) async throws(Problem) -> Wanted {
    try await stock.wanted(name, errand.reach)
  }

  func listed(
    _ name: Stock.TitleName, _ errand: Errand
  ) async throws(Problem) -> (CatalogEntry, ListedEdition) {
    try await stock.listed(name, errand.reach)
  }

  func whole(_ work: WorkID, _ errand: Errand) async throws(Problem) -> CatalogEntry {
    try await stock.whole(work, errand.reach)
  }

  func entry(_ work: WorkID, _ errand: Errand) async throws(Problem) -> CatalogEntry? {
    try await stock.entry(work, errand.reach)
  }

  func read<Value: Sendable>(
    _ body: () async throws(DatabaseError) -> Value
  ) async throws(Problem) -> Value {
    try await stock.read(body)
  }

  static let unknownTitle = Refusals.unknownTitle
}

extension Lane {
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
