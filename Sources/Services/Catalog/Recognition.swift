package import Circulation
package import Database
package import Matching

/// Which work a book is that stands on somebody's list.
package enum Recognition: Sendable, Hashable {
  case sure(WorkID)
  /// One of these or none, the likeliest first.
  case unsure([Choice])
  case none

  package struct Choice: Sendable, Hashable {
    package let work: WorkID
    package let score: Double
    package let why: [String]

    package init(work: WorkID, score: Double, why: [String]) {
      (self.work, self.score, self.why) = (work, score, why)
    }
  }
}

extension Catalog {
  /// Finds books of a list again, by the keys under which the matcher files editions; many at a time,
  /// each for itself. One answer for each book, in their order.
  package func recognize(_ books: [Matching.Candidate]) async throws(DatabaseError) -> [Recognition]
  {
    let starts = Array(stride(from: 0, to: books.count, by: Recognizing.batch))
    let parts = await withTaskGroup(of: Recognized.self) { group in
      for (place, start) in starts.enumerated() {
        let part = books[start..<min(start + Recognizing.batch, books.count)]
        group.addTask { await Recognized(place: place, answer: answer(part)) }
      }
      return await group.reduce(into: [:]) { $0[$1.place] = $1.answer }
    }
    var found: [Recognition] = []
    for place in starts.indices { found += try parts[place]?.get() ?? [] }
    return found
  }

  private func answer(
    _ books: ArraySlice<Matching.Candidate>
  ) async -> Result<[Recognition], DatabaseError> {
    do throws(DatabaseError) { return .success(try await recognized(books)) } catch {
      return .failure(error)
    }
  }

  private func recognized(
    _ books: ArraySlice<Matching.Candidate>
  ) async throws(DatabaseError) -> [Recognition] {
    let sought = books.map { Sought($0) }
    let met = try await store.read { snapshot throws(DatabaseError) in
      try Met(sought, in: snapshot)
    }
    var known: [Int64: Dossier] = [:]
    return zip(sought, met.rivals).map { book, rivals in
      let judged = rivals.compactMap { edition -> (Int64, Matching.Verdict)? in
        guard let row = met.rows[edition] else { return nil }
        let theirs = known[edition] ?? row.dossier
        known[edition] = theirs
        return (row.work, Matcher.verdict(book.dossier, theirs))
      }
      return Recognizing.recognition(judged)
    }
  }

  /// Another text whenever a book that nobody knew may be known now.
  package func recognitionStamp() async throws(DatabaseError) -> String {
    try await store.read { snapshot throws(DatabaseError) in
      let next: Int64 = try snapshot.value("SELECT max(next_edition) FROM catalog_counter")
      let ended: Int64? = try snapshot.value("SELECT max(ended) FROM catalog_library")
      return "\(Matcher.version).\(next).\(ended ?? 0)"
    }
  }

  /// Of these works, those that became part of others, each with where it went.
  package func moved(_ works: [WorkID]) async throws(DatabaseError) -> [WorkID: WorkID] {
    let numbers = works.compactMap(\.number)
    guard !numbers.isEmpty else { return [:] }
    return try await store.read { snapshot throws(DatabaseError) in
      let gone: [Int64] = try snapshot.rows(
        "SELECT id FROM catalog_work WHERE merged_into IS NOT NULL AND id \(.among(numbers))"
      ) { row throws(DatabaseError) in try row[0] }
      var moved: [WorkID: WorkID] = [:]
      for number in gone {
        moved[WorkID(number: number)] = WorkID(number: try snapshot.current(number))
      }
      return moved
    }
  }
}

/// Part of the books, with its place among the parts.
private struct Recognized: Sendable {
  let place: Int
  let answer: Result<[Recognition], DatabaseError>
}

/// A book as it is looked for.
private struct Sought: Sendable {
  let dossier: Dossier
  let keys: [Int64]

  init(_ book: Matching.Candidate) {
    dossier = Dossier(book)
    keys = Matcher.sums(of: dossier)
  }
}

/// The editions that share a key with some books, as they are written down. They are read inside the
/// snapshot and compared outside of it.
private struct Met: Sendable {
  struct Row: Sendable {
    let work: Int64
    let item: ItemID
    let content: String

    var dossier: Dossier { Dossier(Candidate(EditionRecord.edition(item, from: content))) }
  }

  /// For each book, those that share most with it.
  var rivals: [[Int64]]
  var rows: [Int64: Row] = [:]

  init(_ sought: [Sought], in snapshot: Snapshot) throws(DatabaseError) {
    let buckets = try snapshot.buckets(sought.flatMap(\.keys).distinct)
    rivals = sought.map { book in
      // A key that few share says more than one that many do: `Night` by whom counts for more than
      // `Night`.
      var shared: [Int64: Double] = [:]
      for key in book.keys {
        guard let bucket = buckets[key], !bucket.isEmpty else { continue }
        for edition in bucket { shared[edition, default: 0] += 1 / Double(bucket.count) }
      }
      return shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .prefix(Recognizing.mostRivals).map(\.key)
    }
    let editions = Array(rivals.joined()).distinct
    guard !editions.isEmpty else { return }
    var rows: [Int64: Row] = [:]
    try snapshot.forEach(
      """
      SELECT e.id, e.work, e.item, r.content FROM catalog_edition e
      JOIN catalog_record r ON r.edition = e.id WHERE e.id \(.among(editions))
      """
    ) { row throws(DatabaseError) in
      rows[try row[0]] = Row(work: try row[1], item: ItemID(try row[2]), content: try row[3])
      return .next
    }
    self.rows = rows
  }
}

private enum Recognizing {
  /// Books that are looked up in one snapshot.
  static let batch = 200
  /// Who shares less than so many others is not the book.
  static let mostRivals = 48
  static let mostChoices = 8
  /// Two works that both seem to be the book must lie so far apart for the better one to be it.
  static let margin = 0.03
  /// Less is no help to whoever has to choose.
  static let leastScore = 0.4

  /// From the verdicts on single editions: of each work the best counts.
  static func recognition(_ judged: [(work: Int64, verdict: Matching.Verdict)]) -> Recognition {
    var best: [Int64: Matching.Verdict] = [:]
    for (work, verdict) in judged where verdict.verdict != .different {
      if let other = best[work], !isBetter(verdict, other) { continue }
      best[work] = verdict
    }
    let ranked = best.sorted { one, other in
      if isBetter(one.value, other.value) { return true }
      return !isBetter(other.value, one.value) && one.key < other.key
    }
    guard let first = ranked.first else { return .none }
    if first.value.verdict == .same {
      let second = ranked.dropFirst().first.map(\.value)
      let isAlone = second.map { $0.verdict != .same || first.value.score - $0.score >= margin }
      if isAlone ?? true { return .sure(WorkID(number: first.key)) }
    }
    let choices = ranked.filter { $0.value.score >= leastScore }.prefix(mostChoices).map {
      Recognition.Choice(work: WorkID(number: $0.key), score: $0.value.score, why: $0.value.why)
    }
    return choices.isEmpty ? .none : .unsure(choices)
  }

  private static func isBetter(_ one: Matching.Verdict, _ other: Matching.Verdict) -> Bool {
    let (mine, theirs) = (one.verdict == .same, other.verdict == .same)
    return mine == theirs ? one.score > other.score : mine
  }
}
