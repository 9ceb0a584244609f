import Catalog
import Circulation
import TestSupport
import Testing

@Suite struct `A title that left` {
  private func stub(_ numbers: Range<Int>) -> StubLender {
    StubLender(titles: [numbers.map { "n\($0)" }])
  }

  @Test(arguments: Engine.allCases)
  func `A title that left goes at once when its provider says so`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(stub(0..<3))
      let tally = try await catalog.harvest(StubLender([[.removed(ItemID("n1"))]]), full: false)
      #expect(tally.removed == 1)
      #expect(try await catalog.found("title").sorted() == ["n0", "n2"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left is still known to the shelf it is on`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(StubLender([[.listed(edition("n1", "Emma"))]]))
      try await catalog.harvest(StubLender([[.removed(ItemID("n1"))]]), full: false)
      let entry = try #require(try await catalog.edition(ItemID("n1"), at: town))
      #expect(entry.editions.map(\.edition.title) == ["Emma"])
      #expect(try await catalog.work(entry.work) == entry)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left and comes back is found again, as the same work`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let item = ItemID("n1")
      let listing = HarvestPage.Change.listed(edition("n1", "Emma"))
      try await catalog.harvest(StubLender([[listing]]))
      let before = try await catalog.edition(item, at: town)?.work
      try await catalog.harvest(StubLender([[.removed(item)]]), full: false)
      try await catalog.harvest(StubLender([[listing]]), full: false)
      #expect(try await catalog.found("emma") == ["n1"])
      #expect(try await catalog.edition(item, at: town)?.work == before)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left and came back within a page is there`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let listing = HarvestPage.Change.listed(edition("n1", "Emma"))
      try await catalog.harvest(StubLender([[listing, .removed(ItemID("n1")), listing]]))
      #expect(try await catalog.found("emma") == ["n1"])
      try await catalog.harvest(
        StubLender([[listing, .removed(ItemID("n1"))]]), full: false)
      #expect(try await catalog.found("emma") == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `the sweep removes a title that is missing from two complete harvests`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(stub(0..<5))
      let first = try await catalog.harvest(stub(0..<4))
      #expect((first.missing, first.dropped) == (1, 0))
      #expect(try await catalog.found("title").count == 5)
      #expect(try await catalog.tally(of: town).missing == 1)
      let second = try await catalog.harvest(stub(0..<4))
      #expect((second.missing, second.dropped) == (0, 1))
      #expect(try await catalog.found("title").count == 4)
      #expect(try await catalog.tally(of: town).editions == 4)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left and was met in between counts from anew`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      for numbers in [0..<5, 0..<4, 0..<5, 0..<4] { try await catalog.harvest(stub(numbers)) }
      #expect(try await catalog.found("title").count == 5)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a harvest that drops many titles at once removes none of them`(engine: Engine) async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(stub(0..<100))
      for held in [0, 30, 30] {
        let tally = try await catalog.harvest(stub(0..<70))
        #expect((tally.dropped, tally.heldBack) == (0, held))
      }
      #expect(try await catalog.tally(of: town).editions == 100)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left is never inferred from an empty catalogue`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(stub(0..<5))
      for _ in 0..<3 { try await catalog.harvest(StubLender([[]])) }
      #expect(try await catalog.found("title").count == 5)
      #expect(try await catalog.tally(of: town).missing == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left is not inferred from a harvest that broke off`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let whole = [["a"], ["b"], ["c"]]
      try await catalog.harvest(StubLender(titles: whole))
      for _ in 0..<3 {
        let stub = StubLender(titles: whole)
        stub.fail(at: [1])
        await #expect(throws: HarvestFailure.self) { try await catalog.harvest(stub) }
      }
      #expect(try await catalog.found("title").count == 3)
      #expect(try await catalog.tally(of: town).missing == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left is not inferred from a catalogue of which a page was cut`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(
        StubLender(titles: [["a"], ["b"], ["c"]], next: HarvestCursor("9")))
      for _ in 0..<3 {
        let cut = StubLender(titles: [["a"], ["b"]], next: HarvestCursor("9"))
        cut.cut(at: [0])
        let tally = try await catalog.harvest(cut)
        #expect(tally.isComplete && tally.isWhole && tally.missing == 0 && tally.dropped == 0)
        #expect(tally.warnings.contains { $0.contains("nothing is taken to have left") })
      }
      #expect(try await catalog.found("title").count == 3)
      #expect(try await catalog.tally(of: town).missing == 0)
      // A look for changes has no place to start from, so all is read.
      let whole = StubLender(titles: [["a"], ["b"]])
      #expect(try await catalog.harvest(whole, full: false).missing == 1)
      #expect(whole.asked.first == "")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left from one library stays at the other`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      for library in [town, county] { try await catalog.harvest(stub(0..<3), at: library) }
      for _ in 0..<2 { try await catalog.harvest(stub(0..<2), at: county) }
      #expect(try await catalog.found("title", at: [town]).count == 3)
      #expect(try await catalog.found("title", at: [county]).count == 2)
    }
  }

  /// One file each night: from where it ended it tells that it is the same, or begins anew.
  private struct NightlyFile: CirculationProvider {
    static let capabilities: Set<Capability> = [.harvest]
    let version: String
    let titles: [String]

    func describe() -> ProviderDescription {
      ProviderDescription(provider: lender, availabilityBatch: 25)
    }

    func harvest(from cursor: HarvestCursor?, in call: Call)
      async throws(CirculationError) -> HarvestPage
    {
      let end = HarvestCursor(version)
      if cursor == end { return HarvestPage(changes: [], progress: .done(next: end)) }
      var page = HarvestPage(
        changes: titles.map { .listed(edition($0, "Title \($0)")) }, progress: .done(next: end))
      if cursor != nil { page.scope = .startsOver }
      page.warnings = ["one"]
      return page
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left is missed by two new files in a row, and by none that is the same`(
    engine: Engine
  )
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let first = NightlyFile(version: "1", titles: ["a", "b", "c"])
      #expect(try await catalog.harvest(first, full: false).warningCount == 1)
      let same = try await catalog.harvest(first, full: false)
      #expect((same.listed, same.missing, same.isWhole) == (0, 0, false))
      let second = try await catalog.harvest(
        NightlyFile(version: "2", titles: ["a", "b"]), full: false)
      #expect((second.unchanged, second.missing, second.isWhole) == (2, 1, true))
      let third = try await catalog.harvest(
        NightlyFile(version: "3", titles: ["a", "b"]), full: false)
      #expect(third.dropped == 1)
      #expect(try await catalog.found("title").sorted() == ["a", "b"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A title that left with nearly all others is not believed to have left`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let all = (0..<100).map { "n\($0)" }
      try await catalog.harvest(NightlyFile(version: "1", titles: all), full: false)
      for version in ["2", "3"] {
        let tally = try await catalog.harvest(
          NightlyFile(version: version, titles: Array(all.prefix(3))), full: false)
        #expect(tally.dropped == 0)
      }
      #expect(try await catalog.tally(of: town).editions == 100)
    }
  }
}
