import Database

/// The words of a catalogue in PostgreSQL: a `tsvector`, its four weights standing for the columns
/// that FTS5 has.
enum PostgresWords {
  static let table: StaticString = """
    CREATE TABLE catalog_words (place BIGINT NOT NULL PRIMARY KEY, words TSVECTOR NOT NULL)
    """
  static let index: StaticString = """
    CREATE INDEX catalog_words_words ON catalog_words USING gin (words)
    """
  static let `extension`: StaticString = "CREATE EXTENSION IF NOT EXISTS pg_trgm"
  static let termIndex: StaticString = """
    CREATE INDEX catalog_term_trigrams ON catalog_term USING gin (word gin_trgm_ops)
    """
  static let withoutTermIndex: StaticString = "DROP INDEX catalog_term_trigrams"
  static let columns: [SQLName] = ["place", "words"]

  /// As a `tsvector` is written: `'owl':1A,3C`. Positions only carry the weights.
  static func write(_ words: IndexedWords, to row: inout RowWriter) throws(DatabaseError) {
    var weights: [String: String] = [:]
    for (column, weight) in [
      (words.title, "1A"), (words.authors, "2B"), (words.rest, "3C"),
      (words.subjects + words.marks, "4D"),
    ] {
      for word in column {
        weights[word, default: ""] += weights[word] == nil ? weight : ",\(weight)"
      }
    }
    try row.append(weights.map { "'\($0.key)':\($0.value)" }.joined(separator: " "))
  }

  /// In the language of `tsquery`. Every word is quoted, and no word has a quote in it.
  static func expression(
    _ terms: [Term], _ columns: Columns, _ marks: [[String]], first: Term?
  ) -> String {
    let weights = weights(of: columns)
    var words = terms.map { term in
      let own = term.spelled(whole: { "'\($0)':\(weights)" }, beginning: { "'\($0)':*\(weights)" })
      return switch columns {
      case .title, .people, .rest: own
      case .all, .subjects: own + marked(term.ofSubject)
      }
    }
    if let first { words.append(marked(first)) }
    return (words + marks.map { $0.map { "'\($0)'" } })
      .map { "(\($0.joined(separator: " | ")))" }.joined(separator: " & ")
  }

  private static func marked(_ term: Term) -> [String] {
    term.spelled(whole: { "'\($0)'" }, beginning: { "'\($0)':*" })
  }

  private static func weights(of columns: Columns) -> String {
    switch columns {
    case .title: "A"
    case .people: "AB"
    case .rest: "ABC"
    case .all: "ABCD"
    case .subjects: "D"
    }
  }
}
