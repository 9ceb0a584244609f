import Circulation
import Database
import Shelving

/// What a reader likes, from the books they have or had, and how near another book comes to it.
struct Taste {
  /// The reader's own works: nobody is recommended what they have.
  private var own: Set<Int> = []
  /// Authors and series by number, each with a book that the reader knows it from.
  private var authors: [Int32: Source] = [:]
  private var series: [Int32: Source] = [:]
  /// How many of the reader's books are of each genre.
  private var genres: [String: Int] = [:]
  /// Those that the reader said to like.
  private let liked: Set<String>
  private var scores: [Int: Score] = [:]

  private struct Source {
    let title: String
    /// The author's or the series' name as it is written.
    let name: String
  }

  private struct Score {
    var points = 0
    var author: Int32?
    var series: Int32?
    var genre: String?
  }

  /// More is no recommendation but the catalog.
  private static let most = 500
  private static let ofEachGenre = 200
  /// A genre that was named counts as much as so many books of it.
  private static let forLiking = 4
  private static let (forSeries, forAuthor, forGenre) = (60, 40, 10)

  init(
    _ items: [CatalogItem], liked: [String] = [], _ list: ShelfList, in snapshot: Snapshot
  ) throws(DatabaseError) {
    self.liked = Set(liked)
    for genre in liked { genres[genre] = Self.forLiking }
    for (library, items) in Dictionary(grouping: items, by: \.library) {
      let names = items.map(\.item.rawValue).filter(\.isStorable).distinct
      guard let key = try snapshot.libraryRow(named: library)?.key else { continue }
      let rows = try snapshot.rows(
        """
        SELECT e.id, e.item, r.content FROM catalog_edition e
        JOIN catalog_record r ON r.edition = e.id
        WHERE e.library = \(key) AND e.item IN (\(names)) ORDER BY e.id
        """
      ) { row throws(DatabaseError) in
        let id: Int64 = try row[0]
        return (id, EditionRecord.edition(ItemID(try row[1]), from: try row[2]))
      }
      for (id, edition) in rows {
        if let place = list.place(ofEdition: id) { learn(from: edition, at: place, list) }
      }
    }
  }

  private mutating func learn(from edition: Edition, at place: Int, _ list: ShelfList) {
    own.insert(Int(list.works[place]))
    let author = list.authors[place]
    if author != 0, authors[author] == nil {
      let name = edition.authors.first ?? edition.contributors.first?.name ?? ""
      authors[author] = Source(title: edition.title, name: name)
    }
    if list.series[place] != 0, let name = edition.series?.name {
      series[list.series[place]] = Source(title: edition.title, name: name)
    }
    for genre in Classification(subjects: edition.subjects).genres
    where Genre.named(genre)?.id != genre || !Self.broadest.contains(genre) {
      genres[genre, default: 0] += 1
    }
  }

  /// Half of all books are of these: no taste.
  private static let broadest: Set<String> = ["fiction", "nonfiction", "literature"]

  /// Works, the likest first; among equals those that are liked best by others.
  mutating func likest(in editions: Bits, _ list: ShelfList) -> [Int] {
    guard !own.isEmpty || !liked.isEmpty else { return [] }
    var scores: [Int: Score] = [:]
    for author in authors.keys {
      list.byAuthor.forEach(of: Int(author)) { place in
        guard editions.contains(place) else { return }
        scores[Int(list.works[place]), default: Score()].author = author
      }
    }
    for part in series.keys {
      list.bySeries.forEach(of: Int(part)) { place in
        guard editions.contains(place) else { return }
        scores[Int(list.works[place]), default: Score()].series = part
      }
    }
    let favorite = genres.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
    for (genre, count) in favorite {
      var liked = list.bits(FaceMark.genre(genre))
      liked.formIntersection(editions)
      let works = list.works(of: liked)
      let best =
        list.orders[.liking].map {
          list.stretch(of: works, count: works.count, $0, from: 0, limit: Self.ofEachGenre)
        } ?? []
      for work in best {
        var score = scores[work] ?? Score()
        score.points += Self.forGenre * min(count, 5)
        score.genre = score.genre ?? genre
        scores[work] = score
      }
    }
    for work in own { scores[work] = nil }
    for (work, score) in scores {
      let known =
        (score.series == nil ? 0 : Self.forSeries)
        + (score.author == nil ? 0 : Self.forAuthor)
      scores[work]?.points += known
    }
    self.scores = scores
    let ranks = list.orders[.liking]?.works ?? Ranking()
    let sorted = scores.sorted { one, other in
      one.value.points != other.value.points
        ? one.value.points > other.value.points
        : ranks.rank(of: one.key) < ranks.rank(of: other.key)
    }
    return sorted.prefix(Self.most).map(\.key)
  }

  /// The weightiest reason.
  func reason(for work: Int, _ list: ShelfList) -> RecommendationReason? {
    guard let score = scores[work] else { return nil }
    if let source = score.series.flatMap({ series[$0] }) {
      return .series(source.name, like: source.title)
    }
    if let source = score.author.flatMap({ authors[$0] }) {
      return .author(source.name, like: source.title)
    }
    return score.genre.flatMap { Genre.named($0) }.map { genre in
      .genre(genre, isLiked: liked.contains(genre.id))
    }
  }
}
