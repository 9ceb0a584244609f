package import Catalog
import Circulation
import Database
package import HTTP
import Markup
package import Shelving

/// The lanes as they are configured, what stands in one, and what is found in all.
extension Stock {
  /// Nil where no lane has that name.
  package func lane(named name: String) -> Lane? {
    lanes.lazy.flatMap(\.flattened).map(\.lane).first { $0.id == name }
  }

  package func page(
    of lane: Lane, _ wish: PageWish, _ reach: Reach, _ detail: LaneQuery.Detail
  ) async throws(Problem) -> LanePage {
    var query = LaneQuery(
      lane, libraries: reach.libraries, order: wish.order, facets: wish.facets,
      offset: wish.offset, limit: wish.count)
    query.detail = detail
    query.taste = reach.taste
    query.liked = reach.liked
    query.hidden = reach.shelf?.hidden ?? []
    let asked = query
    return try await read { () throws(DatabaseError) in try await catalog.lane(asked) }
  }

  /// What becomes of works that the reader does not want to see, where they are looked for by name.
  package enum Ignored: Sendable { case leftOut, shown }

  /// Nothing for whoever asks for nothing.
  package func found(
    _ wish: PageWish, _ reach: Reach, _ detail: LaneQuery.Detail, ignored: Ignored = .leftOut
  ) async throws(Problem) -> LanePage {
    guard let words = wish.searchWords else { return LanePage() }
    if wish.offset == 0, let shelf = reach.shelf { await seek(words, shelf.accounts) }
    var query = CatalogQuery(words: words, libraries: reach.libraries, limit: wish.count)
    if ignored == .leftOut { query.hidden = reach.shelf?.hidden ?? [] }
    let asked = query
    return try await read { () throws(DatabaseError) in
      try await catalog.search(
        asked, facets: wish.facets, order: wish.order, offset: wish.offset, detail: detail)
    }
  }
}

extension Stock {
  /// What somebody may be about to type: titles and names of works that the words so far find.
  package func suggestions(for words: String, _ reach: Reach) async throws(Problem) -> [String] {
    let query = CatalogQuery(words: words, libraries: reach.libraries, limit: 8)
    return try await read { () throws(DatabaseError) in try await catalog.suggestions(query) }
  }
}

extension PageWish {
  /// As the catalogue is asked; nil where nobody asked for anything.
  package var searchWords: String? {
    let all = [words, title, author].compactMap(\.self).joined(separator: " ")
    return all.isEmpty ? nil : all.composed
  }

  package var shownWords: String {
    [words, title, author].compactMap(\.self).joined(separator: " · ")
  }
}

extension Lane {
  package var isRecommending: Bool {
    if case .recommendation = source { true } else { false }
  }

  /// Recommendations of one genre only. Other lanes are made of genres already.
  package func about(_ genre: Genre?) -> Lane {
    guard let genre, case .recommendation(var rule) = source else { return self }
    rule.genres = [genre.id]
    var lane = self
    lane.source = .recommendation(rule)
    return lane
  }

  package var isGroup: Bool { source == .group }
}
