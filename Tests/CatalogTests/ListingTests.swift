import Catalog
import Circulation
import Database
import TestSupport
import Testing

@Suite struct `An edition in the catalogue` {
  static let full = edition("full", "Émile\u{0} \"quoted\"") {
    $0.subtitle = ""
    $0.sortTitle = "Emile"
    $0.contributors = Contributor.Role.allCases.map { role in
      Contributor(name: "N \(role)", sortName: role == .author ? "S" : nil, role: role)
    }
    $0.series = Series(name: "Series", position: 2.5)
    $0.medium = .comic
    $0.languages = ["fr", "en"]
    $0.subjects = ["One", "Two"]
    $0.audience = .youngAdult
    $0.summary = "<b>bold</b>\n\u{7F}"
    $0.publisher = "P"
    $0.published = PartialDate(year: -44, month: 3, day: 15)
    $0.isbns = [ISBN("9780141439518")].compactMap(\.self)
    $0.relatedISBNs = [ISBN("9780141439587")].compactMap(\.self)
    $0.identifiers = [ForeignIdentifier(scheme: "asin", value: "B00")]
    $0.formats = [
      Format(id: "f", content: .epub, protection: .lcp, locksLoan: true),
      Format(id: "g", content: .pdf, protection: .none),
    ]
    $0.covers = Covers(large: "l", small: "s")
    $0.samples = ["x", "y"]
    $0.popularity = 0.1
    $0.added = "2020-01-01T00:00:00Z"
    $0.owned = true
  }

  @Test(arguments: Engine.allCases, [full, edition("bare", "")])
  func `An edition in the catalogue comes out as it went in`(engine: Engine, edition: Edition)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition])
      let entry = try await catalog.edition(edition.item, at: town)
      #expect(
        entry?.editions == [
          ListedEdition(library: town, provider: lender, edition: edition, availability: nil)
        ])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a changed catalog edition is found by its new words only and stays in its work`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owls", by: "Ann"), edition("b", "Bats")])
      let before = try await catalog.edition(ItemID("a"), at: town)
      try await catalog.take([edition("a", "Herons", by: "Ann") { $0.popularity = 7 }])
      #expect(try await catalog.found("owls").isEmpty)
      #expect(try await catalog.found("herons") == ["a"])
      #expect(try await catalog.found("ann") == ["a"])
      #expect(try await catalog.found("") == ["a", "b"])
      #expect(try await catalog.edition(ItemID("a"), at: town)?.work == before?.work)
    }
  }

  @Test func `An edition in the catalogue leaves no trace in the index when it changes and goes`()
    async throws
  {
    try await withCatalog(.sqlite) { catalog, store in
      for round in 0..<5 {
        let editions = (0..<40).map { number in
          edition("i\(number)", "Owl \(number * round % 7)") { $0.popularity = Double(round) }
        }
        try await catalog.take(editions)
        let removed = (0..<40).filter { $0 % 5 == round }.map { ItemID("i\($0)") }
        try await catalog.harvest(StubLender([removed.map { .removed($0) }]), full: false)
      }
      // FTS5 compares its index with its texts, and throws when they differ.
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("INSERT INTO catalog_words (catalog_words) VALUES ('integrity-check')")
      }
      let rows = try await store.read { snapshot throws(DatabaseError) -> [Int] in
        [
          try snapshot.value("SELECT count(*) FROM catalog_words"),
          try snapshot.value("SELECT count(*) FROM catalog_edition WHERE state < 2"),
        ]
      }
      #expect(rows == [32, 32])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An edition in the catalogue told twice in one go counts as told last`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owls"), edition("a", "Herons")])
      #expect(try await catalog.found("herons") == ["a"])
      #expect(try await catalog.found("owls").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An edition in the catalogue has a work of its own`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owls"), edition("b", "Owls")])
      try await catalog.take([edition("a", "Owls")], of: county, provider: lender)
      let query = CatalogQuery(words: "owls", libraries: [town, county])
      let found = try await catalog.search(query)
      #expect(Set(found.map(\.work)).count == 3)
      for entry in found {
        #expect(try await catalog.work(entry.work) == entry)
        let library = entry.editions[0].library
        #expect(try await catalog.work(entry.work, at: [library == town ? county : town]) == nil)
      }
    }
  }

  @Test(
    arguments: Engine.allCases, ["w0", "w-1", "w", "", "1", "w01", "w99999999999999999999", "w7"])
  func `An edition in the catalogue is not found by a work that is none`(engine: Engine, id: String)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owls")])
      #expect(try await catalog.work(WorkID(id)) == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An edition in the catalogue is listed for a shelf in the shelf's order`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "A"), edition("b", "B")])
      try await catalog.take([edition("a", "County A")], of: county, provider: lender)
      let shelf = [
        (town, ItemID("b")), (county, ItemID("a")), (town, ItemID("none")), (town, ItemID("a")),
        (town, ItemID("b")), (county, ItemID("b")),
      ]
      let titles = try await catalog.entries(for: shelf).map { $0?.editions[0].edition.title }
      #expect(titles == ["B", "County A", nil, "A", "B", nil])
      #expect(try await catalog.entries(for: []).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An edition in the catalogue by the thousand takes one go`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take((0..<1_201).map { edition("i\($0)", "Owl \($0)") })
      #expect(try await catalog.tally(of: town).editions == 1_201)
      #expect(try await catalog.found("owl 1200") == ["i1200"])
    }
  }
}

@Suite struct `An answer about copies` {
  private func status(_ catalog: Catalog) async throws -> Availability? {
    try await catalog.edition(ItemID("a"), at: town)?.editions[0].availability
  }

  @Test(
    arguments: Engine.allCases,
    [
      Availability.Status.openAccess, .unknownToProvider,
      .available(Availability.Copies(total: 3, available: 2, holds: 0)),
      .queued(Availability.Copies(total: 1)), .unavailable(Availability.Copies()),
    ])
  func `An answer about copies comes out as it went in`(engine: Engine, status: Availability.Status)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owl")])
      let answer = available(status, at: 1_700_000_000.125)
      try await catalog.note([ItemID("a"): answer], at: town)
      #expect(try await self.status(catalog) == answer)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An answer about copies gives way to a newer one only`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("a", "Owl")])
      let (early, late) = (available(.openAccess, at: 1), available(.unknownToProvider, at: 2))
      for answer in [late, early] { try await catalog.note([ItemID("a"): answer], at: town) }
      #expect(try await status(catalog) == late)
      let latest = available(.openAccess, at: 3)
      try await catalog.harvest(StubLender([[.availability(ItemID("a"), latest)]]), full: false)
      #expect(try await status(catalog) == latest)
    }
  }

  @Test(arguments: Engine.allCases)
  func `An answer about copies may come before the title does, and is each library's own`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      let answer = available(.openAccess, at: 1)
      try await catalog.note([ItemID("a"): answer], at: town)
      try await catalog.take([edition("a", "Owl")])
      try await catalog.take([edition("a", "Owl")], of: county, provider: lender)
      #expect(try await status(catalog) == answer)
      #expect(
        try await catalog.edition(ItemID("a"), at: county)?.editions[0].availability == nil)
    }
  }
}
