import Circulation
import MockKit
import Testing

extension Promise {
  /// Books come onto lists and leave them.
  static let listKeeping = [
    Promise("a book put on a list twice stands there once", [.lists, .listWriting]) { visit in
      let item = try visit.title()
      for _ in 0..<2 { try await visit.add(item) }
      #expect(try await visit.entries().map(\.item) == [item])
      #expect(visit.lists.entries(of: Reader.ada.card).count == 1)
    },
    Promise("a book taken off a list is gone, and others stay", [.lists, .listWriting]) { visit in
      let items = try visit.titles(1...2)
      try visit.list(1...2)
      for _ in 0..<2 { try await visit.remove(items[0]) }
      #expect(try await visit.entries().map(\.item) == [items[1]])
    },
    Promise("taking off a list what never stood there changes nothing", [.lists, .listWriting]) {
      visit in
      let items = try visit.titles(1...2)
      try visit.list(1...1, on: visit.house.lists.there)
      try await visit.remove(items[0])
      try await visit.remove(items[1])
      #expect(visit.stands(1, on: visit.house.lists.there))
      #expect(visit.lists.entries(of: Reader.ada.card).count == 1)
    },
    Promise("a book moved from list to list stands in the second alone", [.lists, .listWriting]) {
      visit in
      let item = try visit.title()
      try visit.list()
      try await visit.move(item)
      #expect(try await visit.entries().isEmpty)
      #expect(try await visit.entries(visit.house.lists.there).map(\.item) == [item])
    },
    Promise("a book that is moved keeps what was said of it", [.lists, .listWriting, .ratings]) {
      visit in
      let item = try visit.title()
      try visit.list()
      try visit.inLists { room, now in
        room.edit(visit.id(), by: Reader.ada.card, at: now) { $0.rating = 5 }
      }
      try await visit.move(item)
      #expect(try await visit.entries(visit.house.lists.there).map(\.rating) == [5])
    },
    Promise("moving twice is moving once", [.lists, .listWriting]) { visit in
      let item = try visit.title()
      try visit.list()
      for _ in 0..<2 { try await visit.move(item) }
      #expect(visit.stands(on: visit.house.lists.there))
      #expect(!visit.stands(on: visit.house.lists.here))
    },
    Promise("a move of what stood nowhere is an addition", [.lists, .listWriting]) { visit in
      let item = try visit.title()
      try await visit.move(item)
      #expect(visit.stands(on: visit.house.lists.there))
    },
    Promise("going to an exclusive list is leaving the other", [.lists, .listWriting]) { visit in
      let item = try visit.title()
      try visit.list(on: visit.house.lists.there)
      try await visit.add(item)
      let isExclusive = try visit.ada.describe().lists?.exclusiveStates == true
      #expect(visit.stands(on: visit.house.lists.here))
      #expect(visit.stands(on: visit.house.lists.there) == !isExclusive)
    },
    Promise("a book that nobody knows goes on no list", [.lists, .listWriting]) { visit in
      _ = try visit.title()
      let reason = try await refusal { try await visit.add(visit.unknown) }
      #expect(reason == .titleGone)
      #expect(visit.lists.entries(of: Reader.ada.card).isEmpty)
    },
    Promise("a list that is not there takes no book, and is not made", [.lists, .listWriting]) {
      visit in
      let item = try visit.title()
      let lists = try await visit.ada.lists(in: visit.call).map(\.id)
      for name in ["no-such-list", "99999"] {
        let entry = ListEntry(item: item, title: "x")
        let reason = try await refusal {
          try await visit.ada.add(entry, to: ListID(name), in: visit.call)
        }
        #expect(reason == .titleGone)
      }
      #expect(try await visit.ada.lists(in: visit.call).map(\.id) == lists)
      #expect(visit.lists.entries(of: Reader.ada.card).isEmpty)
    },
    Promise("a book is found by its number, surely", [.lists, .listWriting]) { visit in
      let items = try visit.titles(1...3)
      let found = try await visit.ada.find(SoughtBook(numbers: visit.numbers(2)), in: visit.call)
      #expect(found.map(\.entry.item) == [items[1]] && found.allSatisfy(\.isSure))
      #expect(found.first?.entry.title == "The Quillon Ledger 2")
    },
    Promise("a number that nobody has finds nothing", [.lists, .listWriting]) { visit in
      _ = try visit.title()
      let sought = SoughtBook(numbers: visit.numbers(4711))
      #expect(try await visit.ada.find(sought, in: visit.call).isEmpty)
    },
    Promise("what is found by words alone is unsure", [.lists, .listWriting]) { visit in
      let item = try visit.title()
      let sought = SoughtBook(title: "The Quillon Ledger", author: "Ostrander")
      let found = try await visit.ada.find(sought, in: visit.call)
      #expect(found.map(\.entry.item) == [item] && found.allSatisfy { !$0.isSure })
      let nonsense = SoughtBook(title: "xqzzw vbnnk")
      #expect(try await visit.ada.find(nonsense, in: visit.call).isEmpty)
    },
    Promise("a book sought by nothing is sought nowhere", [.lists, .listWriting]) { visit in
      let found = try await visit.ada.find(SoughtBook(), in: visit.call)
      #expect(found.isEmpty && visit.requests.isEmpty)
    },
  ]

  /// What a reader says of a book.
  static let remarks = [
    Promise("a rating given is the rating told", [.lists, .listWriting, .ratings]) { visit in
      let item = try visit.title()
      try visit.list()
      for stars in [4.0, 1.0, 5.0] {
        try await visit.rate(item, stars)
        #expect(try await visit.entries().map(\.rating) == [stars])
      }
    },
    Promise("a rating is taken back by giving none", [.lists, .listWriting, .ratings]) { visit in
      let item = try visit.title()
      try visit.list()
      try await visit.rate(item, 3)
      try await visit.rate(item, nil)
      #expect(try await visit.entries().map(\.rating) == [nil])
      #expect(visit.listed()?.rating == 0)
    },
    Promise("what is on no list is not rated", [.lists, .listWriting, .ratings]) { visit in
      let item = try visit.title()
      let reason = try await refusal { try await visit.rate(item, 3) }
      #expect(reason == .titleGone)
      #expect(visit.listed() == nil)
    },
    Promise("reviews and dates come back as they were written", [.lists, .remarks, .ratings]) {
      visit in
      let item = try visit.title()
      try visit.list()
      var entry = ListEntry(item: item, title: "x")
      entry.review = "Élan vital – 100% \"très\" bien+\n& <so> on; = ?"
      entry.readings = [
        .init(
          started: PartialDate(year: 2025, month: 12, day: 31),
          finished: PartialDate(year: 2026, month: 1, day: 1))
      ]
      try await visit.rate(item, 2)
      try await visit.ada.note([.review, .readings], of: entry, in: visit.call)
      let told = try #require(try await visit.entries().first)
      #expect(told.readings == entry.readings && told.rating == 2)
      #expect(visit.listed()?.review == entry.review)
      #expect(told.review?.contains("Élan vital – 100%") == true)
    },
    Promise("what is noted leaves other parts as they are", [.lists, .remarks, .ratings]) { visit in
      let item = try visit.title()
      try visit.list()
      try visit.inLists { room, now in
        room.edit(visit.id(), by: Reader.ada.card, at: now) {
          ($0.rating, $0.review, $0.finished) = (3, "Once.", "2025-03-04")
        }
      }
      try await visit.ada.note([.readings], of: ListEntry(item: item, title: "x"), in: visit.call)
      let mine = try #require(visit.listed())
      #expect(mine.finished == nil && mine.rating == 3 && mine.review == "Once.")
    },
    Promise("a review of ten thousand letters is kept whole", [.lists, .remarks]) { visit in
      let item = try visit.title()
      try visit.list()
      var entry = ListEntry(item: item, title: "x")
      entry.review = String(repeating: "Ünd dann & ", count: 1000).trimmingEnd
      try await visit.ada.note([.review], of: entry, in: visit.call)
      #expect(visit.listed()?.review == entry.review)
    },
    Promise("what was said of one book is told, and of a book on no list nothing", [.remarks]) {
      visit in
      let items = try visit.titles(1...2)
      try visit.list()
      try visit.inLists { room, now in
        room.edit(visit.id(), by: Reader.ada.card, at: now) { ($0.rating, $0.review) = (2, "Dry.") }
      }
      let entry = try await visit.ada.entry(of: items[0], in: visit.call)
      #expect(entry?.item == items[0] && entry?.rating == 2 && entry?.review == "Dry.")
      #expect(entry?.lists == [visit.house.lists.here] && entry?.isReviewCut == false)
      #expect(try await visit.ada.entry(of: items[1], in: visit.call) == nil)
    },
    Promise("noting nothing asks nobody", [.lists, .remarks]) { visit in
      let item = try visit.title()
      try await visit.ada.note([], of: ListEntry(item: item, title: "x"), in: visit.call)
      #expect(visit.requests.isEmpty)
    },
  ]

  static let friendship = [
    Promise("friends have names, each their own", [.friends]) { visit in
      let friends = try await visit.ada.friends(in: visit.call)
      #expect(!friends.isEmpty && Set(friends.map(\.id)).count == friends.count)
      #expect(friends.allSatisfy { !$0.name.isEmpty })
    },
    Promise("a friend's lists can be read, and not written", [.lists, .listWriting, .friends]) {
      visit in
      let item = try visit.title()
      try visit.list(of: .bruno)
      let bruno = try #require(
        try await visit.ada.friends(in: visit.call).first { $0.name == Reader.bruno.rawValue })
      let lists = try await visit.ada.lists(of: bruno, in: visit.call)
      let full = try #require(lists.first { ($0.count ?? 0) > 0 })
      let whole = try await visit.ada.wholeList(full.id, in: visit.call)
      #expect(whole.entries.map(\.item) == [item] && lists.allSatisfy { !$0.isOpen })
      let error = await #expect(throws: CirculationError.self) {
        try await visit.ada.add(ListEntry(item: item, title: "x"), to: full.id, in: visit.call)
      }
      #expect(error?.reason == .unsupported(.listWriting))
    },
    Promise("what friends did is told with their names, the newest first", [.friends]) { visit in
      let items = try visit.titles(1...2)
      try visit.list(1...1, of: .bruno)
      visit.time.pass(days: 1)
      try visit.list(2...2, of: .chinua)
      let news = try await visit.ada.news(in: visit.call)
      #expect(news.map(\.entry.item) == [items[1], items[0]])
      #expect(news.map(\.friend.name) == ["chinua", "bruno"])
      #expect(news.allSatisfy { $0.at != nil })
    },
  ]
}

extension Premises {
  fileprivate func add(_ item: ItemID) async throws {
    try await ada.add(ListEntry(item: item, title: "x"), to: house.lists.here, in: call)
  }

  fileprivate func remove(_ item: ItemID) async throws {
    try await ada.remove(ListEntry(item: item, title: "x"), from: house.lists.here, in: call)
  }

  fileprivate func move(_ item: ItemID) async throws {
    let entry = ListEntry(item: item, title: "x")
    try await ada.move(entry, from: house.lists.here, to: house.lists.there, in: call)
  }

  fileprivate func rate(_ item: ItemID, _ stars: Double?) async throws {
    var entry = ListEntry(item: item, title: "x")
    entry.rating = stars
    try await ada.rate(entry, in: call)
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
