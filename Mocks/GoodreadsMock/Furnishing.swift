import HTTP
import JSON
import MockKit

/// How the service is set up for a scenario: books as at the lenders, and readers with shelves. Its
/// switches stand in its settings: `key_disabled`, and `quirks`, a list of the names in `Quirk`.
package struct Furnishing {
  package static let key = "carrelDevKey0001"
  package static let secret = "mock-consumer-s3cret"

  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    var lending = LendingLibrary()
    for card in scenario.cards { lending.add(card) }
    let seeded = SeededTitles(seed: seed)
    for index in 0..<scenario.titles {
      lending.add(furnished(seeded.title(index, addedBefore: now), index))
    }
    return [
      MockLibrary(
        id: "demo", provider: GoodreadsDialect.name, name: "Goodreads", lending: lending,
        reading: room(lending),
        settings: [
          "key": .string(Self.key), "consumer_secret": .string(Self.secret),
          "key_disabled": false, "quirks": [],
        ],
        endpoints: { [first = scenario.cards.first?.card ?? ""] base in
          [
            // What the first reader's browser shows above.
            "profile": .string("\(base)/goodreads/user/show/\(Self.userID(of: first))-reader"),
            "api": .string(base + "/goodreads"), "feeds": .string(base + "/goodreads"),
            "key": .string(Self.key), "secret": .string(Self.secret),
          ]
        })
    ]
  }

  /// The number of a profile; a card's own.
  package static func userID(of card: String) -> String {
    var random = SeededRandom(seed: 0, for: "profile \(card)")
    return "4" + random.digits(6)
  }

  /// What opens the feeds of a private profile.
  package static func feedKey(of card: String) -> String {
    var random = SeededRandom(seed: 0, for: "feed \(card)")
    return random.token(32)
  }

  /// Two editions that follow one another are of one work, now and then.
  package static func workID(of book: String) -> String {
    let number = Int(book) ?? 0
    return String(500_000 + (number.isMultiple(of: 10) ? number + 1 : number))
  }

  private func furnished(_ pattern: Title, _ index: Int) -> Title {
    // The first two are editions of one work.
    var title = Title(
      id: String(17_340 + index), name: pattern.name, authors: pattern.authors,
      copies: .unlimited, added: pattern.added)
    (title.series, title.seriesPosition) = (pattern.series, pattern.seriesPosition)
    (title.language, title.summary) = (pattern.language, pattern.summary)
    (title.publisher, title.published) = (pattern.publisher, pattern.published)
    // A quarter has none: e-books, audiobooks and what is older.
    title.isbn = index % 4 == 3 ? "" : pattern.isbn
    return title
  }

  private func room(_ lending: LendingLibrary) -> ReadingRoom {
    var room = ReadingRoom()
    let cards = scenario.cards.map(\.card)
    for (place, patron) in scenario.cards.enumerated() {
      let friends = cards.filter { $0 != patron.card }
      room.join(patron.card, name: patron.name, lists: shelves(place), friends: friends)
      let books = lending.order.prefix(scenario.listed)
      for (index, book) in books.enumerated() {
        let when = now + -Int64(books.count - index) * 3_600_000
        room.put(book, on: shelf(index + place), of: patron.card, at: when)
        if index % 6 == 1 { room.put(book, on: "sci-fi", of: patron.card, at: when) }
        guard shelf(index + place) == "read" else { continue }
        room.edit(book, by: patron.card, at: when) { entry in
          entry.rating = index % 5 + 1
          entry.finished = index % 3 == 0 ? nil : "2025-0\(index % 9 + 1)-1\(index % 9)"
          entry.timesRead = 1
          if index % 4 == 0 { entry.review = "Kept me up & late." }
        }
      }
    }
    return room
  }

  private func shelf(_ index: Int) -> String {
    switch index % 12 {
    case 0..<6: "to-read"
    case 6..<9: "read"
    case 9: "currently-reading"
    case 10: "read"
    default: "did-not-finish"
    }
  }

  private func shelves(_ place: Int) -> [ReadingRoom.List] {
    [
      .init("read", number: 9_049_904 + place, isExclusive: true),
      .init("currently-reading", number: 3701, isExclusive: true),
      .init("to-read", number: 3700, isExclusive: true),
      .init("did-not-finish", number: 9_050_001 + place, isExclusive: true),
      .init("sci-fi", number: 9_051_001 + place), .init("favorites", number: 9_052_001 + place),
    ]
  }
}

/// What is odd, by the names in `quirks`.
enum Quirk: String {
  /// The add-to-shelf answer is the shelf alone.
  case oldAddAnswer = "old-add-answer"
  case putRefused = "put-refused"
  /// A date given when a review is written is dropped, then and later.
  case datesDropped = "dates-dropped"
  case oldShelves = "old-shelves"
  case noPayload = "no-payload"
  case loginPage = "login-page"
  case railsError = "rails-error"
  case friendlyError = "friendly-error"
  case clipped
  case doubledShelves = "doubled-shelves"
  case countsMore = "counts-more"
  case feedRepeats = "feed-repeats"
  case feedOneItem = "feed-one-item"
  case feedWall = "feed-wall"
  case feedLeavesOut = "feed-leaves-out"
}
