import Circulation
package import Database
package import Shelving

extension Catalog {
  /// What a search finds, with the facets and orders of a lane. The best matches first unless
  /// another order is asked for; only the best thousand are narrowed and put in order.
  package func search(
    _ query: CatalogQuery, facets: LaneFacets, order: LaneOrder? = nil, offset: Int = 0,
    detail: LaneQuery.Detail = .books
  ) async throws(DatabaseError) -> LanePage {
    guard let wanted = Wanted(query.words) else { return LanePage() }
    try await describeAll()
    var wide = query
    wide.limit = 1000
    let reach = wide
    let today = Day.number(milliseconds: now())
    var asked = LaneQuery(
      Lane(id: "search", title: query.words, .group), libraries: query.libraries, order: order,
      facets: facets, offset: offset, limit: query.limit)
    asked.detail = detail
    asked.hidden = query.hidden
    let page = asked
    defer { readShelvesAside() }
    return try await store.readAside { snapshot throws(DatabaseError) in
      guard let finder = try Finder(reach, in: snapshot) else { return LanePage() }
      let list = try shelves.current(in: snapshot, ordered: [order].compactMap(\.self))
      let found = try finder.works(forgiving: wanted).compactMap { list.place(ofWork: $0) }
      let librarian = Librarian(
        list: list, scope: ShelfScope(libraries: finder.libraries, today: today),
        snapshot: snapshot)
      var editions = librarian.editions(of: found)
      for mark in reach.marks { editions.formIntersection(list.bits(mark)) }
      var shown = try librarian.page(
        of: editions, in: order.map { .whole($0) } ?? .own(found), page)
      shown.entries = shown.entries.compactMap(reach.admitted)
      return shown
    }
  }
}

extension CatalogQuery {
  /// Its filters as a shelf list knows them, so that facets count only what they let through.
  fileprivate var marks: [String] {
    [
      content.map { FaceMark.format($0.rawValue) }, language.map(FaceMark.language),
      provider.map { ShelfMark.provider($0.rawValue) }, onlyAvailable ? ShelfMark.now : nil,
    ].compactMap(\.self)
  }

  /// The entry with those of its editions that meet the filters; nil where none does.
  fileprivate func admitted(_ entry: CatalogEntry) -> CatalogEntry? {
    let editions = entry.editions.filter(admits)
    return editions.isEmpty ? nil : CatalogEntry(work: entry.work, editions: editions)
  }
}
