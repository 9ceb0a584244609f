/// A named selection of works for display, with smaller ones inside it.
package struct Lane: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// All works that a rule lets through.
    case rule(LaneRule)
    /// Works that somebody chose, in their order.
    case list(LaneList)
    /// Works like those a reader has or had.
    case recommendation(LaneRule)
    /// Nothing of its own: a shelf to put lanes on.
    case group
  }

  package let id: String
  package let title: String
  package var source: Source
  package var order: LaneOrder
  package var lanes: [Lane]

  package init(
    id: String, title: String, _ source: Source, order: LaneOrder = .liking, lanes: [Lane] = []
  ) {
    (self.id, self.title, self.source) = (id, title, source)
    (self.order, self.lanes) = (order, lanes)
  }

  /// This one and all within it, with how deep each lies.
  package var flattened: [(depth: Int, lane: Lane)] {
    [(0, self)] + lanes.flatMap { $0.flattened.map { ($0.depth + 1, $0.lane) } }
  }
}

/// In what order a lane shows its works.
package enum LaneOrder: String, Sendable, Hashable, CaseIterable {
  /// The best liked first; for a list its own order, for a recommendation the likest first.
  case liking = "popular"
  /// Without articles: `The Art` stands under A.
  case title
  case author
  /// What the library got last comes first.
  case added
}

/// What a work must be to stand in a lane. An edition must meet all of it; a part that is empty or
/// nil lets everything through.
package struct LaneRule: Sendable, Hashable {
  package enum Standing: String, Sendable, Hashable, CaseIterable {
    /// A copy can be had now.
    case now
    /// All copies are out, and there is a queue.
    case queued
  }

  /// Of each list one is enough.
  package var genres: [String] = []
  package var withoutGenres: [String] = []
  package var subjects: [String] = []
  package var kind: Genre.Kind?
  /// `children`, `young_adult`, `adult`; a book of which nothing is known counts as adult.
  package var audiences: [String] = []
  package var languages: [String] = []
  /// Media: `book`, `audiobook`, `comic` and so on.
  package var forms: [String] = []
  /// Kinds of file: `epub`, `audiobook` and so on.
  package var formats: [String] = []
  package var collections: [String] = []
  package var standing: Standing?
  /// Days since the library got it.
  package var addedWithin: Int?
  /// Days since it came out.
  package var publishedWithin: Int?
  /// Only so many of each library, those that are liked best there.
  package var bestLiked: Int?

  package init() {}
}

/// Works by name, for a lane that somebody put together.
package struct LaneList: Sendable, Hashable {
  package var works: [String] = []
  package var isbns: [String] = []
  /// What stands there while none of the list is to be found.
  package var otherwise: LaneRule?

  package init() {}
}

extension Lane {
  /// What everybody starts with; `config/lanes.yaml` says the same.
  package static let defaults: [Lane] = {
    var new = LaneRule()
    new.addedWithin = 180
    var featured = LaneRule()
    (featured.bestLiked, featured.standing) = (300, .now)
    var popular = LaneRule()
    popular.bestLiked = 1000
    var available = LaneRule()
    available.standing = .now
    var queued = LaneRule()
    queued.standing = .queued
    var list = LaneList()
    list.otherwise = featured
    return [
      Lane(id: "new", title: "New", .rule(new), order: .added),
      Lane(id: "featured", title: "Featured", .list(list)),
      Lane(id: "popular", title: "Popular", .rule(popular)),
      Lane(id: "available", title: "Available now", .rule(available)),
      Lane(id: "to-hold", title: "To hold", .rule(queued)),
      Lane(id: "recommended", title: "Recommended", .recommendation(LaneRule())),
      Lane(id: "genres", title: "By genre", .group, lanes: byGenre()),
    ]
  }()

  /// A lane for each genre, the smaller ones within the larger, told apart from other lanes by
  /// what their names begin with.
  package static func byGenre(_ rule: LaneRule = LaneRule(), prefix: String = "") -> [Lane] {
    func lane(of genre: Genre) -> Lane {
      var rule = rule
      rule.genres = [genre.id]
      let parts = Genre.all.filter { $0.parent == genre.id }
      return Lane(
        id: prefix + genre.id, title: genre.title, .rule(rule), lanes: parts.map(lane))
    }
    return Genre.all.filter { $0.parent == nil }.map(lane)
  }
}
