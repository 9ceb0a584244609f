import Circulation
import Database

/// A search that little matches at all. What matches in the widest sense is found first, and put in
/// its ranks by the words that the index keeps of it: one walk takes the place of one for each rank.
extension Finder {
  /// More are sooner found rank by rank.
  private static let few = 32

  /// Nil where it cannot be told so.
  func few(_ wanted: Wanted) throws(DatabaseError) -> [Int64]? {
    let ranks = Rank.all(of: wanted)
    guard snapshot.dialect == .sqlite, wanted.phrases.isEmpty, let widest = ranks.last,
      ranks.count > 1
    else { return nil }
    let match = SQLiteWords.expression(
      widest.terms, widest.columns, widest.marks.map { [$0] } + filters, first: nil,
      orTitled: wanted.wholeTitles)
    let rows = try snapshot.rows(
      """
      SELECT catalog_words.rowid, e.work FROM catalog_words CROSS JOIN catalog_edition e
      WHERE catalog_words MATCH \(match)
        AND e.id = \(SQL.placedEdition)\(availability)
      ORDER BY catalog_words.rowid LIMIT \(Self.few + 1)
      """
    ) { row throws(DatabaseError) -> (place: Int64, work: Int64) in (try row[0], try row[1]) }
    guard rows.count <= Self.few else { return nil }
    let works = rows.count > 1 ? try ranked(rows, ranks) : rows.map(\.work)
    return Array(works.distinct.filter { !hidden.contains($0) }.prefix(limit))
  }

  private func ranked(
    _ rows: [(place: Int64, work: Int64)], _ ranks: [Rank]
  ) throws(DatabaseError) -> [Int64] {
    let works = Dictionary(rows, uniquingKeysWith: { first, _ in first })
    var found: [(rank: Int, place: Int64, work: Int64)] = []
    try snapshot.forEach(
      """
      SELECT rowid, title, authors, rest, subjects, marks FROM catalog_words
      WHERE rowid \(.among(rows.map(\.place)))
      """
    ) { row throws(DatabaseError) in
      let place: Int64 = try row[0]
      let words = KeptWords(
        columns: [try row[1], try row[2], try row[3], try row[4]], marks: try row[5])
      if let rank = ranks.firstIndex(where: words.meets), let work = works[place] {
        found.append((rank, place, work))
      }
      return .next
    }
    return found.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.work)
  }
}

/// The words of an edition as the index keeps them.
private struct KeptWords {
  /// By weight.
  private let columns: [[Substring]]
  private let marks: [Substring]

  init(columns: [String], marks: String) {
    self.columns = columns.map { $0.split(separator: " ") }
    self.marks = marks.split(separator: " ")
  }

  func meets(_ rank: Rank) -> Bool {
    guard rank.marks.allSatisfy({ marks.contains($0[...]) }),
      rank.first.map({ Self.has($0, in: [marks]) }) ?? true
    else { return false }
    return rank.terms.allSatisfy { term in
      switch rank.columns {
      case .title: Self.has(term, in: columns[..<1])
      case .people: Self.has(term, in: columns[..<2])
      case .rest: Self.has(term, in: columns[..<3])
      case .all: Self.has(term, in: columns[...]) || Self.has(term.ofSubject, in: columns[3...])
      case .subjects: Self.has(term.ofSubject, in: columns[3...])
      }
    }
  }

  private static func has(_ term: Term, in columns: some Sequence<[Substring]>) -> Bool {
    columns.contains { words in
      words.contains { word in
        term.words.contains {
          (term.isBeginning || word.utf8.count == $0.utf8.count) && word.utf8.starts(with: $0.utf8)
        }
      }
    }
  }
}
