import Catalog
import Circulation
import Database
import TestSupport
import Testing

@Suite struct `The number of a work` {
  @Test(arguments: Engine.allCases)
  func `The number of a work is the one that most of its editions had`(engine: Engine) async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("lone", "Sapiens, a history", by: "Y. N. Harari")])
      try await catalog.take((1...3).map { edition("m\($0)", "Dune", by: "Frank Herbert") })
      let small = try #require(try await catalog.work(of: "lone"))
      let large = try #require(try await catalog.work(of: "m1"))
      try await catalog.take([edition("lone", "Dune", by: "Frank Herbert")])
      #expect(try await catalog.work(of: "lone") == large)
      #expect(small != large)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The number of a work that became part of another leads there`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let ids = ["a", "b", "c"]
      for (id, title) in zip(ids, ["Emma", "Persuasion", "Dune"]) {
        try await catalog.take([edition(id, title, by: "Frank Herbert")])
      }
      var former: [WorkID] = []
      for id in ids { former.append(try #require(try await catalog.work(of: id))) }
      try await catalog.take([edition("b", "Dune", by: "Frank Herbert")])
      try await catalog.take([edition("a", "Dune", by: "Frank Herbert")])
      let now = try #require(try await catalog.work(of: "c"))
      for work in former { #expect(try await catalog.work(work)?.work == now) }
      #expect(try await catalog.work(now)?.editions.count == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The number of a work is never given to two works`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let titles = ["Dune", "Emma", "Sapiens"]
      var chance = Chance(state: 9)
      let items = (0..<12).map { "i\($0)" }
      for _ in 0..<60 {
        let item = items.randomElement(using: &chance) ?? "i0"
        let title = titles.randomElement(using: &chance) ?? "Dune"
        try await catalog.take([edition(item, title, by: "Frank Herbert")])
      }
      let entries = try await catalog.entries(for: items.map { (town, ItemID($0)) })
      let byWork = Dictionary(grouping: entries.compactMap(\.self), by: \.work)
      for (_, members) in byWork {
        #expect(Set(members.map(\.editions[0].edition.title)).count == 1)
      }
      #expect(byWork.count == Set(entries.compactMap { $0?.editions[0].edition.title }).count)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The number of a work stays when all is matched anew by other rules`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, store in
      let items = troublesome.map(\.item.rawValue)
      try await catalog.take(troublesome)
      let before = try await catalog.entries(for: items.map { (town, ItemID($0)) })
      try await forgetRules(store)
      try await catalog.matchWaiting()
      let after = try await catalog.entries(for: items.map { (town, ItemID($0)) })
      #expect(before.map { $0?.work } == after.map { $0?.work })
    }
  }

  @Test(arguments: Engine.allCases)
  func `editions stored before the matcher existed are gathered into the same works`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.take(troublesome)
      let items = troublesome.map(\.item.rawValue)
      let expected = try await catalog.gathered(items)
      // Each edition its own work, no keys and no kin: what an older program leaves.
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE catalog_edition SET work = id")
        try tx.execute("UPDATE catalog_work SET merged_into = NULL")
        try tx.execute("UPDATE catalog_matching SET version = 0")
      }
      // A harvest comes in between, and the pass is stopped on its way.
      try await catalog.take([edition("new", "Dune", by: "Frank Herbert") { $0.languages = ["en"] }]
      )
      try await catalog.matchWaiting()
      let works = try await catalog.gathered(items + ["new"])
      #expect(Set(works.map { $0.subtracting(["new"]) }) == expected)
      #expect(works.contains(["dune", "dune-audio", "dune-tie", "new"]))
    }
  }

  @Test(arguments: Engine.allCases)
  func `matching all editions ends with the same works when it is stopped many times`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      let row = (0..<1100).map { number in
        edition("i\(number)", "Volume of Odds \(number / 2)", by: "Ada \(number / 2) Elm")
      }
      try await catalog.take(row + troublesome)
      let items = (row + troublesome).map(\.item.rawValue)
      let expected = try await catalog.gathered(items)
      try await forgetRules(store)
      for _ in 0..<20 {
        // Stopped after its first step each time.
        let pass = Task {
          try await catalog.matchWaiting { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          }
        }
        _ = try? await pass.value
      }
      try await catalog.matchWaiting()
      #expect(try await catalog.gathered(items) == expected)
    }
  }
}
