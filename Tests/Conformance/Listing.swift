import Circulation
import FoundationEssentials
import MockKit
import Testing

extension Promise {
  /// Reading lists are told as they are.
  static let listing = [
    Promise("reading lists have names, each its own", [.lists]) { visit in
      let lists = try await visit.ada.lists(in: visit.call)
      #expect(Set(lists.map(\.id)).count == lists.count)
      #expect(lists.allSatisfy { !$0.name.isEmpty })
      #expect(
        Set(lists.map(\.id)).isSuperset(of: [visit.house.lists.here, visit.house.lists.there]))
    },
    Promise("what becomes of lists is told, and agrees with what can be done", [.lists]) { visit in
      let terms = try #require(visit.ada.describe().lists)
      #expect((terms.entries == .kept) == visit.declares(.listWriting))
      #expect((terms.ratings == .kept) == visit.declares(.ratings))
      #expect((terms.reviews == .kept || terms.dates == .kept) == visit.declares(.remarks))
      #expect((terms.ratings == .absent) == (terms.ratingStep == nil))
      let here = try await visit.ada.lists(in: visit.call).first { $0.id == visit.house.lists.here }
      #expect(here?.isExclusive == terms.exclusiveStates)
      #expect(here?.isOpen == (terms.entries == .kept))
    },
    Promise("an empty list is an answer", [.lists]) { visit in
      _ = try visit.title()
      let page = try await visit.ada.items(of: visit.house.lists.here, from: nil, in: visit.call)
      #expect(page == ListPage(entries: []))
    },
    Promise("a list brings each book once over all its pages", [.lists]) { visit in
      let count = visit.house.lists.severalPages
      let items = try visit.titles(1...count)
      try visit.list(1...count)
      let whole = try await visit.ada.wholeList(visit.house.lists.here, in: visit.patientCall)
      #expect(whole.pages > 2 && !whole.hasShifted)
      #expect(Set(whole.entries.map(\.item)) == Set(items))
      for list in try await visit.ada.lists(in: visit.patientCall) where list.count != nil {
        let whole = try await visit.ada.wholeList(list.id, in: visit.patientCall)
        #expect(list.count == whole.entries.count)
      }
    },
    Promise("what is on another list is not on this one", [.lists]) { visit in
      let items = try visit.titles(1...2)
      try visit.list(1...1)
      try visit.list(2...2, on: visit.house.lists.there)
      #expect(try await visit.entries().map(\.item) == [items[0]])
      #expect(try await visit.entries(visit.house.lists.there).map(\.item) == [items[1]])
    },
    Promise("a book on a list has its title, its author and its numbers", [.lists]) { visit in
      let item = try visit.title { title in
        (title.name, title.authors) = ("Łódź & Sons: 50% of “Öland”?", ["Ysolde Brackwater"])
        title.isbn = "9780306406157"
      }
      try visit.list()
      let entry = try #require(try await visit.entries().first)
      #expect(entry.item == item && entry.title == "Łódź & Sons: 50% of “Öland”?")
      #expect(entry.authors == ["Ysolde Brackwater"])
      #expect(entry.isbns.isEmpty || entry.isbns.map(\.digits) == ["9780306406157"])
      #expect(!entry.identifiers.isEmpty)
    },
    Promise("a book without numbers is on its list all the same", [.lists]) { visit in
      let item = try visit.title { $0.isbn = "" }
      try visit.list()
      let entry = try #require(try await visit.entries().first)
      #expect(entry.item == item && entry.isbns.isEmpty)
    },
    Promise("what was never rated has no rating", [.lists]) { visit in
      _ = try visit.title()
      try visit.list()
      let entry = try #require(try await visit.entries().first)
      #expect(entry.rating == nil && entry.review == nil && entry.readings.isEmpty)
    },
    Promise("readers do not see each other's lists", [.lists]) { visit in
      let items = try visit.titles(1...2)
      try visit.list(1...1)
      try visit.list(2...2, of: .bruno)
      let here = visit.house.lists.here
      #expect(try await visit.entries().map(\.item) == [items[0]])
      let theirs = try await visit.bruno.wholeList(here, in: visit.call).entries
      #expect(theirs.map(\.item) == [items[1]])
      #expect(try await visit.chinua.wholeList(here, in: visit.call).entries.isEmpty)
    },
    Promise("a list that is not there is no empty one", [.lists]) { visit in
      _ = try visit.title()
      try visit.list()
      for name in ["no-such-list", "99999"] {
        let reason = try await refusal {
          try await visit.ada.items(of: ListID(name), from: nil, in: visit.call)
        }
        #expect(reason == .titleGone)
      }
    },
    Promise("a cursor that nobody gave is refused", [.lists]) { visit in
      let error = await #expect(throws: CirculationError.self) {
        try await visit.ada.items(of: visit.house.lists.here, from: "so what", in: visit.call)
      }
      #expect(error?.reason.code == "malformed_response")
    },
    Promise("what changed lately comes, and what did not stays away", [.lists, .listChanges]) {
      visit in
      let items = try visit.titles(1...3)
      try visit.list(1...2)
      visit.time.pass(days: 10)
      let start = visit.time.date
      visit.time.pass(days: 1)
      try visit.list(3...3)
      let page = try await visit.ada.changes(since: start, from: nil, in: visit.call)
      #expect(page.entries.map(\.item) == [items[2]])
      let all = try await visit.ada.changes(since: .distantPast, from: nil, in: visit.call)
      #expect(Set(all.entries.map(\.item)) == Set(items) && all.entries.first?.item == items[2])
    },
  ]
}

extension Premises {
  func entries(_ list: ListID? = nil) async throws -> [ListEntry] {
    try await ada.wholeList(list ?? house.lists.here, in: call).entries
  }

  /// For what takes many pages at one a second.
  var patientCall: Call { call(for: .seconds(300)) }
}
