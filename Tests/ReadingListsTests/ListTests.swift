import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import ReadingLists

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

private func error(_ body: () async throws -> Void) async -> ListError? {
  await #expect(throws: ListError.self) { try await body() }
}

private func book(_ work: String?, _ title: String = "Emma", note: String? = nil) -> ListedBook {
  ListedBook(
    work: work.map { WorkID($0) }, title: title, authors: ["Jane Austen", "A\nB"],
    isbns: [ISBN("9780141439587")].compactMap { $0 }, note: note)
}

private func withLists<R>(
  _ engine: Engine, _ body: (ReadingLists, Clock) async throws -> R
) async throws -> R {
  try await withStore(engine) { store, clock in
    try await body(ReadingLists(store: store, now: { clock.now }), clock)
  }
}

@Suite struct `A custom list` {
  @Test(arguments: Engine.allCases)
  func `A custom list is made, renamed and deleted by its own reader`(engine: Engine) async throws {
    try await withLists(engine) { lists, clock in
      let list = try await lists.create(named: "  To   read ", for: ada)
      #expect(list.name == "To read" && list.count == 0 && list.version == 1)
      #expect(try await lists.lists(of: ada) == [list])
      #expect(try await lists.lists(of: bob).isEmpty)
      clock.advance(by: 5)
      let renamed = try await lists.rename(list.id, of: ada, to: "Later")
      #expect(renamed.name == "Later" && renamed.version == 2)
      #expect(renamed.editedAt == list.editedAt + 5 && renamed.madeAt == list.madeAt)
      for attempt in [
        await error { _ = try await lists.rename(list.id, of: bob, to: "Mine") },
        await error { try await lists.delete(list.id, of: bob) },
        await error { _ = try await lists.list(list.id, of: bob) },
        await error { _ = try await lists.members(of: list.id, of: bob) },
        await error { _ = try await lists.add(book("w1"), to: list.id, of: bob) },
      ] {
        #expect(attempt == .noSuchList)
      }
      _ = try await lists.add(book("w1"), to: list.id, of: ada)
      try await lists.delete(list.id, of: ada)
      #expect(try await lists.lists(of: ada).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A custom list has a name of its own, and can be given its own again`(engine: Engine)
    async throws
  {
    try await withLists(engine) { lists, _ in
      let one = try await lists.create(named: "One", for: ada)
      let two = try await lists.create(named: "Two", for: ada)
      #expect(
        await error { _ = try await lists.create(named: "ONE", for: ada) } == .nameTaken("ONE"))
      #expect(
        await error { _ = try await lists.rename(two.id, of: ada, to: "one") } == .nameTaken("one"))
      #expect(try await lists.rename(one.id, of: ada, to: "ONE").name == "ONE")
      _ = try await lists.create(named: "One", for: bob)
      for name in ["", "  ", "a\u{0}b", String(repeating: "x", count: 201)] {
        #expect(await error { _ = try await lists.create(named: name, for: ada) } == .badName)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A custom list keeps its books in order, and each once`(engine: Engine) async throws {
    try await withLists(engine) { lists, clock in
      let list = try await lists.create(named: "One", for: ada).id
      var words: [String] = []
      for work in ["w1", "w2", "w3", "w4"] {
        clock.advance(by: 1)
        let added = try await lists.add(
          book(work, note: work), to: list, of: ada, hint: "Émma \(work)!")
        guard case .new(let member) = added else {
          Issue.record("\(added)")
          return
        }
        #expect(member.book.authors == ["Jane Austen", "A\nB"] && member.version == 1)
        words.append(member.id)
      }
      #expect(words == ["mma-w1", "mma-w2", "mma-w3", "mma-w4"])
      let again = try await lists.add(book("w2", "Other"), to: list, of: ada)
      #expect(again == .there(try await lists.member("mma-w2", of: list, of: ada)))
      _ = try await lists.change("mma-w4", of: list, of: ada, note: nil, place: 2)
      #expect(try await order(lists, list) == ["w1", "w4", "w2", "w3"])
      _ = try await lists.change("mma-w1", of: list, of: ada, note: nil, place: 99)
      #expect(try await order(lists, list) == ["w4", "w2", "w3", "w1"])
      try await lists.remove("mma-w2", of: list, of: ada)
      let members = try await lists.members(of: list, of: ada)
      #expect(members.map(\.place) == [1, 2, 3])
      #expect(members[0].book.authors == ["Jane Austen", "A B"])
      #expect(members[0].book.isbns == [ISBN("9780141439587")])
      #expect(try await lists.list(list, of: ada).count == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A custom list takes books that no library has, and tells the last edited first`(
    engine: Engine
  ) async throws {
    try await withLists(engine) { lists, clock in
      let list = try await lists.create(named: "One", for: ada).id
      for title in ["A", "B", "C"] {
        clock.advance(by: 1)
        _ = try await lists.add(book(nil, title), to: list, of: ada, hint: title)
      }
      clock.advance(by: 1)
      _ = try await lists.change("a", of: list, of: ada, note: "fine")
      var titles: [String] = []
      for from in [0, 2] {
        titles += try await lists.members(
          of: list, of: ada, by: .lastEdited, from: from, atMost: 2
        ).map(\.book.title)
      }
      #expect(titles == ["A", "C", "B"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A custom list is not changed by whoever saw an older one`(engine: Engine) async throws {
    try await withLists(engine) { lists, _ in
      let list = try await lists.create(named: "One", for: ada).id
      _ = try await lists.add(book("w1", note: "first"), to: list, of: ada, hint: "a")
      let second = try await lists.change("a", of: list, of: ada, note: "second", ifVersion: 1)
      #expect(second.version == 2)
      let version = try await lists.list(list, of: ada).version
      #expect(
        await error {
          _ = try await lists.change("a", of: list, of: ada, note: "third", ifVersion: 1)
        } == .changedSince(version: 2))
      #expect(
        await error { try await lists.remove("a", of: list, of: ada, ifVersion: 1) }
          == .changedSince(version: 2))
      #expect(try await lists.member("a", of: list, of: ada) == second)
      #expect(try await lists.list(list, of: ada).version == version)
      #expect(
        await error { try await lists.remove("b", of: list, of: ada) } == .noSuchMember)
      try await lists.remove("a", of: list, of: ada, ifVersion: 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A custom list gives each of many who add at once a place of their own`(engine: Engine)
    async throws
  {
    try await withLists(engine) { lists, _ in
      let list = try await lists.create(named: "One", for: ada).id
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            _ = try await lists.add(book("w\(number / 2)"), to: list, of: ada, hint: "same")
          }
        }
        try await group.waitForAll()
      }
      let members = try await lists.members(of: list, of: ada)
      #expect(members.map(\.place) == [1, 2, 3, 4])
      #expect(Set(members.map(\.id)).count == 4)
    }
  }

  @Test func `A custom list refuses what is longer than anybody's`() async throws {
    try await withLists(.sqlite) { lists, _ in
      let list = try await lists.create(named: "One", for: ada).id
      let long = String(repeating: "x", count: 20_001)
      for book in [
        book("w1", note: long), book("w1", long),
        ListedBook(work: nil, title: "a", authors: Array(repeating: "b", count: 101)),
      ] {
        #expect(await error { _ = try await lists.add(book, to: list, of: ada) } == .tooLong)
      }
      let odd = ListedBook(work: nil, title: "a\u{0}b", authors: ["\u{0}"], note: "c\u{0}")
      let kept = try await lists.add(odd, to: list, of: ada).member.book
      #expect(kept.title == "ab" && kept.authors.isEmpty && kept.note == "c")
    }
  }

  private func order(_ lists: ReadingLists, _ list: ListID) async throws -> [String?] {
    try await lists.members(of: list, of: ada).map(\.book.work?.rawValue)
  }
}

@Suite struct `The word of a book on a list` {
  @Test(arguments: [
    ("Pride and Prejudice", "pride-and-prejudice"), ("  --x--  ", "x"), ("図書館", ""), ("", ""),
    (String(repeating: "abc ", count: 40), String(repeating: "abc-", count: 14) + "abc"),
  ])
  func `The word of a book on a list is made of what was wished for`(wish: String, word: String) {
    #expect(MemberWord.stem(of: wish) == word)
  }
}
