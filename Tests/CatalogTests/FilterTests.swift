import Catalog
import Circulation
import TestSupport
import Testing

@Suite struct `A filter` {
  private func withShelf(_ engine: Engine, _ body: (Catalog) async throws -> Void) async throws {
    try await withCatalog(engine) { catalog, _ in
      let epub = Format(id: "e", content: .epub, protection: .adobe)
      let audio = Format(id: "a", content: .audiobook, protection: .streaming)
      try await catalog.take([
        edition("read", "Owl") {
          $0.formats = [epub]
          $0.languages = ["en"]
        },
        edition("heard", "Owl") {
          $0.formats = [audio]
          $0.languages = ["fr", "en"]
        },
        edition("both", "Owl") {
          $0.formats = [epub, audio]
          $0.languages = ["de-CH"]
        },
      ])
      try await body(catalog)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A filter by content keeps what can be read or heard`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("owl", content: .epub).sorted() == ["both", "read"])
      #expect(
        try await catalog.found("", content: .audiobook).sorted() == ["both", "heard"])
      #expect(try await catalog.found("owl", content: .comic).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A filter by language minds the language, not the country`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("owl", language: "en").sorted() == ["heard", "read"])
      #expect(try await catalog.found("owl", language: "DE-at") == ["both"])
      #expect(try await catalog.found("owl", language: "it").isEmpty)
      #expect(try await catalog.found("owl", language: "\" OR \"e").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A filter by provider keeps its titles`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let other = ProviderID("other-lender 2")
      try await catalog.take([edition("a", "Owl")])
      try await catalog.take([edition("b", "Owl")], of: town, provider: other)
      #expect(try await catalog.found("owl", provider: other) == ["b"])
      #expect(try await catalog.found("owl", provider: lender) == ["a"])
      #expect(try await catalog.found("owl", provider: ProviderID("no")).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `the filter for available titles follows the latest known availability`(engine: Engine)
    async throws
  {
    try await withShelf(engine) { catalog async throws in
      let copies = Availability.Copies(total: 1, available: 1)
      try await catalog.note(
        [
          ItemID("read"): available(.available(copies), at: 1),
          ItemID("heard"): available(.queued(copies), at: 1),
        ], at: town)
      #expect(try await catalog.found("owl", onlyAvailable: true) == ["read"])
      try await catalog.note(
        [
          ItemID("read"): available(.unavailable(copies), at: 2),
          ItemID("heard"): available(.openAccess, at: 2),
        ], at: town)
      #expect(try await catalog.found("owl", onlyAvailable: true) == ["heard"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A filter by library lets nothing of another through`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owl")], of: town, provider: lender)
      try await catalog.take([edition("a", "Owl County")], of: county, provider: lender)
      #expect(try await catalog.search(CatalogQuery(words: "owl", libraries: [])).isEmpty)
      let stranger = LibraryID("stranger")
      #expect(try await catalog.found("owl", at: [stranger]).isEmpty)
      let found = try await catalog.search(CatalogQuery(words: "owl", libraries: [county]))
      #expect(found.flatMap(\.editions).map(\.library) == [county])
      #expect(try await catalog.found("county", at: [town]).isEmpty)
      // A guess at a word that only the other library has leads nowhere either.
      #expect(try await catalog.found("countyy", at: [town]).isEmpty)
      #expect(try await catalog.found("owl", at: [town, county, stranger]).count == 2)
    }
  }
}
