import Circulation
import FoundationEssentials
import ReadingLists
import TestSupport
import Testing

@testable import Mirrors

@Suite struct `What is said of a book here` {
  private func said(_ rating: Double? = nil, _ finished: PartialDate? = nil, saved: Bool = false)
    -> CarriedBook
  {
    CarriedBook(
      library: LibraryID("city"), item: ItemID("x"), title: "Emma", authors: ["Ann Author"],
      rating: rating,
      finished: finished, isSaved: saved, saidAt: 2_000)
  }

  @Test(arguments: Engine.allCases)
  func `What is said of a book here: is carried on as far as the reader wants`(_ engine: Engine)
    async throws
  {
    try await Reader.play(engine) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      reader.room.alter("1") { $0.readings = [.init(finished: PartialDate(year: 2001))] }
      let book = said(3.6, PartialDate(year: 2026, month: 11, day: 22))
      try await reader.sync(carried: [book])
      #expect(reader.room.written.isEmpty, "nothing was said of carrying anything")
      try await reader.mirrors.carry([.finished, .rated], to: reader.account, of: reader.patron)
      let outcome = try await reader.sync(carried: [book])
      #expect(reader.room.written == ["move 1 to-read read", "rate 1", "note 1"])
      #expect(outcome.writes.map(\.state) == [.done, .roughly, .done])
      #expect(outcome.writes.map(\.note)[1] == "kept as 4.0")
      #expect(reader.room["1"]?.rating == 4 && reader.room["1"]?.lists == [ListID("read")])
      let ours = try #require(try await reader.member("Emma", on: "read")?.book.entry?.entry)
      #expect(ours.rating == 3.6, "what is kept more roughly there is kept as it was here")
      #expect(ours.readings.map { $0.finished?.description } == ["2001", "2026-11-22"])
      let again = try await reader.sync(carried: [book])
      #expect(again.writes.isEmpty && again.conflicts.isEmpty && again.changed == 0)
      #expect(reader.room.written.count == 3)
    }
  }

  @Test func `What is said of a book here: ends a reading that was begun there`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["reading"])
      reader.room.alter("1") { entry in
        entry.readings = [.init(started: PartialDate(year: 2026, month: 11, day: 1))]
      }
      try await reader.mirrors.carry([.finished], to: reader.account, of: reader.patron)
      try await reader.sync()
      reader.room.change { $0.clock = 1_000 }
      reader.room.alter("1") { _ in }
      let end = PartialDate(year: 2026, month: 11, day: 22)
      try await reader.sync(carried: [said(nil, end)])
      #expect(reader.room["1"]?.lists == [ListID("read")])
      #expect(
        reader.room["1"]?.readings == [
          .init(started: PartialDate(year: 2026, month: 11, day: 1), finished: end)
        ])
    }
  }

  @Test
  func `a book state sent late to a list service yields to newer changes there`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["reading"])
      reader.room.change { $0.clock = 9_000 }
      reader.room.alter("1") { $0.rating = 5 }
      try await reader.sync()
      try await reader.mirrors.carry([.finished, .rated], to: reader.account, of: reader.patron)
      let late = said(3, PartialDate(year: 2020, month: 1, day: 2))
      let outcome = try await reader.sync(carried: [late])
      #expect(outcome.conflicts.map(\.stands) == [.there])
      #expect(reader.room["1"]?.rating == 5 && reader.room["1"]?.lists == [ListID("reading")])
      #expect(try await reader.sync(carried: [late]).conflicts.isEmpty)
    }
  }

  @Test func `What is said of a book here: is carried on with the very first sync`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.mirrors.carry([.finished], to: reader.account, of: reader.patron)
      let day = PartialDate(year: 2026, month: 11, day: 22)
      let outcome = try await reader.sync(carried: [said(nil, day)])
      #expect(reader.room.written == ["move 1 to-read read", "note 1"])
      #expect(outcome.writes.count == 2 && outcome.wasWhole)
      #expect(try await reader.titles(on: "read") == ["Emma"])
    }
  }

  @Test func `What is said of a book here: is not carried back to wanting what was read`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["read"])
      try await reader.mirrors.carry([.saved], to: reader.account, of: reader.patron)
      try await reader.sync()
      #expect(try await reader.sync(carried: [said(saved: true)]).writes.isEmpty)
    }
  }

  @Test
  func `a book is added to its new list at a service before it leaves the old one`() async throws {
    try await Reader.play(.sqlite, .loose) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      try await reader.mirrors.carry([.finished], to: reader.account, of: reader.patron)
      try await reader.sync(carried: [said(nil, PartialDate(year: 2026))])
      #expect(reader.room.written == ["add 1 read", "remove 1 to-read"])
      #expect(try await reader.titles(on: "read") == ["Emma"])
      #expect(try await reader.titles(on: "to-read").isEmpty)
    }
  }
}
