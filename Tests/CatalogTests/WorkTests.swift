import Catalog
import Circulation
import Database
import TestSupport
import Testing

@Suite struct `Editions of one book` {
  @Test(arguments: Engine.allCases)
  func `editions of one book at two libraries are one work and one search result`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(edition("a", "Dune", by: "Frank Herbert"), at: town)
      try await catalog.take(edition("b", "Dune", by: "Herbert, Frank"), at: county)
      let found = try await catalog.search(
        CatalogQuery(words: "dune", libraries: [town, county]))
      #expect(found.count == 1)
      #expect(Set(found[0].editions.map(\.library)) == [town, county])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Editions of one book are gathered as books are and not as words`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(troublesome)
      let works = try await catalog.gathered(troublesome.map(\.item.rawValue))
      for expected: Set in [
        ["dune", "dune-audio", "dune-tie"], ["messiah"], ["dune-guide"], ["wüstenplanet"],
        ["sapiens", "sapiens-long"], ["monster-1", "monster-1b"], ["monster-2"], ["life-kate"],
        ["life-jill"], ["life-none"], ["whale", "moby"], ["henry-1"], ["henry-2"],
      ] {
        #expect(works.contains(expected), "\(expected) in \(works)")
      }
    }
  }

  @Test(arguments: Engine.allCases, 1...6)
  func `Editions of one book are the same works in whatever order they come`(
    engine: Engine, seed: UInt64
  ) async throws {
    let items = troublesome.map(\.item.rawValue)
    let straight = try await withCatalog(engine) { catalog, _ in
      try await catalog.take(troublesome)
      return try await catalog.gathered(items)
    }
    try await withCatalog(engine) { catalog, _ in
      var chance = Chance(state: seed)
      for edition in troublesome.shuffled(using: &chance) { try await catalog.take([edition]) }
      #expect(try await catalog.gathered(items) == straight)
    }
  }

  /// Few words in many combinations: chains of likenesses with contradictions all through them.
  private func tangled() -> [Edition] {
    var chance = Chance(state: 77)
    let titles = ["The Long Winter", "Long Winter", "The Long Winter: A Novel", "Winter Light"]
    let authors = ["Ada Elm", "Elm, Ada", "A. Elm", "Bo Fern", nil]
    let isbns = ["9780306406157", "9780804429573", "9780345409461"].compactMap { ISBN($0) }
    return (0..<90).map { number in
      edition(
        "t\(number)", titles.randomElement(using: &chance) ?? "",
        by: authors.randomElement(using: &chance) ?? nil
      ) {
        $0.languages = [["en"], ["de"], []].randomElement(using: &chance) ?? []
        if Int.random(in: 0..<6, using: &chance) == 0 {
          $0.isbns = [isbns.randomElement(using: &chance)].compactMap(\.self)
        }
        if Int.random(in: 0..<5, using: &chance) == 0 {
          $0.title += ", Vol. \(Int.random(in: 1...2, using: &chance))"
        }
      }
    }
  }

  @Test func `Editions of one book are the same works in any order, however tangled they are`()
    async throws
  {
    let row = tangled()
    let items = row.map(\.item.rawValue)
    let straight = try await withCatalog(.sqlite) { catalog, _ in
      try await catalog.take(row)
      return try await catalog.gathered(items)
    }
    #expect(straight.count > 4 && straight.count < 80)
    for seed in 1...4 {
      try await withCatalog(.sqlite) { catalog, _ in
        var chance = Chance(state: UInt64(seed))
        var rest = row.shuffled(using: &chance)[...]
        while !rest.isEmpty {
          try await catalog.take(Array(rest.prefix(7)))
          rest = rest.dropFirst(7)
        }
        #expect(try await catalog.gathered(items) == straight)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `Editions of one book are never brought together by a third that is like both`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(troublesome)
      #expect(
        try await catalog.work(of: "proces-de") != catalog.work(of: "proces-en"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `an edition that becomes another book leaves its work and returns when corrected`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      let dune = [
        edition("a", "Dune", by: "Frank Herbert"), edition("b", "Dune", by: "Frank Herbert"),
        edition("c", "Dune", by: "Frank Herbert"),
      ]
      try await catalog.take(dune)
      let work = try #require(try await catalog.work(of: "b"))
      try await catalog.take([edition("a", "Emma", by: "Jane Austen")])
      #expect(try await catalog.gathered(["a", "b", "c"]) == [["a"], ["b", "c"]])
      #expect(try await catalog.work(of: "b") == work)
      try await catalog.take([dune[0]])
      #expect(try await catalog.gathered(["a", "b", "c"]) == [["a", "b", "c"]])
      #expect(try await catalog.work(of: "a") == work)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Editions of one book stay one work while one is withdrawn`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let listing = ["a", "b"].map {
        HarvestPage.Change.listed(edition($0, "Dune", by: "F Herbert"))
      }
      try await catalog.harvest(StubLender([listing]))
      let work = try await catalog.work(of: "a")
      try await catalog.harvest(StubLender([[.removed(ItemID("a"))]]), full: false)
      #expect(try await catalog.work(of: "a") == work)
      try await catalog.harvest(StubLender([listing]))
      #expect(try await catalog.gathered(["a", "b"]) == [["a", "b"]])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Editions of one book of many books of one name are told apart by who wrote them`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      let first = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivo", "Jo"]
      let last = [
        "Almond", "Birch", "Cedar", "Dahlia", "Elm", "Fern", "Gorse", "Hazel", "Iris", "Juniper",
      ]
      let names = first.flatMap { first in last.map { "\(first) \($0)" } }
      var row: [Edition] = []
      for (place, name) in names.enumerated() {
        for copy in ["x", "y"] { row.append(edition("\(copy)\(place)", "Poems", by: name)) }
      }
      try await catalog.take(row)
      let works = try await catalog.gathered(row.map(\.item.rawValue))
      #expect(works == Set(names.indices.map { ["x\($0)", "y\($0)"] }))
    }
  }

  @Test(arguments: Engine.allCases)
  func `Editions of one book are one work however many there are`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let row = (0..<200).map { edition("h\($0)", "Hamlet", by: "William Shakespeare") }
      for part in stride(from: 0, to: 200, by: 40) {
        try await catalog.take(Array(row[part..<(part + 40)]))
      }
      #expect(try await catalog.gathered(row.map(\.item.rawValue)).count == 1)
    }
  }
}

/// Chance that repeats itself.
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
