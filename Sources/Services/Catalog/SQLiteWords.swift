import Database

/// The words of a catalogue in SQLite: a table of FTS5.
///
/// The texts come folded, so the plainest tokenizer does, and it takes everything beyond ASCII for
/// letters. Columns are told apart but no positions are kept: nobody asks for phrases. The index of
/// short beginnings makes `th*` one list instead of a thousand.
enum SQLiteWords {
  static let table: StaticString = """
    CREATE VIRTUAL TABLE catalog_words USING fts5 (title, authors, rest, subjects, marks,
      tokenize = 'ascii', detail = 'column', columnsize = 0, prefix = '1 2 3')
    """
  static let columns: [SQLName] = ["rowid", "title", "authors", "rest", "subjects", "marks"]

  /// A page of a harvest is one run of words, and runs are put together by eights, not by fours, so
  /// that an import writes its words fewer times.
  static let tuning: [StaticString] = [
    "INSERT INTO catalog_words (catalog_words, rank) VALUES ('hashsize', 8388608)",
    "INSERT INTO catalog_words (catalog_words, rank) VALUES ('automerge', 8)",
  ]

  /// For a step that only the other engine needs.
  static let nothing: StaticString = "SELECT 1"

  static func write(_ words: IndexedWords, to row: inout RowWriter) throws(DatabaseError) {
    for column in [words.title, words.authors, words.rest, words.subjects, words.marks] {
      try row.append(line(of: column))
    }
  }

  /// As `joined` does it, at a third of its price.
  private static func line(of words: [String]) -> String {
    var line = ""
    line.reserveCapacity(words.reduce(0) { $0 + $1.utf8.count + 1 })
    for word in words {
      if !line.isEmpty { line.append(" ") }
      line.append(word)
    }
    return line
  }

  /// In the query language of FTS5. Every word is quoted, and no word has a quote in it. What has one
  /// of the titles need not have the terms.
  static func expression(
    _ terms: [Term], _ columns: Columns, _ marks: [[String]], first: Term?,
    orTitled titles: [String] = []
  ) -> String {
    var clauses: [String] = []
    if let first { clauses.append("marks : \(alternatives(first))") }
    if !terms.isEmpty {
      let words = terms.map { found($0, in: columns) }.joined(separator: " AND ")
      clauses.append(titles.isEmpty ? words : "((\(words)) OR \(marked(titles)))")
    }
    clauses += marks.map(marked)
    return clauses.joined(separator: " AND ")
  }

  private static func found(_ term: Term, in columns: Columns) -> String {
    let words = "{\(names(of: columns))} : \(alternatives(term))"
    return switch columns {
    case .title, .people, .rest: words
    case .all, .subjects: "(\(words) OR subjects : \(alternatives(term.ofSubject)))"
    }
  }

  private static func marked(_ marks: [String]) -> String {
    "marks : (\(marks.map { "\"\($0)\"" }.joined(separator: " OR ")))"
  }

  private static func alternatives(_ term: Term) -> String {
    let words = term.spelled(whole: { "\"\($0)\"" }, beginning: { "\"\($0)\"*" })
    return "(\(words.joined(separator: " OR ")))"
  }

  /// An index of an older program has words of subjects without their sign.
  private static func names(of columns: Columns) -> String {
    switch columns {
    case .title: "title"
    case .people: "title authors"
    case .rest: "title authors rest"
    case .all: "title authors rest subjects"
    case .subjects: "subjects"
    }
  }
}
