import Catalog
import Circulation
import Shelving
import TestSupport
import Testing

@Suite struct `A page of what a search found` {
  private static func holmes(_ item: String, _ content: Format.Content) -> Edition {
    edition(item, "The Adventures of Sherlock Holmes", by: "Arthur Conan Doyle") {
      $0.medium = content == .epub ? .book : .audiobook
      $0.formats = [Format(id: "f", content: content, protection: .adobe)]
      $0.languages = ["en"]
    }
  }

  @Test(arguments: Engine.allCases)
  func `A page of what a search found counts and shows only what the filters let through`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([Self.holmes("read", .epub)])
      try await catalog.take(Self.holmes("heard", .audiobook), at: county)
      func found(_ change: (inout CatalogQuery) -> Void) async throws -> LanePage {
        var query = CatalogQuery(words: "adventures holmes", libraries: [town, county])
        change(&query)
        return try await catalog.search(query, facets: LaneFacets())
      }
      let all = try await found { _ in }
      #expect(all.entries.map(\.editions.count) == [2])
      #expect(all.told.last == "collection county 1, town 1")
      let books = try await found { $0.content = .epub }
      #expect(books.entries.map { $0.editions.map(\.edition.item.rawValue) } == [["read"]])
      #expect(books.told.last == "collection town 1")
      #expect(try await found { $0.onlyAvailable = true }.total == 0)
      #expect(try await found { $0.language = "de" }.total == 0)
      #expect(try await found { $0.provider = ProviderID("other") }.entries.isEmpty)
      #expect(try await found { $0.provider = lender }.total == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a search results page holds the best matches first, or sorts them as asked`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("life", "A Life of Owls", by: "Ada Elm") { $0.popularity = 90 },
        edition("owl", "Owls", by: "Zoe Ash"),
        edition("barn", "The Barn and Its Owls", by: "Max Oak"),
      ])
      let query = CatalogQuery(words: "owls", libraries: [town], limit: 2)
      let plain = try await catalog.search(query, facets: LaneFacets())
      #expect(plain.items == (try await catalog.found("owls", limit: 2)))
      #expect((plain.total, plain.items.first) == (3, "owl"))
      let sorted = try await catalog.search(query, facets: LaneFacets(), order: .title)
      #expect(sorted.items == ["barn", "life"])
    }
  }
}
