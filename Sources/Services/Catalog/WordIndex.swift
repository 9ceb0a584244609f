import Database

/// The words beside the rows, written together with them.
extension Transaction {
  /// The words that editions are found by, each row at its place.
  func keepWords(_ rows: [(place: Int64, words: IndexedWords)]) throws(DatabaseError) {
    guard !rows.isEmpty else { return }
    try execute(
      "UPDATE catalog_pulse SET indexed_by = \(IndexedWords.revision) WHERE indexed_by < 0")
    let dialect = dialect
    // SQLite writes down all that it has gathered whenever a place comes before the last one.
    try insert(
      into: "catalog_words",
      columns: dialect == .sqlite ? SQLiteWords.columns : PostgresWords.columns,
      rows: rows.sorted { $0.place < $1.place }
    ) { entry, row throws(DatabaseError) in
      try row.append(entry.place)
      switch dialect {
      case .sqlite: try SQLiteWords.write(entry.words, to: &row)
      case .postgres: try PostgresWords.write(entry.words, to: &row)
      }
    }
    try keepTerms(Set(rows.flatMap(\.words.terms)))
  }

  func forget(places: [Int64]) throws(DatabaseError) {
    guard !places.isEmpty else { return }
    try execute("DELETE FROM catalog_words WHERE \(SQL.place) \(.among(places))")
  }

  /// Takes the editions that meet the condition out of the search.
  func withdraw(where condition: SQL) throws(DatabaseError) -> Int {
    let places = try rows(
      """
      UPDATE catalog_edition SET state = \(EditionState.gone) WHERE \(condition) RETURNING place
      """
    ) { row throws(DatabaseError) -> Int64 in try row[0] }
    var rest = places[...]
    while !rest.isEmpty {
      try forget(places: Array(rest.prefix(Intake.batch)))
      rest = rest.dropFirst(Intake.batch)
    }
    return places.count
  }

  /// The first of as many numbers for editions and works. Never given twice, also when rows go.
  func drawNumbers(_ count: Int) throws(DatabaseError) -> (edition: Int64, work: Int64) {
    try one(
      """
      UPDATE catalog_counter
      SET next_edition = next_edition + \(count), next_work = next_work + \(count)
      RETURNING next_edition, next_work
      """
    ) { row throws(DatabaseError) in
      let (edition, work): (Int64, Int64) = (try row[0], try row[1])
      return (edition - Int64(count), work - Int64(count))
    }
  }

  /// One statement for all: a server is too far away to be told word by word. In one order for
  /// everybody, so that two writers never wait for each other. Words are never taken out again: one
  /// that no title has any more only leads a guess nowhere.
  private func keepTerms(_ words: Set<String>) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO catalog_term (word)
      SELECT value FROM \(.rows(of: words.sorted())) WHERE TRUE ON CONFLICT (word) DO NOTHING
      """)
  }
}
