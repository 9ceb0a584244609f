import Circulation
import ReadingLists
import TestSupport
import Testing

@testable import Mirrors

@Suite struct `Friends elsewhere` {
  private func read(_ title: String, rating: Double? = nil, in year: Int) -> ListEntry {
    var entry = ListEntry(item: ItemID(title), title: title)
    entry.rating = rating
    entry.readings = [.init(finished: PartialDate(year: year))]
    return entry
  }

  private func lists(_ reader: Reader) async throws -> [CustomList] {
    try await reader.lists.fromFriends(of: reader.patron)
  }

  @Test(arguments: Engine.allCases)
  func `friends' lists are fetched once a day and shown to their reader only`(
    _ engine: Engine
  ) async throws {
    try await Reader.play(engine) { reader in
      reader.room.change { state in
        state.friends["Dana"] = [
          read("Old", in: 1999), read("New", rating: 4, in: 2026),
        ]
      }
      try await reader.sync()
      #expect(try await reader.visitFriends() == 1)
      let list = try #require(try await lists(reader).first)
      #expect(list.friend == "Dana" && list.name == "room/Dana" && list.count == 2)
      let shown = try await reader.lists.shared(list.id, with: reader.patron)
      #expect(shown.members.map(\.book.title) == ["New", "Old"])
      #expect(shown.members.map(\.book.note) == ["Rated 4 of 5.", nil])

      // Theirs, and nobody else's to see or to change.
      #expect(try await reader.lists.fromFriends(of: PatronID("bob")).isEmpty)
      await #expect(throws: ListError.noSuchList) {
        _ = try await reader.lists.shared(list.id, with: PatronID("bob"))
      }
      await #expect(throws: ListError.noSuchList) {
        _ = try await reader.lists.rename(list.id, of: reader.patron, to: "mine")
      }
      #expect(
        try await reader.lists.lists(of: reader.patron).allSatisfy { $0.friend == nil })

      #expect(try await reader.visitFriends() == nil, "once a day is enough")
      reader.clock.pass(21 * 3_600_000)
      reader.room.change { $0.friends["Dana"] = [read("Newer", in: 2026)] }
      #expect(try await reader.visitFriends() == 1)
      #expect(try await lists(reader).map(\.count) == [1])
    }
  }

  @Test func `Friends elsewhere are forgotten after a day that nobody heard of them`() async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.change { $0.friends["Dana"] = [read("Old", in: 1999)] }
      try await reader.sync()
      _ = try await reader.visitFriends()
      reader.clock.pass(25 * 3_600_000)
      reader.room.change { $0.failure = .providerUnavailable }
      await #expect(throws: MirrorError.self) { _ = try await reader.visitFriends() }
      #expect(try await lists(reader).isEmpty)
    }
  }

  @Test
  func `a friend with a private profile is skipped when friends' lists are fetched`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.change { state in
        state.friends["Dana"] = [read("Old", in: 1999)]
        state.isFriendPrivate = true
      }
      try await reader.sync()
      #expect(try await reader.visitFriends() == 0)
    }
  }

  @Test func `Friends elsewhere go with the account`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.change { $0.friends["Dana"] = [read("Old", in: 1999)] }
      try await reader.sync()
      _ = try await reader.visitFriends()
      try await reader.unlink()
      #expect(try await lists(reader).isEmpty)
    }
  }
}
