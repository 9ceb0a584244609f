import Catalog
import Circulation
import Database
import Synchronization
import TestSupport
import Testing

@Suite struct `A harvest` {
  private static let titles = [["a", "b"], ["c", "d"], ["e", "f"], ["g"]]

  @Test(arguments: Engine.allCases)
  func `A harvest brings every title of every page`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let tally = try await catalog.harvest(StubLender(titles: Self.titles))
      #expect(tally.added == 7)
      #expect(tally.pages == 4)
      #expect(tally.isComplete && tally.isWhole && !tally.wasResumed)
      #expect(try await catalog.found("title").sorted() == ["a", "b", "c", "d", "e", "f", "g"])
    }
  }

  @Test(arguments: Engine.allCases, 0...3)
  func `A harvest that broke off goes on at the page that failed`(engine: Engine, page: Int)
    async throws
  {
    try await withCatalog(engine) { catalog, store in
      let stub = StubLender(titles: Self.titles)
      stub.fail(at: [page])
      await #expect(throws: HarvestFailure.self) { try await catalog.harvest(stub) }
      stub.fail(at: [])
      // Another process, as after a kill: nothing is remembered but what the database keeps.
      let tally = try await Catalog(store: store, now: { 2_000 }).harvest(stub, full: false)
      #expect(tally.isComplete && tally.wasResumed)
      #expect(tally.added == Self.titles.dropFirst(page).joined().count)
      let failed = page == 0 ? "" : "\(page)"
      let expected: [String] = ["", "1", "2", "3"].flatMap { (at: String) -> [String] in
        at == failed ? [at, at] : [at]
      }
      #expect(stub.asked == expected)
      #expect(try await catalog.found("title").sorted() == ["a", "b", "c", "d", "e", "f", "g"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest that broke off and went on has met the titles of both halves`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(StubLender(titles: Self.titles))
      for _ in 0..<2 {
        let stub = StubLender(titles: Self.titles)
        stub.fail(at: [2])
        await #expect(throws: HarvestFailure.self) { try await catalog.harvest(stub) }
        stub.fail(at: [])
        let tally = try await catalog.harvest(stub, full: false)
        #expect((tally.missing, tally.dropped) == (0, 0))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest asked to start anew does so also when one is under way`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let stub = StubLender(titles: Self.titles)
      stub.fail(at: [2])
      await #expect(throws: HarvestFailure.self) { try await catalog.harvest(stub) }
      stub.fail(at: [])
      let tally = try await catalog.harvest(stub, full: true)
      #expect(!tally.wasResumed)
      #expect((tally.added, tally.unchanged) == (3, 4))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest says why it broke off`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ async throws in
      let stub = StubLender(titles: Self.titles)
      stub.fail(at: [1])
      let expected = CirculationError(.providerUnavailable, from: lender, during: .harvest)
      await #expect(throws: HarvestFailure.provider(expected)) { try await catalog.harvest(stub) }
      #expect(try await catalog.tally(of: town).isUnderWay)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest done twice changes nothing`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(StubLender(titles: Self.titles))
      let tally = try await catalog.harvest(StubLender(titles: Self.titles))
      #expect((tally.added, tally.changed, tally.unchanged) == (0, 0, 7))
      #expect(try await catalog.found("title").count == 7)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest reads only changes once it knows where they start`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let first = StubLender(
        [[.listed(edition("a", "Old")), .listed(edition("b", "Kept"))]], next: HarvestCursor("0"))
      try await catalog.harvest(first)
      let second = StubLender([
        [.listed(edition("a", "New")), .listed(edition("c", "Added")), .removed(ItemID("x"))]
      ])
      let tally = try await catalog.harvest(second, full: false)
      #expect(second.asked == ["0"])
      #expect((tally.added, tally.changed, tally.removed) == (1, 1, 0))
      #expect(!tally.isWhole && tally.isComplete)
      #expect(try await catalog.found("old").isEmpty)
      #expect(try await catalog.found("") == ["a", "b", "c"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest shows its progress after each page`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let seen = Mutex<[Int]>([])
      _ = try await catalog.harvest(
        town, from: StubLender(titles: Self.titles), full: true,
        call: { Call(patron: nil, deadline: .now + .seconds(30), requestID: "test") },
        progress: { tally in seen.withLock { $0.append(tally.listed) } })
      #expect(seen.withLock { $0 } == [2, 4, 6, 7])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest run by two at once brings each title once`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, store in
      let stub = StubLender(titles: (0..<20).map { page in (0..<3).map { "\(page)-\($0)" } })
      async let one = catalog.harvest(stub, full: false)
      async let other = Catalog(store: store, now: { 0 }).harvest(stub, full: false)
      let tallies = try await [one, other]
      #expect(tallies.contains { $0.isComplete })
      #expect(try await catalog.found("title", limit: 100).count == 60)
    }
  }

  /// A large catalogue must not gather in memory while the database is slow.
  @Test(arguments: Engine.allCases)
  func `A harvest asks for no more than one page ahead of the one it stores`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let stub = StubLender(titles: (0..<20).map { ["title \($0)"] })
      let ahead = Mutex<[Int]>([])
      _ = try await catalog.harvest(
        town, from: stub, full: true,
        call: { Call(patron: nil, deadline: .now + .seconds(30), requestID: "test") },
        progress: { tally in ahead.withLock { $0.append(stub.asked.count - tally.pages) } })
      #expect(ahead.withLock(\.self).count == 20)
      #expect(ahead.withLock(\.self).allSatisfy { $0 <= 1 })
      #expect(stub.asked == [""] + (1..<20).map { "\($0)" })
    }
  }

  @Test func `A harvest that is handed its own cursor back stops`() async throws {
    struct Stuck: CirculationProvider {
      static let capabilities: Set<Capability> = [.harvest]
      func describe() -> ProviderDescription {
        ProviderDescription(provider: lender, availabilityBatch: 25)
      }
      func harvest(from cursor: HarvestCursor?, in call: Call)
        async throws(CirculationError) -> HarvestPage
      { HarvestPage(changes: [], progress: .more(HarvestCursor("same"))) }
    }
    try await withCatalog(.sqlite) { catalog, _ in
      await #expect(throws: HarvestFailure.self) {
        _ = try await catalog.harvest(Stuck())
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest of a catalog that a patron named ends at twenty thousand titles`(
    engine: Engine
  ) async throws {
    let many = (0..<20_000).map { "t\($0)" }
    try await withCatalog(engine) { catalog, _ in
      let named = LibraryID("https://catalog.example/opds")
      let stub = StubLender(titles: [["a"], many] + (0..<9).map { ["b\($0)"] })
      let tally = try await catalog.harvest(stub, at: named)
      #expect((19_000...20_000).contains(tally.added))
      #expect(tally.isComplete && tally.warnings.count == 1)
      #expect(stub.asked.count < 9)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest of a catalog that a patron named ends after a quarter of an hour`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { _, store in
      let clock = Mutex<Int64>(0)
      let slow = Catalog(
        store: store,
        now: {
          clock.withLock { now in
            now += 6 * 60_000
            return now
          }
        })
      let titles = (0..<9).map { ["t\($0)"] }
      let named = try await slow.harvest(
        StubLender(titles: titles), at: LibraryID("https://catalog.example/opds"))
      #expect(named.isComplete && named.added < 9)
      #expect(try await slow.harvest(StubLender(titles: titles)).added == 9)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A harvest tells where it stands`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      #expect(try await catalog.tally(of: town) == CatalogTally())
      try await catalog.harvest(StubLender(titles: Self.titles))
      var expected = CatalogTally()
      expected.editions = 7
      expected.started = 1_000
      expected.ended = 1_000
      expected.completed = 1_000
      #expect(try await catalog.tally(of: town) == expected)
    }
  }
}
