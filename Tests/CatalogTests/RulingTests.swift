import Catalog
import Circulation
import Database
import Matching
import TestSupport
import Testing

@Suite struct `A person's word` {
  private let row = [
    edition("a", "Dune", by: "Frank Herbert"), edition("b", "Dune", by: "Frank Herbert"),
    edition("c", "Dune", by: "Frank Herbert"),
    edition("d", "Der Wüstenplanet", by: "Frank Herbert"),
  ]
  private let items = ["a", "b", "c", "d"]

  private func listing(_ row: [Edition]) -> StubLender {
    StubLender([row.map { .listed($0) }])
  }

  private func joined(_ catalog: Catalog) async throws {
    try await catalog.harvest(listing(row))
    let (one, two) = (
      try #require(try await catalog.work(of: "a")), try #require(try await catalog.work(of: "d"))
    )
    #expect(try await catalog.join(one, two) != nil)
  }

  @Test(arguments: Engine.allCases)
  func `A person's word makes two works one through harvests, withdrawal and other rules`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store in
      try await joined(catalog)
      #expect(try await catalog.gathered(items) == [["a", "b", "c", "d"]])
      try await catalog.harvest(listing(row))
      #expect(try await catalog.gathered(items) == [["a", "b", "c", "d"]])
      try await catalog.harvest(StubLender([[.removed(ItemID("d"))]]), full: false)
      try await catalog.harvest(listing(row))
      #expect(try await catalog.gathered(items) == [["a", "b", "c", "d"]])
      try await forgetRules(store)
      try await catalog.matchWaiting()
      #expect(try await catalog.gathered(items) == [["a", "b", "c", "d"]])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A person's word brings along what comes later and is like one of the two`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await joined(catalog)
      try await catalog.take([
        edition("e", "Dune", by: "Frank Herbert"),
        edition("f", "Der Wüstenplanet", by: "Frank Herbert"),
      ])
      #expect(
        try await catalog.gathered(items + ["e", "f"]) == [["a", "b", "c", "d", "e", "f"]])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A person's word takes editions out for good`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, store in
      try await catalog.harvest(listing(row))
      let work = try await catalog.work(of: "a")
      #expect(try await catalog.split([name("b")]) != nil)
      let apart: Set<Set<String>> = [["a", "c"], ["b"], ["d"]]
      #expect(try await catalog.gathered(items) == apart)
      #expect(try await catalog.work(of: "a") == work)
      try await catalog.harvest(listing(row))
      try await catalog.harvest(StubLender([[.removed(ItemID("b"))]]), full: false)
      try await catalog.harvest(listing(row))
      try await forgetRules(store)
      try await catalog.matchWaiting()
      #expect(try await catalog.gathered(items) == apart)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A person's word can be taken back, and the later of two counts`(engine: Engine) async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await joined(catalog)
      _ = try await catalog.split([name("d")])
      #expect(try await catalog.gathered(items) == [["a", "b", "c"], ["d"]])
      #expect(try await catalog.undo()?.kind == .split)
      #expect(try await catalog.gathered(items) == [["a", "b", "c", "d"]])
      #expect(try await catalog.undo()?.kind == .join)
      #expect(try await catalog.gathered(items) == [["a", "b", "c"], ["d"]])
      #expect(try await catalog.undo() == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A person's word joins again what it had taken apart`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(listing(row))
      _ = try await catalog.split([name("b"), name("c")])
      #expect(try await catalog.gathered(items) == [["a"], ["b", "c"], ["d"]])
      let (one, two) = (
        try #require(try await catalog.work(of: "a")), try #require(try await catalog.work(of: "b"))
      )
      _ = try await catalog.join(one, two)
      #expect(try await catalog.gathered(items) == [["a", "b", "c"], ["d"]])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a ruling that joins a work with itself or names unknown editions is not kept`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.harvest(listing(row))
      let work = try #require(try await catalog.work(of: "a"))
      #expect(try await catalog.join(work, work) == nil)
      #expect(try await catalog.join(work, WorkID("w999")) == nil)
      #expect(try await catalog.split([name("d")]) == nil)
      #expect(try await catalog.split([name("a"), name("d")]) == nil)
      #expect(try await catalog.rulings().isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A person's word and the matcher's are told by an explanation`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await joined(catalog)
      try await catalog.take([edition("x", "Dune")])
      let work = try #require(try await catalog.work(of: "a"))
      let told = try #require(try await catalog.explain(work))
      #expect(told.members.count == 4)
      #expect(told.rulings.map(\.kind) == [.join])
      var bonds: [String] = []
      for member in told.members {
        switch member.because {
        case .first: bonds.append("first")
        case .same(let other, let verdict):
          bonds.append("same")
          #expect(verdict.score > 0.9 && !verdict.why.isEmpty && other != member.name)
        case .ruling: bonds.append("ruling")
        }
      }
      #expect(bonds == ["first", "same", "same", "ruling"])
      #expect(told.near.map(\.name) == [name("x")])
    }
  }
}
