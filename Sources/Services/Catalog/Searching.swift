package import Circulation
package import Database

extension Catalog {
  /// Works of which an edition matches: by title before author before the rest, and among equals
  /// the best liked first.
  package func search(_ query: CatalogQuery) async throws(DatabaseError) -> [CatalogEntry] {
    guard query.limit > 0, let wanted = Wanted(query.words) else { return [] }
    return try await store.readAside { snapshot throws(DatabaseError) in
      guard let finder = try Finder(query, in: snapshot) else { return [] }
      return try finder.entries(of: try finder.works(forgiving: wanted))
    }
  }
}

/// One search, inside one state of the database.
struct Finder {
  let query: CatalogQuery
  let libraries: [Int64]
  let snapshot: Snapshot
  let limit: Int
  /// Of each list one must be there.
  let filters: [[String]]
  let hidden: Set<Int64>
  /// Whether the index is an older program's yet, at least in part.
  private let isRenewing: Bool

  /// Nil where none of the libraries is known.
  init?(_ query: CatalogQuery, in snapshot: Snapshot) throws(DatabaseError) {
    let libraries = try snapshot.libraryKeys(of: query.libraries)
    guard !libraries.isEmpty else { return nil }
    // What all have need not be asked of each.
    let (all, indexed) = try snapshot.one(
      "SELECT (SELECT count(*) FROM catalog_library), indexed_by FROM catalog_pulse"
    ) { row throws(DatabaseError) -> (Int, Int) in (try row[0], try row[1]) }
    isRenewing = indexed < IndexedWords.revision
    (self.query, self.libraries, self.snapshot) = (query, libraries, snapshot)
    limit = min(query.limit, 1000)
    hidden = try snapshot.works(holding: query.hidden)
    filters =
      (libraries.count < all ? [libraries.map(Mark.library)] : [])
      + [
        query.content.map(Mark.content), query.language.map(Mark.language),
        query.provider.map(Mark.provider),
      ].compactMap { $0.map { [$0] } }
  }

  /// Also without articles, and, where nothing is found so, with what misspelt words may mean.
  func works(forgiving wanted: Wanted) throws(DatabaseError) -> [Int64] {
    var works = try works(for: wanted)
    for doubt in Guess.Doubt.allCases where works.isEmpty {
      guard let guess = try Guess(in: snapshot).corrected(wanted, doubt) else { continue }
      works = try self.works(for: guess)
    }
    return works
  }

  /// As they are written, without a guess.
  func works(for wanted: Wanted) throws(DatabaseError) -> [Int64] {
    var works: [Int64] = []
    for wanted in [wanted, wanted.joined, wanted.withoutSmallWords].compactMap(\.self)
    where works.isEmpty {
      let wanted = isRenewing ? wanted : try snapshot.endings(of: wanted)
      if let few = try few(wanted) {
        works = few
      } else {
        works = try all(by: Rank.all(of: wanted), wanted.phrases)
      }
    }
    return works
  }

  /// Rank by rank.
  private func all(
    by ranks: [Rank], _ phrases: [[String]]
  ) throws(DatabaseError) -> [Int64] {
    var works: [Int64] = []
    var known: Set<Int64> = []
    // Editions that were opened, and do not have the phrases.
    var refused: Set<Int64> = []
    for rank in ranks where works.count < limit {
      var walked = 0
      try snapshot.forEach(statement(for: rank, phrases)) { row throws(DatabaseError) in
        let (work, edition): (Int64, Int64) = (try row[0], try row[1])
        walked += 1
        if !known.contains(work), !hidden.contains(work), !refused.contains(edition) {
          if try matches(row, phrases) {
            known.insert(work)
            works.append(work)
          } else {
            refused.insert(edition)
          }
        }
        let isOver = !phrases.isEmpty && walked >= Self.mostRead
        return works.count < limit && !isOver ? .next : .stop
      }
    }
    return works
  }

  /// Records that are opened to see whether a phrase is in them.
  private static let mostRead = 1000

  private func matches(
    _ row: borrowing Row, _ phrases: [[String]]
  ) throws(DatabaseError) -> Bool {
    guard !phrases.isEmpty else { return true }
    let edition = EditionRecord.edition(ItemID(""), from: try row[2])
    let texts =
      [edition.title, edition.subtitle, edition.series?.name].compactMap(\.self)
      + edition.contributors.map(\.name) + edition.subjects
    let folded = texts.map { FoldedText($0, atMost: 300).words }
    return phrases.allSatisfy { phrase in folded.contains { $0.holds(phrase) } }
  }

  /// The index hands its rows out in the order of their places, and the walk ends with the last
  /// one wanted: a word that half of all books have is as quick as a rare one.
  private func statement(for rank: Rank, _ phrases: [[String]]) -> SQL {
    var marks = rank.marks.map { [$0] } + filters
    // The index is not asked for nothing at all.
    if marks.isEmpty, rank.terms.isEmpty { marks = [libraries.map(Mark.library)] }
    let matches = SQL.matches(
      rank.terms, rank.columns, marks, first: rank.first, snapshot.dialect)
    // No positions are kept in the index: whether words follow one another, the record tells.
    let (record, join): (SQL, SQL) =
      phrases.isEmpty
      ? ("", "") : (", r.content", " JOIN catalog_record r ON r.edition = e.id")
    return """
      SELECT e.work, e.id\(record) FROM catalog_words CROSS JOIN catalog_edition e\(join)
      WHERE \(matches) AND e.id = \(SQL.placedEdition)\(availability)
      ORDER BY \(SQL.place)
      """
  }

  var availability: SQL {
    guard query.onlyAvailable else { return "" }
    return """
       AND EXISTS (SELECT 1 FROM catalog_availability a
        WHERE a.library = e.library AND a.item = e.item
          AND a.status IN (\(Availability.wordsOfNow)))
      """
  }

  func entries(of works: [Int64]) throws(DatabaseError) -> [CatalogEntry] {
    guard !works.isEmpty else { return [] }
    // The sign keeps SQLite from reading all of a library to find a few works in it.
    let rows = try snapshot.listed(
      where: """
        e.work IN (\(works)) AND +e.library IN (\(libraries))
          AND e.state <> \(EditionState.gone)
        """)
    let editions = Dictionary(grouping: rows.filter { query.admits($0.edition) }, by: \.work)
    return works.compactMap { work in
      editions[work].map { CatalogEntry(work: WorkID(number: work), editions: $0.map(\.edition)) }
    }
  }
}

extension SQL {
  /// The rows of the index that have all terms in these columns, and of each list of marks one.
  static func matches(
    _ terms: [Term], _ columns: Columns, _ marks: [[String]], first: Term? = nil,
    _ dialect: Dialect
  ) -> SQL {
    switch dialect {
    case .sqlite:
      return
        "catalog_words MATCH \(SQLiteWords.expression(terms, columns, marks, first: first))"
    case .postgres:
      let words = PostgresWords.expression(terms, columns, marks, first: first)
      return "catalog_words.words @@ CAST(\(words) AS TSQUERY)"
    }
  }

  /// The column that keeps the words in order.
  static var place: SQL {
    .either(sqlite: "catalog_words.rowid", postgres: "catalog_words.place")
  }

  /// What `Place.number(of:)` tells.
  static var placedEdition: SQL { "(\(place) & 1099511627775)" }
}

extension [String] {
  /// Whether these words follow one another in it.
  func holds(_ phrase: [String]) -> Bool {
    guard let first = phrase.first, phrase.count <= count else { return false }
    return indices.dropLast(phrase.count - 1).contains { start in
      self[start] == first && self[start..<(start + phrase.count)].elementsEqual(phrase)
    }
  }
}
