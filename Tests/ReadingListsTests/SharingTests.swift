import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import ReadingLists

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

@Suite struct `A list that others may see` {
  private func play(
    _ engine: Engine, _ body: (ReadingLists, Clock) async throws -> Void
  ) async throws {
    try await withStore(engine) { store, clock in
      try await body(ReadingLists(store: store, now: { clock.now }), clock)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a shared list is seen by those its owner chose and by no one else`(engine: Engine)
    async throws
  {
    try await play(engine) { lists, clock in
      for sharing in CustomList.Sharing.allCases {
        clock.advance(by: 1)
        let list = try await lists.create(named: sharing.rawValue, for: ada, sharing: sharing)
        #expect(list.sharing == sharing && list.curator == nil)
        _ = try await lists.add(
          ListedBook(work: WorkID("w1"), title: "Emma", note: "fine"), to: list.id, of: ada)
      }
      #expect(try await lists.fromFriends(of: bob).map(\.name) == ["everyone", "friends"])
      #expect(try await lists.fromFriends(of: ada).isEmpty)
      #expect(try await lists.curated(for: bob).isEmpty)
      for list in try await lists.lists(of: ada) {
        let forBob = list.sharing != .private
        let forStrangers = list.sharing == .everyone
        #expect(await sees(lists, list.id, bob) == forBob, "\(list.name)")
        #expect(await sees(lists, list.id, nil) == forStrangers, "\(list.name)")
      }
    }
  }

  private func sees(_ lists: ReadingLists, _ id: ListID, _ reader: PatronID?) async -> Bool {
    do {
      return try await lists.shared(id, with: reader).members.map(\.book.note) == ["fine"]
    } catch {
      #expect(error == .noSuchList)
      return false
    }
  }

  @Test(arguments: Engine.allCases)
  func `a librarian's list is shown under the librarian's name, also to its own reader`(
    engine: Engine
  ) async throws {
    try await play(engine) { lists, clock in
      let draft = try await lists.create(named: "Draft", for: ada, by: " Ms.  Oak ")
      #expect(draft.curator == "Ms. Oak")
      #expect(try await lists.curated(for: ada).isEmpty)
      clock.advance(by: 1)
      let shown = try await lists.share(draft.id, of: ada, with: .everyone, by: "Ms. Oak")
      #expect(shown.sharing == .everyone && shown.version == draft.version + 1)
      clock.advance(by: 1)
      _ = try await lists.create(named: "Readers", for: bob, sharing: .friends, by: "Mr. Elm")
      #expect(try await lists.curated(for: ada).map(\.name) == ["Readers", "Draft"])
      #expect(try await lists.curated(for: bob).map(\.name) == ["Readers", "Draft"])
      #expect(try await lists.curated(for: nil).map(\.name) == ["Draft"])
      #expect(try await lists.fromFriends(of: bob).isEmpty)
      _ = try await lists.share(draft.id, of: ada, with: .private)
      #expect(try await lists.curated(for: nil).isEmpty)
      await #expect(throws: ListError.noSuchList) {
        try await lists.share(draft.id, of: bob, with: .everyone)
      }
      await #expect(throws: ListError.badName) {
        try await lists.share(draft.id, of: ada, with: .everyone, by: " ")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A list that others may see is found by its name in any case, or by its id`(engine: Engine)
    async throws
  {
    try await play(engine) { lists, _ in
      let list = try await lists.create(named: "To Read", for: ada)
      #expect(try await lists.list(called: " to  READ", of: ada) == list)
      #expect(try await lists.list(called: list.id.rawValue, of: ada) == list)
      // A name that looks like another's id is still the name.
      let odd = try await lists.create(named: list.id.rawValue, for: ada)
      #expect(try await lists.list(called: list.id.rawValue, of: ada) == odd)
      for word in ["", "other", "a\u{0}"] {
        await #expect(throws: ListError.noSuchList) {
          try await lists.list(called: word, of: ada)
        }
      }
      await #expect(throws: ListError.noSuchList) {
        try await lists.list(called: "To Read", of: bob)
      }
    }
  }
}
