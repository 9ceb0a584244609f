import Circulation
import Database
import TestSupport
import Testing

@testable import Catalog

@Suite struct `The runs of words in the index` {
  private static let pages = (0..<30).map { page in
    [HarvestPage.Change.listed(edition("owl\(page)", "Owls of the night \(page)"))]
  }

  private func runs(_ store: Store) async throws -> Int64 {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.wordRuns() }
  }

  @Test(arguments: Engine.allCases)
  func `The runs of words in the index are put together, and what is found stays as it was`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.harvest(StubLender(Self.pages))
      let before = try await catalog.found("owls night", limit: 100)
      #expect(before.count == 30)
      if engine == .sqlite { #expect(try await runs(store) > 4) }
      try await catalog.gatherWords()
      #expect(try await runs(store) == (engine == .sqlite ? 1 : 0))
      #expect(try await catalog.found("owls night", limit: 100) == before)
    }
  }

  @Test func `The runs of words in the index are left alone while they are few`() async throws {
    try await withCatalog(.sqlite) { catalog, store in
      try await catalog.harvest(StubLender(Array(Self.pages.prefix(2))))
      let few = try await runs(store)
      try await catalog.gatherWords()
      #expect(try await runs(store) == few)
    }
  }
}
