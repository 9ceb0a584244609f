import HTTP
import JSON
import MockKit

/// How the service is set up for a scenario. Its switches stand in its settings: `quota` (requests a
/// day; 0 is no end), `grants_less` (consent without the scope), `empty_object` (writes are answered
/// with `{}` and not with nothing), `german` (titles of shelves), `withheld` (every tenth volume counts
/// and does not show), `other_book` (a search for an ISBN finds another book).
package struct Furnishing {
  package static let client = "carrel-mock.apps.example"
  package static let secret = "mock-google-s3cret"

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
      let pattern = seeded.title(index, addedBefore: now)
      var random = SeededRandom(seed: seed, for: "volume \(index)")
      var title = Title(
        id: random.token(12), name: pattern.name, authors: index % 7 == 5 ? [] : pattern.authors,
        copies: .unlimited, added: pattern.added)
      (title.subtitle, title.published) = (pattern.subtitle, pattern.published)
      // Some are known by the barcode of a library alone.
      title.isbn = index % 5 == 4 ? "" : pattern.isbn
      if index % 6 == 3 { title.published = String(pattern.published.prefix(7)) }
      if index % 6 == 4 { title.published = String(pattern.published.prefix(4)) + "*" }
      lending.add(title)
    }
    return [
      MockLibrary(
        id: "demo", provider: GoogleBooksDialect.name, name: "Google Books", lending: lending,
        reading: room(lending),
        settings: [
          "client_id": .string(Self.client), "client_secret": .string(Self.secret), "quota": 0,
          "used": 0, "grants_less": false, "empty_object": false, "german": false,
          "withheld": false, "other_book": false,
        ],
        endpoints: { base in
          [
            "api": .string(base + "/google/books/v1"),
            "authorize": .string(base + "/google/o/oauth2/v2/auth"),
            "token": .string(base + "/google/token"), "client_id": .string(Self.client),
            "client_secret": .string(Self.secret),
          ]
        })
    ]
  }

  /// A token that a card's reader granted long ago: a test need not walk through the pages.
  package static func refreshToken(card: String, pin: String) -> String { "1//\(card).\(pin)" }

  private func room(_ lending: LendingLibrary) -> ReadingRoom {
    var room = ReadingRoom()
    for patron in scenario.cards {
      room.join(patron.card, name: patron.name, lists: shelves)
      let books = lending.order.prefix(scenario.listed)
      for (index, book) in books.enumerated() {
        let shelf = index % 4 == 0 ? "4" : index % 9 == 1 ? "3" : "2"
        let when = now + -Int64(books.count - index) * 60_000
        room.put(book, on: shelf, of: patron.card, at: when)
        if index % 8 == 0 { room.put(book, on: "0", of: patron.card, at: when) }
      }
    }
    return room
  }

  /// The one of recommendations is missing while it is empty.
  private var shelves: [ReadingRoom.List] {
    [
      .init("0", named: "Favorites", number: 0),
      .init("1", named: "Purchased", number: 1, isOpen: false),
      .init("2", named: "To Read", number: 2), .init("3", named: "Reading Now", number: 3),
      .init("4", named: "Have Read", number: 4),
      .init("5", named: "Reviewed", number: 5, isOpen: false),
      .init("6", named: "Recently Viewed", number: 6, isOpen: false),
      .init("7", named: "My eBooks", number: 7, isOpen: false),
      .init("1001", named: "Salt and ink", number: 1001),
    ]
  }
}
