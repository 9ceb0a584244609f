import JSON
import MockKit

/// How the instance is set up for a scenario: books, and readers with shelves. Its switches stand in
/// its settings: `private_shelves` (their names, for everybody), `elsewhere` (where the authors of
/// every second book are, if not here), and `quirks`, a list of the names in `Quirk`.
package struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  /// What a reader's address is called.
  package static func user(of card: String) -> String {
    var random = SeededRandom(seed: 0, for: "bookwyrm \(card)")
    return "reader" + random.digits(5)
  }

  /// An edition's number is odd, and its work has the one below.
  package static func edition(_ index: Int) -> String { String(4_001 + index * 2) }

  var libraries: [MockLibrary] {
    var lending = LendingLibrary()
    for card in scenario.cards { lending.add(card) }
    let seeded = SeededTitles(seed: seed)
    for index in 0..<scenario.titles {
      lending.add(furnished(seeded.title(index, addedBefore: now), index))
    }
    let first = scenario.cards.first?.card ?? ""
    return [
      MockLibrary(
        id: "demo", provider: BookWyrmDialect.name, name: "BookWyrm", lending: lending,
        reading: room(lending),
        settings: ["private_shelves": [], "elsewhere": "", "quirks": []],
        endpoints: { base in
          [
            "instance": .string(base + "/bookwyrm"),
            // What the first reader's browser shows above.
            "profile": .string("\(base)/bookwyrm/user/\(Self.user(of: first))"),
          ]
        })
    ]
  }

  private func furnished(_ pattern: Title, _ index: Int) -> Title {
    var title = Title(
      id: Self.edition(index), name: pattern.name, authors: pattern.authors, copies: .unlimited,
      added: pattern.added)
    (title.subtitle, title.series) = (pattern.subtitle, pattern.series)
    (title.seriesPosition, title.language) = (pattern.seriesPosition, pattern.language)
    (title.publisher, title.published) = (pattern.publisher, pattern.published)
    (title.summary, title.isbn) = (pattern.summary, index % 5 == 4 ? "" : pattern.isbn)
    return title
  }

  static let standard = ["to-read", "reading", "read", "stopped-reading"]

  private func room(_ lending: LendingLibrary) -> ReadingRoom {
    var room = ReadingRoom(numbersFrom: 700)
    for (place, patron) in scenario.cards.enumerated() {
      let own = "cooking-\(9 + place)"
      var lists = Self.standard.enumerated().map { number, slug in
        ReadingRoom.List(slug, named: Self.names[number], number: number + 1, isExclusive: true)
      }
      lists.append(ReadingRoom.List(own, named: "Cooking", number: 9 + place))
      room.join(patron.card, name: patron.name, lists: lists)
      let books = lending.order.prefix(scenario.listed)
      for (index, book) in books.enumerated() {
        let slug = Self.standard[index % 3 == 0 ? 2 : index % 7 == 1 ? 1 : index % 11 == 5 ? 3 : 0]
        let when = now + -Int64(books.count - index) * 60_000
        room.put(book, on: slug, of: patron.card, at: when)
        // On two shelves at once.
        if index % 4 == 0 { room.put(book, on: own, of: patron.card, at: when) }
      }
    }
    return room
  }

  private static let names = ["To Read", "Currently Reading", "Read", "Stopped Reading"]
}

/// What is odd, by the names in `quirks`.
enum Quirk: String {
  /// An instance in authorised-fetch mode: only other servers, who sign, are shown anything.
  case authorizedFetch = "authorized-fetch"
  /// Editions say no more than they must.
  case bareEditions = "bare-editions"
  case noTitles = "no-titles"
  case oldPaths = "old-paths"
  /// The last page says that the first comes next.
  case nextLoops = "next-loops"
  /// The last page says that one comes next, and gives itself again.
  case lastPageAgain = "last-page-again"
  /// Authors were merged: their addresses lead to others.
  case mergedAuthors = "merged-authors"
  case noAuthors = "no-authors"
}
