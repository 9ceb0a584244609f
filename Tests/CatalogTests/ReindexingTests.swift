import Catalog
import Circulation
import Database
import Shelving
import Synchronization
import TestSupport
import Testing

/// What is left after each step, as it is told; whoever stops does so at the first word.
private final class Told: Sendable {
  private let lefts = Mutex<[Int]>([])

  var counts: [Int] { lefts.withLock(\.self) }

  func pass(over catalog: Catalog, stopping: Bool) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        do {
          try await catalog.indexWaiting { left in
            self.lefts.withLock { $0.append(left) }
            if stopping { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
          }
        } catch { Issue.record(error) }
      }
    }
  }
}

@Suite struct `A catalogue of an older program` {
  private static let shelf = [
    edition("barn", "The Barn and Its Owls", by: "Max Oak") { $0.popularity = 90 },
    edition("owl", "Owls", by: "Zoe Ash"),
    edition("life", "Owls of the Night", by: "Ada Elm") { $0.popularity = 50 },
    edition("left", "Owls That Left", by: "Ada Elm"),
  ]

  /// As it looks before this one has seen to it: words and places by other rules, and no faces.
  private func forgetIndex(_ store: Store) async throws {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM catalog_words")
      try tx.execute("DELETE FROM catalog_face")
      try tx.execute("UPDATE catalog_edition SET place = id")
      try tx.execute("UPDATE catalog_pulse SET described_by = 0, indexed_by = 0")
    }
  }

  private func number(_ sql: SQL, _ store: Store) async throws -> Int {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.value(sql) }
  }

  @Test(arguments: Engine.allCases)
  func `A catalogue of an older program is indexed anew, and finds what one of today finds`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.take(Self.shelf)
      try await catalog.harvest(StubLender([[.removed(ItemID("left"))]]), full: false)
      let expected = try await catalog.found("owls")
      #expect(expected == ["owl", "life", "barn"])
      try await forgetIndex(store)
      #expect(try await catalog.found("owls") == [])
      try await catalog.catchUp()
      #expect(try await catalog.found("owls") == expected)
      #expect(try await catalog.found("") == ["barn", "life", "owl"])
      // Nothing is left for the first lane to do.
      #expect(
        try await number("SELECT count(*) FROM catalog_face", store) == Self.shelf.count)
      #expect(
        try await number("SELECT described_by FROM catalog_pulse", store) == Genre.revision)
      let lane = Lane(id: "all", title: "All", .rule(LaneRule()))
      #expect(try await catalog.lane(LaneQuery(lane, libraries: [town])).total == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalogue of an older program goes on where it was stopped`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.take((0..<1300).map { edition("i\($0)", "Volume of Odds \($0)") })
      try await forgetIndex(store)
      let told = Told()
      for _ in 0..<3 { await told.pass(over: catalog, stopping: true) }
      #expect(told.counts == [800, 300])
      #expect(try await number("SELECT count(*) FROM catalog_words", store) == 1300)
      #expect(try await catalog.found("odds 1299") == ["i1299"])
      await told.pass(over: catalog, stopping: false)
      #expect(told.counts.count == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalogue of an older program begins again when it was on its way to other rules`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.take(Self.shelf)
      try await forgetIndex(store)
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE catalog_pulse SET renewing = 7, renewed_to = 1000000")
      }
      try await catalog.indexWaiting()
      #expect(try await catalog.found("owls").count == Self.shelf.count)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalogue of an older program takes new books in meanwhile`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.take((0..<600).map { edition("i\($0)", "Volume of Odds \($0)") })
      try await forgetIndex(store)
      try await catalog.take([edition("new", "Odds Anew"), edition("i3", "Odds Renamed")])
      #expect(try await catalog.found("odds").contains("new"))
      try await catalog.indexWaiting()
      #expect(try await catalog.found("odds anew") == ["new"])
      #expect(try await catalog.found("odds renamed") == ["i3"])
      #expect(try await catalog.found("odds 599") == ["i599"])
      #expect(try await number("SELECT count(*) FROM catalog_words", store) == 601)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A catalogue of an older program is not one that has just been made`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, store in
      try await catalog.indexWaiting { _ in Issue.record("there was nothing to do") }
      try await catalog.take(Self.shelf)
      try await catalog.indexWaiting { _ in Issue.record("there was nothing to do") }
      #expect(try await number("SELECT indexed_by FROM catalog_pulse", store) > 0)
    }
  }
}
