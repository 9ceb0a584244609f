import Circulation
import Matching

/// What the words of a reader ask for.
struct Wanted: Sendable, Hashable {
  /// Each must match.
  var terms: [Term]
  var isbns: [ISBN]
  /// Numbers in other schemes.
  var numbers: [NumberName] = []
  /// Words that must follow one another: what stood in quotes.
  var phrases: [[String]]
  /// All words in their order, for titles that were typed in full.
  private var typed: [String]
  /// Words that were typed in one, and what they are without what parts them.
  private var joints: [[String]: String] = [:]

  /// Nobody types more; a text pasted by mistake costs no more than this.
  private static let most = 32

  /// Nil when there are words and nothing in them to look for, as in `***`: that is not the
  /// question for everything, which is asked with blanks.
  init?(_ text: String) {
    let text = String(text.unicodeScalars.prefix(10_000))
    (terms, isbns, phrases, typed) = ([], [], [], [])
    if let number = TypedNumber(text) {
      take(number)
      return
    }
    var isOpen = true
    var isBlank = true
    for (index, part) in Self.parts(of: text).enumerated() where typed.count < Self.most {
      isBlank = isBlank && part.allSatisfy(\.isWhitespace)
      // Every second part stood in quotes.
      isOpen = index % 2 == 0
      if isOpen { take(words: part) } else { take(phrase: part) }
    }
    let last = isOpen ? typed.last : nil
    terms = sought.map { Term(words: [$0], isBeginning: $0 == last) }
    isbns = Array(isbns.distinct.prefix(Self.most))
    numbers = Array(numbers.distinct.prefix(Self.most))
    if terms.isEmpty, isbns.isEmpty, numbers.isEmpty, !isBlank { return nil }
  }

  private mutating func take(_ number: TypedNumber) {
    switch number {
    case .isbn(let isbn): isbns.append(isbn)
    case .other(let name): numbers.append(name)
    }
  }

  /// A quote that is never closed is a slip and no phrase.
  private static func parts(of text: String) -> [Substring] {
    let parts = text.split(omittingEmptySubsequences: false) {
      "\"\u{201C}\u{201D}\u{201E}«»".contains($0)
    }
    guard parts.count % 2 == 0, let last = parts.last else { return parts }
    return parts.dropLast(2) + [parts[parts.count - 2] + " " + last].map { Substring($0) }
  }

  private mutating func take(words part: Substring) {
    var rest = Array(part.split(whereSeparator: \.isWhitespace).prefix(10 * Self.most))[...]
    while let chunk = rest.first {
      guard typed.count < Self.most else { return }
      if let (number, length) = TypedNumber.first(of: rest) {
        take(number)
        rest = rest.dropFirst(length)
      } else {
        rest.removeFirst()
        let folded = FoldedText(String(chunk), atMost: Self.most - typed.count)
        let joint = folded.words.joined()
        if folded.words.count > 1, folded.variants.contains(joint) { joints[folded.words] = joint }
        typed += folded.words
      }
    }
  }

  private mutating func take(phrase part: Substring) {
    if let number = TypedNumber(part) { return take(number) }
    let words = FoldedText(String(part), atMost: Self.most - typed.count).words
    if words.count > 1 { phrases.append(words) }
    typed += words
  }

  /// Titles that are just what was typed; then those that are, but for an article.
  var wholeTitles: [String] {
    // Alternatives are guesses, and a guess is not a title that was typed in full.
    guard terms.allSatisfy({ $0.words.count == 1 }) else { return [] }
    return [Mark.wholeTitle(typed), Mark.bareTitle(typed)].compactMap(\.self)
  }

  /// With words that hyphens or full stops part in one, as others write them: `ebook` for
  /// `e-book`. Nil where nothing is parted so.
  var joined: Wanted? {
    guard !joints.isEmpty, phrases.isEmpty else { return nil }
    var whole = self
    for (parts, joint) in joints {
      whole.terms.removeAll { term in term.words.count == 1 && parts.contains(term.words[0]) }
      whole.terms.append(Term(words: [joint], isBeginning: parts.last == typed.last))
    }
    return whole
  }

  /// What a title would begin with.
  var first: Term? {
    let word = Articles.dropped(from: typed).first
    return terms.first { term in term.words.first == word }
  }

  /// All words but articles, which titles have or lack as it comes; where nothing else was typed,
  /// these.
  private var sought: [String] {
    let phrased = Set(phrases.joined())
    let words = typed.distinct
    // The last one may be the beginning of something else.
    let bare = words.filter {
      !Self.articles.contains($0) || phrased.contains($0) || ($0 == typed.last && $0 != "the")
    }
    return bare.isEmpty ? words : bare
  }

  /// Without what else a title may lack or have otherwise, when it is not found with it; nil when
  /// that leaves nothing, or all.
  var withoutSmallWords: Wanted? {
    var bare = self
    let first = typed.first
    bare.terms.removeAll { term in
      guard let word = term.words.first, !phrases.contains(where: { $0.contains(word) }) else {
        return false
      }
      return Self.small.contains(word) || (word == first && Articles.all.contains(word))
    }
    return bare.terms.isEmpty || bare.terms == terms ? nil : bare
  }

  private static let articles: Set<String> = ["the", "a", "an"]
  private static let small: Set<String> = ["the", "a", "an", "and"]
}

/// A word to be found, or one of several that it may have been meant for.
struct Term: Sendable, Hashable {
  var words: [String]
  /// Whether a longer word with this beginning does too.
  var isBeginning: Bool
  /// These, where they are known to be few.
  var longer = Longer()

  struct Longer: Sendable, Hashable {
    var words: [String]?
    /// Of subjects, as the index has them.
    var subjects: [String]?
  }

  /// As the first word of a title.
  var ofTitle: Term {
    Term(
      words: words.map(Mark.firstWord), isBeginning: isBeginning,
      longer: Longer(words: longer.words?.map(Mark.firstWord)))
  }

  /// As a word of a subject.
  var ofSubject: Term {
    Term(
      words: words.map(Mark.subject), isBeginning: isBeginning,
      longer: Longer(words: longer.subjects))
  }

  var whole: Term { Term(words: words, isBeginning: false) }

  /// How they are written in a question of either index.
  func spelled(whole: (String) -> String, beginning: (String) -> String) -> [String] {
    guard isBeginning else { return words.map(whole) }
    guard let longer = longer.words else { return words.map(beginning) }
    return (words + longer).map(whole)
  }
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
  var marks: [String] = []
  /// The first word of the title, as a mark.
  var first: Term?

  static func all(of wanted: Wanted) -> [Rank] {
    let isbns = wanted.isbns.map(Mark.isbn) + wanted.numbers.map(Mark.number)
    guard !wanted.terms.isEmpty else { return [Rank(terms: [], columns: .all, marks: isbns)] }
    let begun = wanted.terms
    let whole = begun.map(\.whole)
    var ranks = wanted.wholeTitles.map { title in
      Rank(terms: [], columns: .title, marks: isbns + [title])
    }
    // Where no longer word is known, a beginning is found as a word or not at all.
    let isWhole = begun.allSatisfy { !$0.isBeginning || $0.longer.words == [] }
    let readings = isWhole ? [whole] : [whole, begun]
    for terms in readings {
      // One that begins with the words before one that has them somewhere.
      let first = wanted.first.flatMap { first in terms.first { $0.words == first.words } }
      if let first {
        ranks.append(Rank(terms: terms, columns: .title, marks: isbns, first: first.ofTitle))
      }
      ranks.append(Rank(terms: terms, columns: .title, marks: isbns))
    }
    for terms in readings { ranks.append(Rank(terms: terms, columns: .people, marks: isbns)) }
    for columns in [Columns.rest, .all] {
      ranks.append(Rank(terms: begun, columns: columns, marks: isbns))
    }
    return ranks
  }
}
