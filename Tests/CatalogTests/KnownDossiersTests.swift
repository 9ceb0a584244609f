import Circulation
import Database
import Matching
import TestSupport
import Testing

@testable import Catalog

@Suite struct `Records read for the matcher` {
  private let dossier = Dossier(Candidate(title: "Northanger Abbey"))

  @Test func `Records read for the matcher are known until they change`() {
    let known = KnownDossiers()
    known.keep([7: KnownDossiers.Entry(changed: 100, dossier: dossier)])
    #expect(known.dossiers(of: [(7, 100), (8, 100)]).keys.sorted() == [7])
    #expect(known.dossiers(of: [(7, 101)]).isEmpty)
    known.forget()
    #expect(known.dossiers(of: [(7, 100)]).isEmpty)
  }

  @Test(arguments: Engine.allCases)
  func `What an undone transaction read for the matcher is not known`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      await #expect(throws: DatabaseError.self) {
        try await catalog.matching { [dossier] kin throws(DatabaseError) in
          kin.know(dossier, of: 7, changed: 100)
          try kin.tx.execute("SELECT 1 FROM no_such_table")
        }
      }
      #expect(catalog.known.dossiers(of: [(7, 100)]).isEmpty)
      try await catalog.matching { [dossier] kin throws(DatabaseError) in
        kin.know(dossier, of: 7, changed: 100)
      }
      #expect(catalog.known.dossiers(of: [(7, 100)]).keys.sorted() == [7])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An edition that became another book meets those that are that book`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(edition("a", "Northanger Abbey", by: "Jane Austen"), at: town)
      try await catalog.take(edition("b", "Northanger Abbey", by: "Jane Austen"), at: county)
      #expect(try await catalog.work(of: "a") == catalog.work(of: "b", at: county))
      try await catalog.take(edition("a", "Persuasion", by: "Jane Austen"), at: town)
      #expect(try await catalog.work(of: "a") != catalog.work(of: "b", at: county))
      try await catalog.take(edition("c", "Persuasion", by: "Jane Austen"), at: county)
      #expect(try await catalog.work(of: "a") == catalog.work(of: "c", at: county))
    }
  }
}
