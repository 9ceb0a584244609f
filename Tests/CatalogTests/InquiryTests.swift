import Catalog
import Circulation
import Database
import TestSupport
import Testing

@Suite struct `An inquiry` {
  private let one = BookNumbers(isbns: [ISBN("9780306406157")].compactMap(\.self))
  private let two = BookNumbers(identifiers: [
    ForeignIdentifier(scheme: "oclc", value: "1"), ForeignIdentifier(scheme: "lccn", value: "2"),
  ])

  private func inquiries(_ store: Store, at now: Int64 = 1_000) async throws -> Inquiries {
    _ = try await store.migrate([Catalog.migrations, Inquiries.migrations], at: 0)
    return Inquiries(store: store, now: { now })
  }

  @Test(arguments: Engine.allCases) func `An inquiry is due until it was made`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { _, store in
      let inquiries = try await inquiries(store)
      #expect(try await inquiries.due([one, two], at: town) == [one, two])
      try await inquiries.note([one], at: town, for: .seconds(60))
      #expect(try await inquiries.due([one, two], at: town) == [two])
      #expect(try await inquiries.due([one, two], at: county) == [one, two])
    }
  }

  @Test(arguments: Engine.allCases) func `An inquiry is due again in time`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { _, store in
      try await inquiries(store).note([one, two], at: town, for: .seconds(60))
      #expect(try await inquiries(store, at: 60_000).due([one], at: town) == [])
      let later = try await inquiries(store, at: 61_000)
      #expect(try await later.due([one], at: town) == [one])
      try await later.note([one], at: town, for: .seconds(60))
      #expect(try await later.due([one, two], at: town) == [two])
      let left: Int = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT count(*) FROM catalog_inquiry")
      }
      #expect(left == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a catalog inquiry about the same numbers in another order is not repeated`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { _, store in
      let inquiries = try await inquiries(store)
      let turned = BookNumbers(identifiers: two.identifiers.reversed())
      #expect(try await inquiries.due([two, turned], at: town) == [two])
      try await inquiries.note([two, turned], at: town, for: .seconds(60))
      #expect(try await inquiries.due([turned], at: town) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `catalog inquiries about books without numbers are told apart by title`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { _, store in
      let inquiries = try await inquiries(store)
      let tin = BookNumbers(title: "The Tin Harbour", authors: ["Odile Marsh"])
      let moth = BookNumbers(title: "The Moth Harbour", authors: ["Odile Marsh"])
      try await inquiries.note([tin], at: town, for: .seconds(60))
      #expect(try await inquiries.due([tin, moth], at: town) == [moth])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a catalog inquiry with no numbers or unusable ones is never due`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { _, store in
      let inquiries = try await inquiries(store)
      let rubbish = BookNumbers(identifiers: [
        ForeignIdentifier(scheme: "oclc", value: String(repeating: "9", count: 5000)),
        ForeignIdentifier(scheme: "x", value: "\u{0}"),
      ])
      #expect(try await inquiries.due([BookNumbers(), rubbish], at: town) == [])
      try await inquiries.note([rubbish], at: town, for: .seconds(60))
    }
  }
}
