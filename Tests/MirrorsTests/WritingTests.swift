import Circulation
import Database
import FoundationEssentials
import ReadingLists
import TestSupport
import Testing

@testable import Mirrors

private let isbn = "9780141439587"

@Suite struct `What a reader does here` {
  @Test(arguments: Engine.allCases)
  func `What a reader does here: is written there once, read back and noted`(_ engine: Engine)
    async throws
  {
    try await Reader.play(engine) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      try await reader.remove("Emma", from: "to-read")
      try await reader.add("Emma", to: "read")
      #expect(try await reader.mirrors.standing(of: reader.account).waiting == 2)
      let outcome = try await reader.sync()
      #expect(reader.room.written == ["move 1 to-read read"])
      #expect(outcome.writes.map(\.state) == [.done])
      #expect(outcome.writes.first?.before.lists == [ListID("to-read")])
      #expect(reader.room["1"]?.lists == [ListID("read")])
      #expect(try await reader.mirrors.standing(of: reader.account).waiting == 0)
      let again = try await reader.sync()
      #expect(again.writes.isEmpty && again.arrived.isEmpty && again.left.isEmpty)
      #expect(try await reader.titles(on: "read") == ["Emma"])
      #expect(reader.room.written.count == 1)
    }
  }

  @Test func `What a reader does here: is only said in a rehearsal`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      try await reader.add("Emma", to: "sea")
      reader.room.put("2", "Persuasion", on: ["read"])
      let outcome = try await reader.sync(rehearsal: true)
      #expect(outcome.planned.map(\.title) == ["Emma"])
      #expect(outcome.planned.map(\.deed) == [.add(ListID("sea"))])
      #expect(outcome.arrived == ["Persuasion (read)"])
      #expect(reader.room.written.isEmpty)
      #expect(try await reader.titles(on: "read").isEmpty)
    }
  }

  @Test
  func `a mirrored change finds its book by ISBN, or by title only if the author agrees`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      try await reader.sync()
      reader.room.change { state in
        var known = ListEntry(item: ItemID("7"), title: "Emma: A Novel")
        known.isbns = [ISBN(isbn)].compactMap(\.self)
        state.stock[ItemID("7")] = known
        var alike = ListEntry(item: ItemID("8"), title: "Persuasion")
        alike.authors = ["Ann Author"]
        state.stock[ItemID("8")] = alike
        var other = ListEntry(item: ItemID("9"), title: "Sanditon")
        other.authors = ["Somebody Else"]
        state.stock[ItemID("9")] = other
      }
      try await reader.add("Emma", to: "to-read", isbn: isbn)
      try await reader.add("Persuasion", to: "to-read")
      try await reader.add("Sanditon", to: "to-read")
      let outcome = try await reader.sync()
      #expect(reader.room.written.sorted() == ["add 7 to-read", "add 8 to-read"])
      #expect(outcome.unfound == ["Sanditon"])
      #expect(
        try await reader.titles(on: "to-read").count == 3, "what nobody knows there stays here")
    }
  }

  @Test func `What a reader does here: goes on where it was interrupted`() async throws {
    try await Reader.play(.sqlite) { reader in
      for number in 1...4 { reader.room.put("\(number)", "Book \(number)", on: ["to-read"]) }
      try await reader.sync()
      for number in 1...4 { try await reader.add("Book \(number)", to: "sea") }
      reader.room.change { $0.patience = 2 }
      let first = try await reader.sync()
      #expect(first.trouble?.reason == .providerUnavailable)
      #expect(first.writes.map(\.state) == [.done, .done, .failed])
      reader.room.change { $0.patience = .max }
      #expect(try await reader.sync().writes.map(\.state) == [.done, .done])
      #expect(reader.room.written.count == 4 && Set(reader.room.written).count == 4)
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader does here: is not done twice when nobody heard that it was done`(
    _ engine: Engine
  ) async throws {
    try await Reader.play(engine) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      try await reader.remove("Emma", from: "to-read")
      try await reader.add("Emma", to: "read")
      reader.room.change { $0.swallowsAnswers = true }
      #expect(try await reader.sync().trouble?.reason == .providerUnavailable)
      #expect(reader.room["1"]?.lists == [ListID("read")])
      reader.room.change { $0.swallowsAnswers = false }
      let next = try await reader.sync()
      #expect(next.writes.isEmpty && next.conflicts.isEmpty, "\(next)")
      #expect(reader.room.written == ["move 1 to-read read"])
      #expect(try await reader.titles(on: "read") == ["Emma"])
      #expect(try await reader.titles(on: "to-read").isEmpty)
      #expect(try await reader.mirrors.standing(of: reader.account).waiting == 0)
    }
  }

  @Test func `What a reader does here: is refused to a second one who would sync at the same time`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      try await reader.sync()
      try await reader.store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE mirror_account SET busy_until = \(reader.clock.now + 60_000)")
      }
      await #expect(throws: MirrorError.busy) { try await reader.sync() }
      // Who is silent for too long was killed.
      reader.clock.pass(60_001)
      try await reader.sync()
    }
  }

  @Test
  func `a list change made here wins over an older one at the service and yields to a later one`()
    async throws
  {
    for isOurs in [true, false] {
      try await Reader.play(.sqlite) { reader in
        reader.room.put("1", "Emma", on: ["to-read"])
        try await reader.sync()
        reader.room.alter("1") { $0.lists = [ListID("reading")] }
        reader.clock.pass(isOurs ? 100_000 : -900)
        try await reader.remove("Emma", from: "to-read")
        try await reader.add("Emma", to: "read")
        let outcome = try await reader.sync()
        #expect(outcome.conflicts.map(\.stands) == [isOurs ? .here : .there])
        #expect(reader.room["1"]?.lists == [ListID(isOurs ? "read" : "reading")])
        #expect(try await reader.titles(on: isOurs ? "read" : "reading") == ["Emma"])
        #expect(try await reader.titles(on: isOurs ? "reading" : "read").isEmpty)
        #expect(try await reader.sync().conflicts.isEmpty)
      }
    }
  }

  @Test func `What a reader does here: takes nothing away that was put elsewhere there`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      reader.room.alter("1") { $0.lists = [ListID("read")] }
      try await reader.remove("Emma", from: "to-read")
      let outcome = try await reader.sync()
      #expect(outcome.writes.isEmpty && outcome.conflicts.map(\.stands) == [.there])
      #expect(reader.room["1"]?.lists == [ListID("read")])
      #expect(try await reader.titles(on: "read") == ["Emma"])
    }
  }

  @Test
  func `a book removed from its state list alone stays there, and from all lists is deleted`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["read", "sea"])
      try await reader.sync()
      try await reader.remove("Emma", from: "read")
      #expect(try await reader.sync().writes.isEmpty)
      #expect(try await reader.titles(on: "read") == ["Emma"])
      try await reader.remove("Emma", from: "read")
      try await reader.remove("Emma", from: "sea")
      for _ in 1...2 { try await reader.sync() }
      #expect(reader.room["1"] == nil)
      #expect(try await reader.titles(on: "sea").isEmpty)
    }
  }

  @Test func `What a reader does here: does not stay where the service takes nothing`() async throws
  {
    var terms = ListTerms.strict
    terms.entries = .told
    try await Reader.play(.sqlite, terms) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      try await reader.sync()
      try await reader.remove("Emma", from: "to-read")
      let outcome = try await reader.sync()
      #expect(outcome.writes.isEmpty && outcome.arrived.count == 1)
      #expect(try await reader.titles(on: "to-read") == ["Emma"])
      #expect(try await reader.sync().arrived.isEmpty && reader.room.written.isEmpty)
    }
  }

  @Test func `What a reader does here: goes on behind a book that the service chokes on`()
    async throws
  {
    try await Reader.play(.sqlite) { reader in
      for number in 1...3 { reader.room.put("\(number)", "Title \(number)", on: ["to-read"]) }
      try await reader.sync()
      for number in 1...3 { try await reader.add("Title \(number)", to: "sea") }
      reader.room.change { $0.chokesOn = [ItemID("2")] }
      let outcome = try await reader.sync()
      #expect(outcome.trouble == nil)
      #expect(outcome.writes.map(\.state) == [.done, .failed, .done])
      reader.room.change { $0.chokesOn = [] }
      #expect(try await reader.sync().writes.map(\.state) == [.done])
    }
  }

  @Test func `What a reader does here: can be undone, write by write`() async throws {
    try await Reader.play(.sqlite) { reader in
      reader.room.put("1", "Emma", on: ["to-read"])
      reader.room.alter("1") { $0.rating = 2 }
      try await reader.sync()
      try await reader.remove("Emma", from: "to-read")
      try await reader.add("Emma", to: "read")
      let moved = try #require(try await reader.sync().writes.first)
      _ = try await reader.mirrors.undo(moved.id, of: [reader.account])
      try await reader.sync()
      #expect(reader.room["1"]?.lists == [ListID("to-read")] && reader.room["1"]?.rating == 2)
      #expect(try await reader.titles(on: "read").isEmpty)
      try await reader.remove("Emma", from: "to-read")
      let gone = try #require(try await reader.sync().writes.first)
      #expect(reader.room["1"] == nil)
      _ = try await reader.mirrors.undo(gone.id, of: [reader.account])
      try await reader.sync()
      #expect(reader.room["1"]?.lists == [ListID("to-read")] && reader.room["1"]?.rating == 2)
      await #expect(throws: MirrorError.noSuchWrite) {
        _ = try await reader.mirrors.undo(4711, of: [reader.account])
      }
    }
  }
}
