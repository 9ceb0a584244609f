import JSON
import MockKit

/// How the service is set up for a scenario. A work `OL45W` has the edition `OL45M` and the scan
/// `scan45`; readers go by the first word of their names. Its switches stand in its settings:
/// `merged` (old keys and the ones they lead to), `merged_by_http` (not in a document), `deleted` (keys), `form_status` (of a sign-in that
/// was not taken), `encoded_cookie` (the reader's key, too), `number_waitlist` (not as a
/// text), `edition_seeds` (lists hold editions), `other_seeds` (and an author and a subject),
/// `no_status` (availability is null), `rating_moves` (whoever rates has read; on as a rule).
package struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  /// What a reader's address is called.
  package static func user(_ name: String) -> String {
    String(name.lowercased().prefix { $0 != " " })
  }

  var libraries: [MockLibrary] {
    var lending = LendingLibrary()
    for card in scenario.cards { lending.add(card) }
    let seeded = SeededTitles(seed: seed)
    for index in 0..<scenario.titles {
      let pattern = seeded.title(index, addedBefore: now)
      var title = Title(
        id: "OL\(10_000 + index)W", name: pattern.name, authors: pattern.authors,
        copies: index % 5 == 0 ? .unlimited : .counted(index % 3), added: pattern.added)
      (title.subtitle, title.published) = (pattern.subtitle, pattern.published)
      title.isbn = index % 7 == 6 ? "" : pattern.isbn
      lending.add(title)
    }
    return [
      MockLibrary(
        id: "demo", provider: OpenLibraryDialect.name, name: "Open Library", lending: lending,
        reading: room(lending),
        settings: [
          "contact": "librarian@example.org", "merged": .object([:]), "deleted": [],
          "merged_by_http": false,
          "form_status": 200, "encoded_cookie": false, "number_waitlist": false,
          "edition_seeds": false, "other_seeds": false, "no_status": false, "rating_moves": true,
        ],
        endpoints: { base in
          ["api": .string(base + "/openlibrary"), "contact": "librarian@example.org"]
        })
    ]
  }

  static let shelves = [
    "want-to-read", "currently-reading", "already-read", "stopped-reading",
  ]

  private func room(_ lending: LendingLibrary) -> ReadingRoom {
    var room = ReadingRoom(numbersFrom: 400)
    for (index, patron) in scenario.cards.enumerated() {
      var lists = Self.shelves.enumerated().map { place, slug in
        ReadingRoom.List(slug, number: place + 1, isExclusive: true)
      }
      lists.append(
        ReadingRoom.List("OL\(101 + index)L", named: "Salt and ink", number: 101 + index))
      room.join(patron.card, name: patron.name, lists: lists)
      let books = lending.order.prefix(scenario.listed)
      for (index, book) in books.enumerated() {
        let slug = Self.shelves[index % 4 == 0 ? 2 : index % 9 == 1 ? 1 : index % 11 == 5 ? 3 : 0]
        let when = now + -Int64(books.count - index) * 60_000
        room.put(book, on: slug, of: patron.card, at: when)
        if index % 8 == 0, let list = lists.last {
          room.put(book, on: list.id, of: patron.card, at: when)
        }
        if index % 4 == 0 {
          room.edit(book, by: patron.card, at: when) { $0.rating = index % 5 + 1 }
        }
      }
    }
    return room
  }
}
