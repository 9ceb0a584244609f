import Circulation
import Database

/// What misspelt words may have been meant for, from the words of all titles and names. It is only
/// asked when nothing matches, so that no right word is ever taken for a wrong one.
struct Guess {
  private let snapshot: Snapshot

  /// More would be another search, not a correction.
  private static let alternatives = 8
  private static let correctedWords = 4
  /// Longer ones are no words that anybody types.
  private static let longest = 32

  init(in snapshot: Snapshot) { self.snapshot = snapshot }

  /// Which words are taken for misspelt: those that no title has; or, where all are words of some
  /// title but not of one and the same, any that has a near neighbor.
  enum Doubt: CaseIterable {
    case unknownWords, allWords
  }

  /// Nil when there is nothing better to look for.
  func corrected(_ wanted: Wanted, _ doubt: Doubt) throws(DatabaseError) -> Wanted? {
    if doubt == .allWords, !wanted.phrases.isEmpty { return nil }
    var corrected = wanted
    var left = Self.correctedWords
    for (index, term) in wanted.terms.enumerated() where left > 0 {
      // A number is not misspelt but another one.
      guard let word = term.words.first, !word.utf8.contains(where: { $0 < 0x3A }) else {
        continue
      }
      let isKnown = try isKnown(word, asBeginning: term.isBeginning)
      // Nothing has a word that is unknown even with its slips mended.
      if !isKnown, doubt == .allWords { return nil }
      if isKnown, doubt == .unknownWords || word.unicodeScalars.count < 4 { continue }
      left -= 1
      let nearest = isKnown ? try neighbors(of: word) : try nearest(to: word)
      // The word itself stays: it may be one of those that are not looked up here.
      corrected.terms[index].words = ([word] + nearest).distinct
    }
    // A phrase cannot be guessed at word by word.
    corrected.phrases = []
    return corrected.terms == wanted.terms ? nil : corrected
  }

  private func isKnown(
    _ word: String, asBeginning: Bool
  ) throws(DatabaseError) -> Bool {
    let end = asBeginning ? word + "\u{10FFFF}" : word
    return try snapshot.value(
      """
      SELECT EXISTS (SELECT 1 FROM catalog_term WHERE word >= \(word) AND word <= \(end))
      """)
  }

  private func nearest(to word: String) throws(DatabaseError) -> [String] {
    let letters = word.unicodeScalars.count
    let allowed = letters < 3 ? 0 : letters < 6 ? 1 : 2
    guard allowed > 0 else { return [] }
    for reach in Reach.allCases {
      let nearest = try words(around: word, atMost: allowed, reach)
      if !nearest.isEmpty { return nearest }
    }
    return []
  }

  /// Other words that one slip makes of a right one.
  private func neighbors(of word: String) throws(DatabaseError) -> [String] {
    try words(around: word, atMost: 1, .near, excluding: [word])
  }

  /// The nearest ones.
  private func words(
    around word: String, atMost allowed: Int, _ reach: Reach, excluding known: Set<String> = []
  ) throws(DatabaseError) -> [String] {
    let letters = Array(word.unicodeScalars)
    let lengths = letters.count - allowed...letters.count + allowed
    var best = allowed
    var nearest: [String] = []
    for candidate in try candidates(for: word, of: lengths, reach) where !known.contains(candidate)
    {
      guard
        let distance = EditDistance.between(
          letters, Array(candidate.unicodeScalars), atMost: best)
      else { continue }
      if distance < best { nearest = [] }
      best = distance
      nearest.append(candidate)
    }
    return Array(nearest.sorted().prefix(Self.alternatives))
  }

  /// Few get the first letter wrong, so that the walk through all words is kept for them. Both
  /// engines walk alike, and so guess alike.
  private func candidates(
    for word: String, of lengths: ClosedRange<Int>, _ reach: Reach
  ) throws(DatabaseError) -> [String] {
    let letters = word.unicodeScalars.prefix(2).map { String($0) }
    let length: SQL = """
      length(word) BETWEEN \(lengths.lowerBound) AND \(min(lengths.upperBound, Self.longest))
      """
    let query: SQL =
      switch reach {
      case .near:
        """
        SELECT word FROM catalog_term
        WHERE word >= \(letters[0]) AND word < \(letters[0] + "\u{10FFFF}") AND \(length)
        """
      // With a wrong first letter the second is right; with one left out or exchanged the first
      // stands second, and with one too many the second stands first. Behind each letter that some
      // word begins with, no others are walked along than those with the right second one.
      case .everywhere:
        """
        WITH RECURSIVE firsts (letter) AS (
          SELECT substr(min(word), 1, 1) FROM catalog_term
          UNION ALL
          SELECT (SELECT substr(min(t.word), 1, 1) FROM catalog_term t
            WHERE t.word >= firsts.letter || \("\u{10FFFF}"))
          FROM firsts WHERE letter IS NOT NULL)
        SELECT word FROM firsts CROSS JOIN \(SQL.rows(of: letters.distinct))
        CROSS JOIN catalog_term
        WHERE letter <> \(Mark.subjectSign) AND word >= letter || value
          AND word < letter || value || \("\u{10FFFF}") AND \(length)
        UNION
        SELECT word FROM catalog_term
        WHERE word >= \(letters[1]) AND word < \(letters[1] + "\u{10FFFF}") AND \(length)
        """
      }
    return try snapshot.rows(query) { row throws(DatabaseError) in try row[0] }.filter { word in
      !word.utf8.contains { (0x30...0x39).contains($0) }
    }
  }
}

/// How far a guess looks around: first where the word most likely is.
enum Reach: CaseIterable, Sendable {
  case near, everywhere
}

/// How many letters must be put in, left out, replaced or exchanged with their neighbor to make one
/// word of another.
enum EditDistance {
  /// Nil when it is more than the limit, which is noticed early.
  static func between(
    _ one: [Unicode.Scalar], _ other: [Unicode.Scalar], atMost limit: Int
  ) -> Int? {
    guard abs(one.count - other.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(other.count + 1)
      for column in other.indices {
        let isSame = letter == other[column]
        var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == other[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      // An exchange looks back two rows, so that both must be out of reach.
      if min(current.min() ?? 0, (last.min() ?? 0) + 1) > limit { return nil }
      (beforeLast, last) = (last, current)
    }
    return last[other.count] <= limit ? last[other.count] : nil
  }
}
