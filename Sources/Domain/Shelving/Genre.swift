/// A kind of book that readers ask for, as `genres.txt` lists them.
package struct Genre: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case fiction, nonfiction
  }

  /// In lower case with dashes: `science-fiction`.
  package let id: String
  package let title: String
  /// The larger one that it is part of.
  package let parent: String?
  /// What a book of it must be; nil where both are.
  package let kind: Kind?

  /// Counts the changes of the table and of how it is read, so that what was told of a book by an
  /// older one can be told anew.
  package static let revision = 1

  /// In the order of the table.
  package static var all: [Genre] { GenreTable.standard.genres }

  package static func named(_ id: String) -> Genre? {
    GenreTable.standard.numbers[id].map { all[$0] }
  }
}

/// Whom a book is written for, where its subjects tell.
package enum Readership: String, Sendable, Hashable {
  case children
  case youngAdult = "young_adult"
}

/// What the subjects of a book say of it in the words of our table.
package struct Classification: Sendable, Hashable {
  /// Ids; those that most subjects name come first, and the larger ones are among them.
  package var genres: [String] = []
  package var kind: Genre.Kind?
  package var readers: Readership?

  package init() {}

  /// A book has few genres; one that has been given all subjects there are has none.
  private static let most = 8

  package init(subjects: [String]) {
    self.init(subjects.prefix(200).map { GenreTable.standard.reading(of: $0) })
  }

  init(_ readings: [SubjectReading], in table: GenreTable = .standard) {
    var votes: [Int: Int] = [:]
    var (fiction, nonfiction) = (0, 0)
    for reading in readings {
      for genre in reading.genres { votes[genre, default: 0] += 1 }
      switch reading.kind {
      case .fiction: fiction += 1
      case .nonfiction: nonfiction += 1
      case nil: break
      }
      // A book for children that older ones like too is found among both by whoever looks there.
      if readers != .children { readers = reading.readers ?? readers }
    }
    // Whoever says that a book is invented knows; what it tells of, history say, is not against it.
    kind = fiction > 0 && fiction * 2 >= nonfiction ? .fiction : nonfiction > 0 ? .nonfiction : nil
    let fitting = votes.filter { genre, _ in
      kind == nil || table.genres[genre].kind == nil || table.genres[genre].kind == kind
    }
    let ordered = fitting.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most)
    var numbers = ordered.map(\.key)
    for number in numbers {
      guard let parent = table.parents[number], !numbers.contains(parent) else { continue }
      numbers.append(parent)
    }
    genres = numbers.map { table.genres[$0].id }
  }
}
