package import Database
package import Shelving

extension Catalog {
  /// What a search finds, with the facets and orders of a lane. The best matches first unless
  /// another order is asked for; only the best thousand are narrowed and put in order.
  package func search(
    _ query: CatalogQuery, facets: LaneFacets, order: LaneOrder? = nil, offset: Int = 0
  ) async throws(DatabaseError) -> LanePage {
    guard let wanted = Wanted(query.words) else { return LanePage() }
    try await describeAll()
    var wide = query
    wide.limit = 1000
    let reach = wide
    let today = Day.number(milliseconds: now())
    let asked = LaneQuery(
      Lane(id: "search", title: query.words, .group), libraries: query.libraries, order: order,
      facets: facets, offset: offset, limit: query.limit)
    return try await store.read { snapshot throws(DatabaseError) in
      guard let finder = try Finder(reach, in: snapshot) else { return LanePage() }
      let list = try shelves.current(in: snapshot, ordered: [order].compactMap(\.self))
      let found = try finder.works(forgiving: wanted).compactMap { list.place(ofWork: $0) }
      let librarian = Librarian(
        list: list, scope: ShelfScope(libraries: finder.libraries, today: today),
        snapshot: snapshot)
      return try librarian.page(
        of: librarian.editions(of: found), in: order.map { .whole($0) } ?? .own(found), asked)
    }
  }
}
