import Circulation
import Database
import TestSupport
import Testing

@testable import Catalog

@Suite struct `A catalog of alike titles that a patron named` {
  private static let named = LibraryID("https://catalog.example/opds")
  private static let other = LibraryID("https://other.example/opds")

  private static func isbn(_ number: Int) -> ISBN? {
    let digits = "978" + String(100_000_000 + number)
    let sum = zip(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]).reduce(0) {
      $0 + ($1.0.wholeNumberValue ?? 0) * $1.1
    }
    return ISBN(digits + String((10 - sum % 10) % 10))
  }

  /// Pages of entries that all have one title, author and the numbers that are told of each.
  private static func lender(
    _ count: Int, prefix: String = "a", isbns: (Int) -> [Int] = { _ in [1] }
  ) -> StubLender {
    let all = (0..<count).map { number -> HarvestPage.Change in
      .listed(
        edition("\(prefix)\(number)", "The Cartographer", by: "Chinua Whitlock") {
          $0.isbns = isbns(number).compactMap(isbn)
        })
    }
    return StubLender(
      stride(from: 0, to: count, by: 500).map { Array(all[$0..<min($0 + 500, count)]) })
  }

  private static func count(_ store: Store, _ statement: SQL) async throws -> Int {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.value(statement) }
  }

  private static let largestWork: SQL = """
    SELECT max(n) FROM (SELECT count(*) AS n FROM catalog_edition GROUP BY work) AS works
    """

  @Test(arguments: Engine.allCases)
  func `Two thousand entries of one book make no more comparisons than a few of them`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      // The book of a library of the operator that the others are alike.
      try await catalog.harvest(Self.lender(1, prefix: "real"))
      try await catalog.harvest(Self.lender(2_000), at: Self.named)
      #expect(try await Self.count(store, "SELECT count(*) FROM catalog_edition") == 2_001)
      #expect(try await Self.count(store, "SELECT count(*) FROM catalog_kin") < 1_000)
      #expect(try await Self.count(store, Self.largestWork) == 1 + NamedCatalogs.mostAlike)
      // What the library has still finds its like.
      #expect(
        try await Self.count(
          store,
          """
          SELECT count(*) FROM catalog_edition WHERE work =
            (SELECT work FROM catalog_edition WHERE item = 'real0')
          """) == 1 + NamedCatalogs.mostAlike)
      try await catalog.harvest(Self.lender(500), at: Self.other)
      #expect(try await Self.count(store, Self.largestWork) == 1 + 2 * NamedCatalogs.mostAlike)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Entries of which each shares a number with the next make no work without end`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.harvest(Self.lender(1_000) { [$0, $0 + 1] }, at: Self.named)
      #expect(
        try await Self.count(store, Self.largestWork)
          <= NamedCatalogs.batch + NamedCatalogs.mostAlike)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Entries of one book in a library of the operator are all one work`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.harvest(Self.lender(40))
      #expect(try await Self.count(store, Self.largestWork) == 40)
    }
  }
}
