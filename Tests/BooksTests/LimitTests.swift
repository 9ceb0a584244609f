import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import Books

private let emma = BookFace(title: "Emma", authors: ["Jane Austen"])

@Suite struct `Limits of the books that a patron chooses` {
  @Test(arguments: Engine.allCases)
  func `a patron saves and ignores at most twenty thousand books, and may take one back`(
    engine: Engine
  ) async throws {
    try await Town.play(engine) { town in
      let patron = ada.rawValue
      try await town.store.write { tx throws(DatabaseError) in
        try tx.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO book (patron, library, item, state, since, title, authors, ignored)
          SELECT \(patron), \(city.library.rawValue), 'many-' || i, 'none', 1, 'T', '', TRUE FROM n
          """)
      }
      let key = town.key("emma")
      #expect(try await town.books.save(key, emma, of: ada) == .full(most: 20_000))
      #expect(try await town.books.ignore(key, emma, of: ada) == .full(most: 20_000))
      _ = try await town.books.unignore(town.key("many-1"), of: ada)
      guard case .done = try await town.books.save(key, emma, of: ada) else {
        Issue.record("not saved")
        return
      }
    }
  }
}
