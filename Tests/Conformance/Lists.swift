import Circulation
import MockKit
import Testing

extension Promise {
  static let paper = [
    Promise("branches have names, each its own", [.physicalHolds]) { visit in
      let branches = try await visit.ada.branches(in: visit.call)
      #expect(!branches.isEmpty)
      #expect(Set(branches.map(\.id)).count == branches.count)
      #expect(branches.allSatisfy { !$0.name.isEmpty })
    },
    Promise("a paper copy is put aside at the branch asked for", [.physicalHolds, .shelf]) {
      visit in
      let item = try visit.title()
      try visit.crowd(1)
      let branch = try #require(try await visit.ada.branches(in: visit.call).last)
      let options = HoldOptions(pickup: branch.id)
      let hold = try await visit.ada.placeHold(on: item, options: options, in: visit.call)
      #expect(hold.pickup == branch.id)
      #expect(try await visit.ada.shelf(in: visit.call).hold(on: item)?.pickup == branch.id)
    },
  ]

  static let reading = [
    Promise("reading lists have names, each its own", [.lists]) { visit in
      let lists = try await visit.ada.lists(in: visit.call)
      #expect(Set(lists.map(\.id)).count == lists.count)
      #expect(lists.allSatisfy { !$0.name.isEmpty })
    },
    Promise("a list brings each book once over all its pages", [.lists]) { visit in
      for list in try await visit.ada.lists(in: visit.call) {
        let items = try await visit.entries(of: list.id).map(\.item)
        #expect(Set(items).count == items.count)
        #expect(list.count == nil || list.count == items.count)
      }
    },
    Promise(
      "a book put on a list stands there, once, until it is taken off", [.lists, .listWriting]
    ) { visit in
      let list = try #require(try await visit.ada.lists(in: visit.call).first)
      let entry = ListEntry(item: try visit.title(), title: "The Quillon Ledger 1")
      for _ in 0..<2 { try await visit.ada.add(entry, to: list.id, in: visit.call) }
      #expect(try await visit.entries(of: list.id).count { $0.item == entry.item } == 1)
      try await visit.ada.remove(entry, from: list.id, in: visit.call)
      #expect(try await visit.entries(of: list.id).allSatisfy { $0.item != entry.item })
    },
    Promise("a book moved from list to list stands in the second alone", [.lists, .listWriting]) {
      visit in
      let lists = try await visit.ada.lists(in: visit.call)
      let (from, to) = (try #require(lists.first?.id), try #require(lists.last?.id))
      let entry = ListEntry(item: try visit.title(), title: "The Quillon Ledger 1")
      try await visit.ada.add(entry, to: from, in: visit.call)
      try await visit.ada.move(entry, from: from, to: to, in: visit.call)
      #expect(try await visit.entries(of: from).allSatisfy { $0.item != entry.item })
      #expect(try await visit.entries(of: to).contains { $0.item == entry.item })
    },
    Promise("a rating given is the rating told", [.lists, .listWriting, .ratings]) { visit in
      let list = try #require(try await visit.ada.lists(in: visit.call).first)
      var entry = ListEntry(item: try visit.title(), title: "The Quillon Ledger 1")
      try await visit.ada.add(entry, to: list.id, in: visit.call)
      entry.rating = 4
      try await visit.ada.rate(entry, in: visit.call)
      let told = try await visit.entries(of: list.id).first { $0.item == entry.item }
      #expect(told?.rating == 4)
    },
    Promise("friends have names, each their own", [.friends]) { visit in
      let friends = try await visit.ada.friends(in: visit.call)
      #expect(Set(friends.map(\.id)).count == friends.count)
      #expect(friends.allSatisfy { !$0.name.isEmpty })
    },
  ]
}

extension Premises {
  fileprivate func entries(of list: ListID) async throws -> [ListEntry] {
    var (entries, cursor): ([ListEntry], String?) = ([], nil)
    for _ in 0..<50 {
      let page = try await ada.items(of: list, from: cursor, in: call)
      entries += page.entries
      guard let next = page.next else { return entries }
      cursor = next
    }
    return entries
  }
}
