import Circulation
import StoreSupport
import TestSupport
import Testing

@testable import ReadingLists

private let ada = PatronID("ada")

@Suite struct `Books that came from elsewhere` {
  @Test(arguments: Engine.allCases)
  func `listed books are matched until found, and again when the catalog changes`(
    _ engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let lists = ReadingLists(store: store, now: { clock.now })
      let list = try await lists.create(named: "l", for: ada)
      for title in ["Emma", "Tides", "Salt"] {
        _ = try await lists.add(ListedBook(work: nil, title: title), to: list.id, of: ada)
      }
      _ = try await lists.add(
        ListedBook(work: WorkID("w9"), title: "Known"), to: list.id, of: ada)
      let open = try await lists.unrecognized(since: "1")
      #expect(open.map(\.book.title).sorted() == ["Emma", "Salt", "Tides"])
      #expect(try await lists.unrecognized(since: "1", of: ada) == open)
      #expect(try await lists.unrecognized(since: "1", of: PatronID("bob")).isEmpty)
      let before = try await lists.list(list.id, of: ada).version
      let words: [String: ListMember.Recognized] = [
        "Emma": .sure(WorkID("w1")), "Tides": .unsure, "Salt": .none,
      ]
      try await lists.note(
        open.map { (member: $0, as: words[$0.book.title] ?? .none) }, at: "1")
      #expect(try await lists.list(list.id, of: ada).version == before + 1)
      #expect(try await lists.unrecognized(since: "1").isEmpty)
      #expect(try await lists.unrecognized(since: "2").count == 2, "what is sure stays")

      let members = try await lists.members(of: list.id, of: ada)
      #expect(members.map(\.work?.rawValue) == ["w1", nil, nil, "w9"])
      #expect(
        members.map(\.recognized) == [
          .sure(WorkID("w1")), .unsure, ListMember.Recognized.none, nil,
        ])

      try await lists.follow([WorkID("w1"): WorkID("w2")])
      #expect(try await lists.recognizedWorks() == [WorkID("w2")])
      try await lists.remove(members[0].id, of: list.id, of: ada)
      try await lists.sweepRecognized()
      #expect(try await lists.recognizedWorks().isEmpty)
    }
  }
}
