import Circulation
import MockKit
import Testing

extension Promise {
  /// Availability: what can be had now.
  static let telling = [
    Promise("copies are counted as they are", [.availability, .lending]) { visit in
      let item = try visit.title(copies: .counted(3))
      try visit.crowd(1)
      let told = try #require(try await visit.told(of: item))
      #expect(told.word == "available")
      #expect([nil, 3].contains(told.copies?.total))
      #expect([nil, 2].contains(told.copies?.available))
      #expect([nil, 0].contains(told.copies?.holds))
    },
    Promise("where all copies are out the line is told", [.availability, .lending]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      try visit.crowd(4, waitsFor: 1)
      let told = try #require(try await visit.told(of: item))
      #expect(told.word == "queued")
      #expect([nil, 0].contains(told.copies?.available))
      #expect([nil, 4].contains(told.copies?.holds))
    },
    Promise("a copy put aside cannot be had by others", [.availability, .lending]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      try visit.crowd(1, waitsFor: 1)
      try visit.crowdReturns()
      #expect(try await visit.told(of: item)?.canBeHadNow == false)
    },
    Promise(
      "what is there without limit can be had, and its copies are not counted",
      [.availability, .lending]
    ) { visit in
      let told = try #require(try await visit.told(of: try visit.title(copies: .unlimited)))
      #expect(told.canBeHadNow)
      #expect(told.copies?.total == nil)
    },
    Promise("a title without copies can be neither had nor waited for", [.availability, .lending]) {
      visit in
      let item = try visit.title(copies: .counted(0))
      #expect(try await visit.told(of: item)?.word == "unavailable")
    },
    Promise("what the service does not know is answered as that", [.availability]) { visit in
      let item = try visit.title()
      let told = try await visit.ada.availability(of: [item, visit.unknown], in: visit.call)
      #expect(told[item]?.canBeHadNow == true)
      #expect(told[visit.unknown]?.status == .unknownToProvider)
    },
    Promise("every item asked for is answered, however many", [.availability]) { visit in
      let count = visit.house.batch * 2 + 3
      let items = try visit.titles(1...count)
      let told = try await visit.ada.availability(of: items + [visit.unknown], in: visit.call)
      #expect(Set(told.keys) == Set(items).union([visit.unknown]))
      #expect(told.values.count(where: \.canBeHadNow) == count)
    },
    Promise("an item asked for twice is answered once", [.availability]) { visit in
      let items = try visit.titles(1...2)
      let told = try await visit.ada.availability(of: items + items, in: visit.call)
      #expect(Set(told.keys) == Set(items))
    },
    Promise("a question about nothing is answered without asking", [.availability]) { visit in
      let told = try await visit.ada.availability(of: [], in: visit.call)
      #expect(told.isEmpty)
      #expect(visit.requests.isEmpty)
    },
    Promise("an answer tells when it was asked for", [.availability]) { visit in
      let item = try visit.title()
      visit.time.pass(days: 3)
      #expect(try await visit.told(of: item)?.asOf == visit.time.date)
    },
    Promise(
      "a title that left changes nothing of what is told of others", [.availability, .lending]
    ) {
      visit in
      let items = try visit.titles(1...3)
      try visit.inside { library, _ in library.withdraw(visit.id(2)) }
      let told = try await visit.ada.availability(of: items, in: visit.call)
      #expect(told[items[0]]?.canBeHadNow == true)
      #expect(told[items[1]]?.status == .unknownToProvider)
      #expect(told[items[2]]?.canBeHadNow == true)
    },
  ]

  static let lookingUp = [
    Promise("a title is found by its ISBN, with what can be had of it", [.lookUp]) { visit in
      let item = try visit.title()
      _ = try visit.title(2)
      let found = try await visit.ada.lookUp([visit.numbers()], in: visit.call).found
      #expect(found.map(\.edition.item) == [item])
      #expect(found.first?.edition.title == "The Quillon Ledger 1")
      #expect(found.first?.availability.canBeHadNow == true)
    },
    Promise("many titles are found at once, each once", [.lookUp]) { visit in
      let count = visit.house.batch * 2 + 3
      let items = try visit.titles(1...count)
      let wanted = (1...count).map { visit.numbers($0) }
      let found = try await visit.ada.lookUp(wanted + wanted.prefix(3), in: visit.call).found
      #expect(found.map(\.edition.item).sorted() == items.sorted())
    },
    Promise("numbers that nobody knows find nothing", [.lookUp]) { visit in
      _ = try visit.title()
      let found = try await visit.ada.lookUp([visit.numbers(999_999)], in: visit.call).found
      #expect(found.isEmpty)
    },
    Promise("a question without numbers is answered without asking", [.lookUp]) { visit in
      let found = try await visit.ada.lookUp([BookNumbers()], in: visit.call).found
      #expect(found.isEmpty)
      #expect(visit.requests.isEmpty)
    },
  ]

  static let finding = [
    Promise("a search finds by words of the title", [.search]) { visit in
      let item = try visit.title()
      _ = try visit.title(2) { $0.name = "Something Else" }
      let found = try await visit.ada.search(SearchQuery(words: "quillon"), in: visit.call)
      #expect(found.map(\.item) == [item])
      #expect(found.first?.title == "The Quillon Ledger 1")
    },
    Promise("a search finds by the author", [.search]) { visit in
      let item = try visit.title { $0.authors = ["Ysolde Brackwater"] }
      _ = try visit.title(2)
      let found = try await visit.ada.search(SearchQuery(words: "Brackwater"), in: visit.call)
      #expect(found.map(\.item) == [item])
    },
    Promise("a search for nonsense finds nothing", [.search]) { visit in
      _ = try visit.title()
      let query = SearchQuery(words: "xqzzw vbnnk")
      #expect(try await visit.ada.search(query, in: visit.call).isEmpty)
    },
    Promise("a search takes any sign that a reader can type", [.search]) { visit in
      let item = try visit.title { $0.name = "Łódź & Sons: 50% of “Öland”?" }
      let found = try await visit.ada.search(
        SearchQuery(words: "Łódź & 50% Öland"), in: visit.call)
      #expect(found.map(\.item) == [item])
      #expect(found.first?.title == "Łódź & Sons: 50% of “Öland”?")
    },
    Promise("a search brings no more than it was asked for", [.search]) { visit in
      _ = try visit.titles(1...8)
      let query = SearchQuery(words: "quillon", limit: 3)
      #expect(try await visit.ada.search(query, in: visit.call).count == 3)
    },
    Promise("a search for what can be had leaves out what is lent", [.search, .availability]) {
      visit in
      let items = try visit.titles(1...2)
      try visit.crowd(1)
      let query = SearchQuery(words: "quillon", onlyAvailable: true)
      #expect(try await visit.ada.search(query, in: visit.call).map(\.item) == [items[1]])
    },
  ]
}

extension Premises {
  func told(of item: ItemID) async throws -> Availability? {
    try await ada.availability(of: [item], in: call)[item]
  }
}
