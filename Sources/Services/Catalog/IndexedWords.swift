import Circulation
import Matching

/// The words an edition is found by, each in its weightiest column, and the marks it is chosen by.
/// A mark begins with a sign that folding never leaves in a word, so that nobody can type one.
struct IndexedWords: Sendable, Hashable {
  /// Raised whenever words, marks or places are made otherwise: a catalogue of an older program is
  /// then indexed anew.
  static let revision = 2

  var title: [String]
  var authors: [String]
  /// Subtitle, series and the other hands.
  var rest: [String]
  var subjects: [String]
  var marks: [String]

  init(_ edition: Edition, at library: Int64, from provider: ProviderID) {
    let folded = FoldedText(edition.title, atMost: Self.most)
    title = (folded.words + folded.variants).distinct
    authors = Self.words(edition.authors)
    let others = edition.contributors.filter { $0.role != .author }.map(\.name)
    rest = Self.words(
      [edition.subtitle, edition.series?.name].compactMap(\.self) + edition.alternativeTitles
        + others)
    subjects = Self.words(edition.subjects).map(Mark.subject)
    marks = [Mark.library(library), Mark.provider(provider)]
    let title = folded.words
    marks += [Mark.wholeTitle(title), Mark.bareTitle(title)].compactMap(\.self)
    marks += [title.first, Articles.dropped(from: title).first].compactMap(\.self)
      .map(Mark.firstWord)
    marks += edition.formats.map { Mark.content($0.content) }
    marks += edition.languages.map(Mark.language)
    marks += (edition.isbns + edition.relatedISBNs).map(Mark.isbn)
    marks += edition.identifiers.prefix(Self.mostNumbers).compactMap { NumberName($0) }
      .map(Mark.number)
    marks = marks.distinct
  }

  /// Those that a word may be the beginning of, or meant for where it is misspelt. Of numbers there
  /// are too many.
  var terms: [String] {
    (title + authors + rest).filter { word in
      word.utf8.first.map { $0 > 0x39 } ?? false && word.unicodeScalars.count >= 3
    } + subjects
  }

  /// A whole book pasted into one field by mistake must not become the largest thing we index.
  private static let most = 300
  private static let mostNumbers = 64

  private static func words(_ texts: [String]) -> [String] {
    var words: [String] = []
    for text in texts where words.count < most {
      let folded = FoldedText(text, atMost: most - words.count)
      words += folded.words + folded.variants
    }
    return words.distinct
  }
}

/// Facts about an edition as words of the index: the narrowest list then leads the search, and a
/// filter costs no more than another word.
enum Mark {
  static func library(_ key: Int64) -> String { "§l\(key)" }

  static func provider(_ provider: ProviderID) -> String { "§p" + spelled(provider.rawValue) }

  static func content(_ content: Format.Content) -> String { "§f" + spelled(content.rawValue) }

  static func language(_ tag: String) -> String { "§g" + spelled(primarySubtag(tag)) }

  static func isbn(_ isbn: ISBN) -> String { "§i\(isbn)" }

  static func number(_ name: NumberName) -> String { "§n" + spelled(name.text.lowercased()) }

  /// For a title that is just what was typed.
  static func wholeTitle(_ words: [String]) -> String? {
    words.isEmpty ? nil : "§t" + String(words.joined().prefix(FoldedText.longestWord))
  }

  /// Half of all books have words in their subjects that few have in their titles: they are found
  /// apart, and who looks for these does not walk along those.
  static func subject(_ word: String) -> String { subjectSign + word }
  static let subjectSign = "¤"

  static func firstWord(_ word: String) -> String { "§b" + word }

  /// For one that is, but for an article in front: a reader leaves it out as often as not.
  static func bareTitle(_ words: [String]) -> String? {
    let bare = Articles.dropped(from: words)
    return bare.isEmpty ? nil : "§u" + String(bare.joined().prefix(FoldedText.longestWord))
  }

  /// Any text in letters and digits that both indexes take for one word.
  private static func spelled(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
    }
    // A plain text never begins with the sign that the others begin with.
    return isPlain ? text : "§" + text.utf8.map { String($0, radix: 16) }.joined()
  }
}

/// Where an edition stands among all that match equally well: rows are kept in this order, so that
/// the best liked of fifty thousand come first without being sorted.
enum Place {
  private static let numberBits: Int64 = 40
  private static let highest: Int64 = 0x3FFF

  static func of(_ edition: Edition, number: Int64) -> Int64 {
    // The bits of a positive float sort as it does; six bits of fraction keep a popularity that
    // wanders by a percent from moving its row at every harvest.
    let popularity = max(0, Float(edition.popularity ?? 0))
    let liking = popularity.isNaN ? 0 : Int64(popularity.bitPattern >> 17)
    // What the library only could buy comes after what it has.
    let unowned: Int64 = edition.owned == false ? highest + 1 : 0
    return ((unowned + highest - min(liking, highest)) << numberBits) | number
  }

  static func number(of place: Int64) -> Int64 { place & ((1 << numberBits) - 1) }
}
