import Catalog
import Circulation
import Shelving
import TestSupport
import Testing

@Suite struct `A recommendation` {
  private func withShelf(
    _ engine: Engine, _ body: (Catalog) async throws -> Void
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("emma", "Emma", by: "Jane Austen") { $0.subjects = ["Love stories"] },
        edition("sherlock", "The Adventures of Sherlock Holmes", by: "Arthur Conan Doyle") {
          $0.series = Series(name: "Sherlock Holmes", position: 3)
        },
        edition("hound", "The Hound of the Baskervilles", by: "Arthur Conan Doyle") {
          $0.series = Series(name: "Sherlock Holmes", position: 5)
        },
        edition("war", "On War", by: "Carl von Clausewitz"),
      ])
      try await body(catalog)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A recommendation is like the reader's own books, and says why`(
    engine: Engine
  ) async throws {
    try await withShelf(engine) { catalog async throws in
      let lane = Lane(id: "r", title: "R", .recommendation(LaneRule()))
      var query = LaneQuery(lane, libraries: [town])
      #expect(try await catalog.lane(query).entries.isEmpty)
      query.taste = [CatalogItem(library: town, item: ItemID("hound"))]
      var page = try await catalog.lane(query)
      #expect(page.items == ["sherlock"])
      #expect(
        page.entries.first.flatMap { page.reasons[$0.work]?.words }
          == "in Sherlock Holmes, like The Hound of the Baskervilles")
      query.taste = [CatalogItem(library: town, item: ItemID("emma"))]
      try await catalog.take([
        edition("pride", "Pride and Prejudice", by: "Jane Austen"),
        edition("love", "Some Love") { $0.subjects = ["Love stories"] },
      ])
      page = try await catalog.lane(query)
      #expect(page.items == ["pride", "love"])
      #expect(
        page.entries.compactMap { page.reasons[$0.work]?.words }
          == ["by Jane Austen, like Emma", "Romance, as you read it"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `recommendations come from the genres a reader likes, even before the first loan`(
    engine: Engine
  ) async throws {
    try await withShelf(engine) { catalog async throws in
      try await catalog.take([edition("love", "Some Love") { $0.subjects = ["Love stories"] }])
      var query = LaneQuery(
        Lane(id: "r", title: "R", .recommendation(LaneRule())), libraries: [town])
      query.liked = ["romance", "no-such-genre"]
      let page = try await catalog.lane(query)
      #expect(page.items == ["emma", "love"])
      let reasons = page.entries.compactMap { page.reasons[$0.work]?.words }
      #expect(reasons == ["Romance, which you like", "Romance, which you like"])
    }
  }
}
