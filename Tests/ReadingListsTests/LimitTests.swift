import Circulation
import StoreSupport
import TestSupport
import Testing

@testable import ReadingLists

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

private func book(_ title: String) -> ListedBook { ListedBook(work: nil, title: title) }

@Suite struct `Limits of a patron's lists` {
  @Test(arguments: Engine.allCases)
  func `a patron makes so many lists and no more, and a librarian's are not counted`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      var limits = PatronLimits()
      limits.lists = 2
      let lists = ReadingLists(store: store, limits: limits, now: { clock.now })
      let first = try await lists.create(named: "A", for: ada)
      _ = try await lists.create(named: "B", for: ada)
      await #expect(throws: ListError.tooManyLists(most: 2)) {
        try await lists.create(named: "C", for: ada)
      }
      _ = try await lists.create(named: "C", for: bob)
      _ = try await lists.create(named: "Staff picks", for: ada, by: "The city library")
      try await lists.delete(first.id, of: ada)
      _ = try await lists.create(named: "C", for: ada)
    }
  }

  @Test(arguments: Engine.allCases)
  func `entries are limited over all lists of a patron, and an import refuses the rest by row`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      var limits = PatronLimits()
      limits.listEntries = 3
      let lists = ReadingLists(store: store, limits: limits, now: { clock.now })
      let one = try await lists.create(named: "A", for: ada)
      let two = try await lists.create(named: "B", for: ada)
      _ = try await lists.add(book("1"), to: one.id, of: ada)
      let rows = (2...4).map { KeptEntry(ListEntry(item: ItemID("\($0)"), title: "\($0)")) }
      let tally = try await lists.take(rows, into: two.id, of: ada)
      #expect(tally.count(.new) == 2)
      #expect(
        tally.count(.refused("your lists have as many entries as this gateway stores")) == 1)
      await #expect(throws: ListError.tooManyEntries(most: 3)) {
        try await lists.add(book("5"), to: one.id, of: ada)
      }
      #expect(try await lists.members(of: two.id, of: ada).count == 2)
    }
  }
}
