import Circulation
import StoreSupport
import TestSupport
import Testing

@testable import ReadingLists

private let ada = PatronID("ada")

private func row(
  _ item: String, _ title: String, _ isbns: [String] = [], by author: String? = "Ada Quill",
  rating: Double? = nil
) -> KeptEntry {
  var entry = ListEntry(item: ItemID(item), title: title)
  entry.authors = author.map { [$0] } ?? []
  entry.isbns = isbns.compactMap { ISBN($0) }
  entry.rating = rating
  return KeptEntry(entry)
}

private let (one, two) = ("9780141439600", "9780141439587")

@Suite struct `Rows of a file that are taken onto a list` {
  private func withList<R>(
    _ engine: Engine, _ body: (ReadingLists, ListID) async throws -> R
  ) async throws -> R {
    try await withStore(engine) { store, clock in
      let lists = ReadingLists(store: store, now: { clock.now })
      return try await body(lists, try await lists.create(named: "Mine", for: ada).id)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Rows of a file that are taken onto a list change nothing when they come again`(
    engine: Engine
  ) async throws {
    try await withList(engine) { lists, list in
      let rows = [
        row("x:1", "Tidewrack", [one]), row("x:2", "Tidewrack, again", [one]),
        row("file:", "Saltmarsh\nand more", by: "Bo\nReed"), row("isbn:", "", [two], by: nil),
      ]
      #expect(try await lists.weigh(rows, into: list, of: ada).count(.new) == 4)
      #expect(try await lists.list(list, of: ada).count == 0)
      #expect(try await lists.take(rows, into: list, of: ada).count(.new) == 4)
      let before = try await lists.list(list, of: ada)
      #expect(try await lists.take(rows, into: list, of: ada).count(.same) == 4)
      #expect(try await lists.list(list, of: ada) == before)
      let members = try await lists.members(of: list, of: ada)
      #expect(members.map(\.place) == [1, 2, 3, 4])
      #expect(members.last?.book.title == "ISBN \(two)")
      #expect(members.map(\.book.entry) == rows)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Rows of a file that are taken onto a list update what was put right`(engine: Engine)
    async throws
  {
    try await withList(engine) { lists, list in
      let rows = [row("x:1", "Tidewrack", [one], rating: 3), row("x:2", "Saltmarsh")]
      _ = try await lists.take(rows, into: list, of: ada)
      let right = [row("x:1", "Tidewrack", [one]), row("x:2", "Saltmarsh"), row("x:3", "New")]
      let tally = try await lists.take(right, into: list, of: ada)
      #expect(tally.outcomes == [.changed, .same, .new])
      let members = try await lists.members(of: list, of: ada)
      #expect(members.map(\.book.entry) == right)
      #expect(members[0].version == 2 && members[1].version == 1)
    }
  }

  @Test
  func `imported list rows are matched by number, by ISBN, and by title and author`() async throws {
    try await withList(.sqlite) { lists, list in
      _ = try await lists.take(
        [row("x:1", "Tidewrack", [one]), row("x:2", "Saltmarsh"), row("x:3", "Fen", [two])],
        into: list, of: ada)
      let tally = try await lists.take(
        [
          row("x:1", "Renamed", [one]), row("x:9", "SALT-MARSH!"), row("y:1", "Fens", [two]),
          row("x:10", "Saltmarsh", by: "Somebody Else"),
        ], into: list, of: ada)
      #expect(tally.outcomes == [.changed, .changed, .changed, .new])
    }
  }

  @Test
  func `imported list rows from another service add to an entry and remove nothing`() async throws {
    try await withList(.sqlite) { lists, list in
      _ = try await lists.take([row("x:1", "Tidewrack", [one], rating: 3)], into: list, of: ada)
      let other = [row("y:", "Tidewrack", [two, one])]
      #expect(try await lists.take(other, into: list, of: ada).outcomes == [.changed])
      #expect(try await lists.take(other, into: list, of: ada).outcomes == [.same])
      let entry = try await lists.members(of: list, of: ada)[0].book.entry?.entry
      #expect(entry?.rating == 3 && entry?.isbns.count == 2 && entry?.item.rawValue == "x:1")
    }
  }

  @Test func `an imported list row keeps the work and note of the same book`() async throws {
    try await withList(.sqlite) { lists, list in
      let work = WorkID("w1")
      let put = ListedBook(work: work, title: "Tidewrack", authors: ["Ada Quill"], note: "mine")
      _ = try await lists.add(put, to: list, of: ada)
      _ = try await lists.take([row("x:1", "Tidewrack")], into: list, of: ada)
      let book = try await lists.members(of: list, of: ada)[0].book
      #expect(book.work == work && book.note == "mine" && book.entry != nil)
      _ = try await lists.take([row("x:1", "Another book", [one])], into: list, of: ada)
      #expect(try await lists.members(of: list, of: ada)[0].book.work == nil)
    }
  }

  @Test
  func `an imported list row that is too long is refused, and the others are imported`()
    async throws
  {
    try await withList(.sqlite) { lists, list in
      let long = row("x:1", String(repeating: "x", count: 2_001))
      let tally = try await lists.take([long, row("x:2", "Fen")], into: list, of: ada)
      #expect(tally.outcomes == [.refused("it is too long"), .new])
      let stranger = await #expect(throws: ListError.self) {
        try await lists.take([], into: list, of: PatronID("bob"))
      }
      #expect(stranger == .noSuchList)
    }
  }

  @Test(arguments: 1...60)
  func `Rows of a file that are taken onto a list settle after one time, whatever they are`(
    seed: Int
  ) throws {
    var state = UInt64(seed)
    func pick<T>(_ from: [T]) -> T {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return from[Int((state >> 33) % UInt64(from.count))]
    }
    func rows() -> [KeptEntry] {
      let made = (0..<12).map { _ in
        row(
          pick(["x:1", "x:2", "x:3", "y:1", "x:", "file:", "isbn:", ""]),
          pick(["Tidewrack", "tide wrack", "Fen", "Saltmarsh"]),
          pick([[], [one], [two], [two, one]]),
          by: pick(["Ada Quill", "Bo Reed", nil]), rating: pick([nil, 3, 4.25]))
      }
      // As a file gives them: each book once.
      var seen: Set<String> = []
      return made.filter { seen.insert($0.ownKey).inserted }
    }
    var there: [ListMember] = []
    func take(_ rows: [KeptEntry]) -> ReadingLists.Tally {
      let plan = Plan(rows, beside: there)
      for (id, book) in plan.changed {
        guard let place = there.firstIndex(where: { $0.id == id }) else { continue }
        there[place] = member(id, book, place + 1)
      }
      for book in plan.new { there.append(member("\(there.count)", book, there.count + 1)) }
      return plan.tally
    }
    let (first, second) = (rows(), rows())
    _ = take(first)
    #expect(take(first).count(.same) == first.count)
    _ = take(second)
    #expect(take(second).count(.same) == second.count)
  }

  private func member(_ id: String, _ book: ListedBook, _ place: Int) -> ListMember {
    ListMember(
      id: id, list: ListID("l"), book: book, place: place, addedAt: 0, editedAt: 0, version: 1)
  }
}
