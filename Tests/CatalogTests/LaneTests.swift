// Over 300 lines because all of them look into the same small catalog.
import Catalog
import Circulation
import Database
import Shelving
import TestSupport
import Testing

@Suite struct `A lane` {
  private static let epub = Format(id: "e", content: .epub, protection: .adobe)
  private static let audio = Format(id: "a", content: .audiobook, protection: .streaming)

  private func withShelf(
    _ engine: Engine, _ body: (Catalog, Store) async throws -> Void
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.take([
        edition("emma", "Emma", by: "Jane Austen") {
          $0.subjects = ["FICTION / Romance / General", "Classic Literature"]
          $0.formats = [Self.epub]
          $0.languages = ["en-GB"]
          $0.popularity = 50
          $0.added = "1970-01-01"
        },
        edition("sherlock", "The Adventures of Sherlock Holmes", by: "Arthur Conan Doyle") {
          $0.subjects = ["Detective and mystery stories"]
          $0.formats = [Self.epub, Self.audio]
          $0.languages = ["en"]
          $0.popularity = 90
          $0.series = Series(name: "Sherlock Holmes", position: 3)
        },
        edition("hound", "The Hound of the Baskervilles", by: "Arthur Conan Doyle") {
          $0.subjects = ["Detective and mystery stories"]
          $0.formats = [Self.audio]
          $0.languages = ["en"]
          $0.popularity = 20
          $0.series = Series(name: "Sherlock Holmes", position: 5)
        },
        edition("krieg", "Der Krieg", by: "Clausewitz, Carl von") {
          $0.subjects = ["Military art and science"]
          $0.languages = ["de"]
          $0.formats = [Self.epub]
          $0.added = "1969-12-24"
        },
        edition("alice", "Alice's Adventures in Wonderland", by: "Lewis Carroll") {
          $0.subjects = ["Imaginary places -- Juvenile fiction"]
          $0.languages = ["en"]
          $0.formats = [Self.epub]
          $0.popularity = 70
        },
      ])
      let copies = Availability.Copies(total: 1, available: 1)
      try await catalog.note(
        [
          ItemID("emma"): available(.available(copies), at: 1),
          ItemID("sherlock"): available(.queued(copies), at: 1),
          ItemID("krieg"): available(.openAccess, at: 1),
        ], at: town)
      try await body(catalog, store)
    }
  }

  private func lane(_ change: (inout LaneRule) -> Void = { _ in }) -> Lane {
    var rule = LaneRule()
    change(&rule)
    return Lane(id: "lane", title: "Lane", .rule(rule))
  }

  @Test(arguments: Engine.allCases)
  func `A lane by rule holds what meets all of it`(engine: Engine) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      #expect(
        try await catalog.shown(lane()) == ["sherlock", "alice", "emma", "hound", "krieg"])
      #expect(try await catalog.shown(lane { $0.genres = ["romance"] }) == ["emma"])
      #expect(
        try await catalog.shown(lane { $0.genres = ["romance", "history"] }) == ["emma", "krieg"])
      #expect(
        try await catalog.shown(
          lane {
            $0.kind = .fiction
            $0.withoutGenres = ["mystery"]
          }) == ["alice", "emma"])
      #expect(try await catalog.shown(lane { $0.audiences = ["children"] }) == ["alice"])
      #expect(try await catalog.shown(lane { $0.languages = ["de", "fr"] }) == ["krieg"])
      #expect(
        try await catalog.shown(lane { $0.formats = ["audiobook"] }) == ["sherlock", "hound"])
      #expect(try await catalog.shown(lane { $0.standing = .now }) == ["emma", "krieg"])
      #expect(try await catalog.shown(lane { $0.standing = .queued }) == ["sherlock"])
      #expect(try await catalog.shown(lane { $0.addedWithin = 7 }) == ["emma"])
      #expect(try await catalog.shown(lane { $0.addedWithin = 8 }) == ["emma", "krieg"])
      #expect(try await catalog.shown(lane { $0.bestLiked = 2 }) == ["sherlock", "alice"])
      #expect(
        try await catalog.shown(lane { $0.subjects = ["detective stories", "Wars"] })
          == ["sherlock", "hound"])
      #expect(try await catalog.shown(lane { $0.collections = ["town"] }).count == 5)
      #expect(try await catalog.shown(lane { $0.collections = ["lender"] }).count == 5)
      #expect(try await catalog.shown(lane { $0.collections = ["county"] }).isEmpty)
    }
  }

  @Test(
    arguments: Engine.allCases,
    [
      (LaneOrder.title, ["sherlock", "alice", "emma", "hound", "krieg"]),
      (.author, ["emma", "alice", "krieg", "sherlock", "hound"]),
      (.added, ["emma", "krieg", "sherlock", "alice", "hound"]),
    ])
  func `A lane is put in order without articles, by family name and by day`(
    engine: Engine, pair: (order: LaneOrder, items: [String])
  ) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      #expect(try await catalog.shown(lane(), order: pair.order) == pair.items)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane is shown page by page`(engine: Engine) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      var query = LaneQuery(lane(), libraries: [town], order: .title, limit: 2)
      let first = try await catalog.lane(query)
      #expect((first.total, first.hasNext, first.entries.count) == (5, true, 2))
      query.offset = 4
      let last = try await catalog.lane(query)
      #expect((last.total, last.hasNext, last.items) == (5, false, ["krieg"]))
      query.offset = 5
      #expect(try await catalog.lane(query).entries.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane counts what each facet would leave`(engine: Engine) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      var query = LaneQuery(lane(), libraries: [town])
      #expect(
        try await catalog.lane(query).told == [
          "availability now 2, queued 1", "format epub 4, audiobook 2", "language en 4, de 1",
          "collection town 5",
        ])
      query.facets.format = "epub"
      query.facets.language = "en"
      let page = try await catalog.lane(query)
      #expect(page.items == ["sherlock", "alice", "emma"])
      #expect(
        page.told == [
          "availability now 1, queued 1", "format *epub 3, audiobook 2", "language *en 3, de 1",
          "collection town 3",
        ])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane follows what is heard of copies, and what comes and goes`(engine: Engine)
    async throws
  {
    try await withShelf(engine) { catalog, _ async throws in
      let now = lane { $0.standing = .now }
      #expect(try await catalog.shown(now) == ["emma", "krieg"])
      let copies = Availability.Copies(total: 1, available: 0)
      try await catalog.note(
        [
          ItemID("emma"): available(.queued(copies), at: 2),
          ItemID("alice"): available(.openAccess, at: 2),
        ], at: town)
      #expect(try await catalog.shown(now) == ["alice", "krieg"])
      try await catalog.harvest(StubLender(titles: [["new"]]))
      try await catalog.harvest(StubLender([[.removed(ItemID("alice"))]]), full: false)
      #expect(try await catalog.shown(now) == ["krieg"])
      #expect(try await catalog.shown(lane()).contains("new"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane of what is to be waited for leaves out what another edition gives at once`(
    engine: Engine
  )
    async throws
  {
    try await withShelf(engine) { catalog, _ async throws in
      let queued = lane { $0.standing = .queued }
      try await catalog.take(
        edition("other", "The Adventures of Sherlock Holmes", by: "Arthur Conan Doyle") {
          ($0.languages, $0.formats) = (["en"], [Self.epub])
        }, at: county)
      #expect(try await catalog.shown(queued, at: [town, county]).count == 1)
      try await catalog.note([ItemID("other"): available(.openAccess, at: 3)], at: county)
      #expect(try await catalog.shown(queued, at: [town, county]) == [])
      #expect(try await catalog.shown(queued) == ["sherlock"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane shows a work once, however many editions it has`(engine: Engine) async throws {
    try await withShelf(engine) { catalog, store async throws in
      try await catalog.take(
        [
          edition("emma2", "Miss Woodhouse of Hartfield", by: "A Lady") {
            $0.formats = [Self.audio]
            $0.languages = ["en"]
          }
        ], of: county, provider: lender)
      #expect(try await catalog.shown(lane(), at: [town, county]).count == 6)
      // As somebody does who joins what no matcher would.
      try await store.write { tx throws(DatabaseError) in
        let works = try tx.rows("SELECT work FROM catalog_edition WHERE item LIKE 'emma%'") {
          row throws(DatabaseError) -> Int64 in try row[0]
        }
        try tx.execute(
          "UPDATE catalog_edition SET work = \(works[0]) WHERE item = 'emma2'")
      }
      var query = LaneQuery(lane(), libraries: [town, county], order: .title)
      let page = try await catalog.lane(query)
      #expect(page.total == 5)
      #expect(page.entries[2].editions.map(\.edition.item.rawValue) == ["emma", "emma2"])
      #expect(page.told[1] == "format epub 4, audiobook 3")
      // What is wanted of an edition is wanted of one and the same.
      query.facets.format = "audiobook"
      query.facets.standing = .now
      #expect(try await catalog.lane(query).entries.isEmpty)
      #expect(try await catalog.shown(lane(), at: [county]) == ["emma2"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane by list keeps the order of the list, and has something while it is empty`(
    engine: Engine
  ) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      try await catalog.take([
        edition("isbn", "Zadig") { $0.isbns = [ISBN("9780141439518")].compactMap(\.self) }
      ])
      let emma = try await catalog.edition(ItemID("emma"), at: town)
      var list = LaneList()
      list.isbns = ["978-0-14-143951-8", "nonsense"]
      list.works = [emma?.work.rawValue ?? "", "w999999"]
      #expect(
        try await catalog.shown(Lane(id: "l", title: "L", .list(list))) == ["emma", "isbn"])
      var rule = LaneRule()
      rule.languages = ["de"]
      (list.isbns, list.works, list.otherwise) = ([], [], rule)
      #expect(try await catalog.shown(Lane(id: "l", title: "L", .list(list))) == ["krieg"])
      list.otherwise = nil
      #expect(try await catalog.shown(Lane(id: "l", title: "L", .list(list))).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane holds books that were there before there were lanes`(engine: Engine) async throws {
    try await withShelf(engine) { catalog, store async throws in
      // As a database looks that an older program filled.
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("DELETE FROM catalog_face")
        try tx.execute("UPDATE catalog_pulse SET described_by = 0")
      }
      #expect(try await catalog.shown(lane { $0.genres = ["romance"] }) == ["emma"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane is what a search finds, too: narrowed, counted and put in order`(
    engine: Engine
  ) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      let query = CatalogQuery(words: "adventures", libraries: [town])
      var facets = LaneFacets()
      var page = try await catalog.search(query, facets: facets)
      #expect(page.items == ["sherlock", "alice"])
      #expect(page.told[1] == "format epub 2, audiobook 1")
      page = try await catalog.search(query, facets: facets, order: .author)
      #expect(page.items == ["alice", "sherlock"])
      facets.format = "audiobook"
      page = try await catalog.search(query, facets: facets)
      #expect((page.items, page.total) == (["sherlock"], 1))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A lane of lanes tells how many works each has`(engine: Engine) async throws {
    try await withShelf(engine) { catalog, _ async throws in
      let counts = try await catalog.counts(
        of: [lane(), lane { $0.genres = ["romance"] }, lane { $0.genres = ["law"] }], at: [town])
      #expect(counts == [5, 1, 0])
    }
  }
}

extension LanePage {
  var items: [String] {
    entries.compactMap { $0.editions.first?.edition.item.rawValue }
  }

  var told: [String] {
    facets.map { group in
      let choices = group.choices.map { "\($0.isChosen ? "*" : "")\($0.value) \($0.count)" }
      return "\(group.name) " + choices.joined(separator: ", ")
    }
  }
}

extension Catalog {
  fileprivate func shown(
    _ lane: Lane, at libraries: [LibraryID] = [town], order: LaneOrder? = nil
  ) async throws -> [String] {
    try await self.lane(LaneQuery(lane, libraries: libraries, order: order)).items
  }
}
