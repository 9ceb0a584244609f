package import Circulation
package import Database

extension Catalog {
  /// Works of which an edition matches: by title before author before the rest, and among equals
  /// the best liked first.
  package func search(_ query: CatalogQuery) async throws(DatabaseError) -> [CatalogEntry] {
    guard query.limit > 0, let wanted = Wanted(query.words) else { return [] }
    return try await store.read { snapshot throws(DatabaseError) in
      let libraries = try snapshot.libraryKeys(of: query.libraries)
      guard !libraries.isEmpty else { return [] }
      let finder = Finder(query, at: libraries, in: snapshot)
      var works = try finder.works(for: wanted)
      if works.isEmpty, let guess = try Guess(in: snapshot).corrected(wanted) {
        works = try finder.works(for: guess)
      }
      return try finder.entries(of: works)
    }
  }
}

/// One search, inside one state of the database.
private struct Finder {
  let query: CatalogQuery
  let libraries: [Int64]
  let snapshot: Snapshot
  private let limit: Int
  /// Of each list one must be there.
  private let filters: [[String]]

  init(_ query: CatalogQuery, at libraries: [Int64], in snapshot: Snapshot) {
    (self.query, self.libraries, self.snapshot) = (query, libraries, snapshot)
    limit = min(query.limit, 1000)
    filters =
      [libraries.map(Mark.library)]
      + [
        query.content.map(Mark.content), query.language.map(Mark.language),
        query.provider.map(Mark.provider),
      ].compactMap { $0.map { [$0] } }
  }

  func works(for wanted: Wanted) throws(DatabaseError) -> [Int64] {
    var works: [Int64] = []
    var known: Set<Int64> = []
    for rank in Rank.all(of: wanted) where works.count < limit {
      try snapshot.forEach(statement(for: rank)) { row throws(DatabaseError) in
        let work: Int64 = try row[0]
        if known.insert(work).inserted { works.append(work) }
        return works.count < limit ? .next : .stop
      }
    }
    return works
  }

  /// The index hands its rows out in the order of their places, and the walk ends with the last
  /// one wanted: a word that half of all books have is as quick as a rare one.
  private func statement(for rank: Rank) -> SQL {
    let marks = rank.marks.map { [$0] } + filters
    let matches = SQL.matches(rank.terms, rank.columns, marks, snapshot.dialect)
    return """
      SELECT e.work FROM catalog_words CROSS JOIN catalog_edition e
      WHERE \(matches) AND e.id = (\(SQL.place) & 1099511627775)\(availability)
      ORDER BY \(SQL.place)
      """
  }

  private var availability: SQL {
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
    _ terms: [Term], _ columns: Columns, _ marks: [[String]], _ dialect: Dialect
  ) -> SQL {
    switch dialect {
    case .sqlite: "catalog_words MATCH \(SQLiteWords.expression(terms, columns, marks))"
    case .postgres:
      """
      catalog_words.words @@ CAST(\(PostgresWords.expression(terms, columns, marks)) AS TSQUERY)
      """
    }
  }

  /// The column that keeps the words in order.
  static var place: SQL {
    .either(sqlite: "catalog_words.rowid", postgres: "catalog_words.place")
  }
}
