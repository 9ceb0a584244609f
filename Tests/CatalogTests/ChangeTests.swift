import Catalog
import Circulation
import Database
import FoundationEssentials
import Shelving
import TestSupport
import Testing

@Suite struct `A change in the catalogue` {
  private func versions(_ catalog: Catalog) async throws -> [WorkID: WorkVersion] {
    var query = LaneQuery(
      Lane(id: "all", title: "All", .rule(LaneRule())), libraries: [town, county])
    query.detail = .versions
    let page = try await catalog.lane(query)
    #expect(page.entries == [])
    return Dictionary(uniqueKeysWithValues: page.versions.map { ($0.work, $0) })
  }

  /// Works whose version differs, and whether the pulse does.
  private func moved(
    _ catalog: Catalog, by change: () async throws -> Void
  ) async throws -> (works: Int, pulse: Bool, dates: Int) {
    let (before, pulse) = (try await versions(catalog), try await catalog.pulse())
    try await change()
    let (after, other) = (try await versions(catalog), try await catalog.pulse())
    return (
      after.count { before[$0.key]?.version != $0.value.version }, pulse != other,
      after.count { before[$0.key]?.changed != $0.value.changed }
    )
  }

  @Test(arguments: Engine.allCases)
  func `A change in the catalogue is one of its work alone, and is felt by the pulse`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("owls", "Owls", by: "Ada Elm"), edition("bees", "Bees", by: "Bo Ash"),
      ])
      let item = ItemID("owls")
      func note(_ status: Availability.Status, _ second: Double) async throws {
        try await catalog.note([item: available(status, at: second)], at: town)
      }
      let told = try await moved(catalog) {
        try await note(.available(.init(total: 3, available: 2)), 10)
      }
      #expect((told.works, told.pulse, told.dates) == (1, true, 1))
      // Another count is another page, but nothing that readers would call a change.
      let counted = try await moved(catalog) {
        try await note(.available(.init(total: 3, available: 1)), 20)
      }
      #expect((counted.works, counted.pulse, counted.dates) == (1, true, 0))
      let out = try await moved(catalog) { try await note(.queued(.init(total: 3)), 30) }
      #expect((out.works, out.pulse, out.dates) == (1, true, 1))
      let same = try await moved(catalog) { try await note(.queued(.init(total: 3)), 40) }
      #expect((same.works, same.dates) == (0, 0))
      if engine == .sqlite { #expect(!same.pulse) }
      let renamed = try await moved(catalog) {
        try await catalog.take([
          edition("owls", "Owls", by: "Ada Elm") { $0.summary = "Of the night." }
        ])
      }
      #expect((renamed.works, renamed.pulse, renamed.dates) == (1, true, 1))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A change in the catalogue puts its work in front of all that changed before`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take((1...7).map { edition("i\($0)", "Volume number \($0)") })
      try await catalog.take(edition("far", "Volume number 3"), at: county)
      try await catalog.note([ItemID("i5"): available(.openAccess, at: 99)], at: town)
      var (works, place, pages): ([WorkID], ChangePlace?, Int) = ([], nil, 0)
      repeat {
        let page = try await catalog.changes(at: [town, county], after: place, limit: 3)
        works += page.versions.map(\.work)
        place = page.next
        pages += 1
      } while place != nil && pages < 10
      let fifth = try await catalog.work(of: "i5")
      #expect(works.first == fifth)
      #expect(Set(works).count == works.count)
      let all = try await versions(catalog)
      #expect(Set(works) == Set(all.keys))
      let near = try await catalog.changes(at: [county], after: nil, limit: 10)
      #expect(near.versions.count == 1)
      #expect(try await catalog.changes(at: [], after: nil, limit: 10).versions == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A change in the catalogue is seen on a page that was asked for before`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("owls", "Owls"), edition("bees", "Bees")])
      func page() async throws -> LanePage {
        try await catalog.lane(
          LaneQuery(Lane(id: "all", title: "All", .rule(LaneRule())), libraries: [town]))
      }
      let before = try await page()
      #expect(before == (try await page()))
      try await catalog.note([ItemID("bees"): available(.openAccess, at: 5)], at: town)
      let after = try await page()
      #expect(before.facets != after.facets)
      try await catalog.take([edition("new", "News")])
      #expect(try await page().total == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A change in the catalogue makes no entry of what is not there`(engine: Engine) async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("owls", "Owls")])
      let work = try #require(try await catalog.work(of: "owls"))
      let names = [WorkID("w99"), work, WorkID("nonsense")]
      #expect(try await catalog.entries(of: names, at: [town]).map(\.work) == [work])
      #expect(try await catalog.entries(of: names, at: [county]) == [])
      #expect(try await catalog.versions(of: names, at: [town]).map(\.work) == [work])
      #expect(try await catalog.lastHarvest(of: [town]) == nil)
    }
  }
}
