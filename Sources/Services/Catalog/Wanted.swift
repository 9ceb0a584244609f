import Circulation

/// What the words of a reader ask for.
struct Wanted: Sendable, Hashable {
  /// Each must match.
  var terms: [Term]
  var isbns: [ISBN]

  /// Nobody types more; a text pasted by mistake costs no more than this.
  private static let most = 32

  /// Nil when there are words and nothing in them to look for, as in `***`: that is not the
  /// question for everything, which is asked with blanks.
  init?(_ text: String) {
    let text = String(text.unicodeScalars.prefix(10_000))
    if let isbn = ISBN(text) {
      (terms, isbns) = ([], [isbn])
      return
    }
    let chunks = text.split(whereSeparator: \.isWhitespace).prefix(10 * Self.most)
    (terms, isbns) = ([], [])
    var words: [String] = []
    for chunk in chunks where words.count < Self.most {
      if let isbn = ISBN(String(chunk)) {
        isbns.append(isbn)
      } else {
        words += FoldedText(String(chunk), atMost: Self.most - words.count).words
      }
    }
    let last = words.last
    terms = words.distinct.map { Term(words: [$0], isBeginning: $0 == last) }
    isbns = Array(isbns.distinct.prefix(Self.most))
    if terms.isEmpty, isbns.isEmpty, !chunks.isEmpty { return nil }
  }
}

/// A word to be found, or one of several that it may have been meant for.
struct Term: Sendable, Hashable {
  var words: [String]
  /// Whether a longer word with this beginning does too.
  var isBeginning: Bool
}

/// The columns a match is looked for in, each with the weightier ones.
enum Columns: Sendable {
  case title, people, rest, all
  /// These alone, without what is weightier.
  case subjects
}

/// How well an edition matches. A search goes through the ranks until it has found enough; each
/// takes in what the one before it did.
struct Rank: Sendable {
  let terms: [Term]
  let columns: Columns
  /// Beside those of the filters.
  let marks: [String]

  static func all(of wanted: Wanted) -> [Rank] {
    let isbns = wanted.isbns.map(Mark.isbn)
    guard !wanted.terms.isEmpty else { return [Rank(terms: [], columns: .all, marks: isbns)] }
    let begun = wanted.terms
    let whole = begun.map { Term(words: $0.words, isBeginning: false) }
    var ranks: [Rank] = []
    // Alternatives are guesses, and a guess is not a title that was typed in full.
    if begun.allSatisfy({ $0.words.count == 1 }),
      let title = Mark.wholeTitle(begun.flatMap(\.words))
    {
      ranks.append(Rank(terms: [], columns: .title, marks: isbns + [title]))
    }
    for columns in [Columns.title, .people] {
      if whole != begun { ranks.append(Rank(terms: whole, columns: columns, marks: isbns)) }
      ranks.append(Rank(terms: begun, columns: columns, marks: isbns))
    }
    for columns in [Columns.rest, .all] {
      ranks.append(Rank(terms: begun, columns: columns, marks: isbns))
    }
    return ranks
  }
}
