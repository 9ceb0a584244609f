import Catalog
import Circulation
import Database
import TestSupport
import Testing

@Suite struct `The length of a queue` {
  private static let day = 86_400.0

  private func note(_ holds: Int, on day: Double, _ catalog: Catalog) async throws {
    let copies = Availability.Copies(total: 2, available: 0, holds: holds)
    try await catalog.note(
      [ItemID("a"): available(.queued(copies), at: day * Self.day)], at: town)
  }

  @Test(arguments: Engine.allCases)
  func `The length of a queue is kept day by day, and not more often`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      for (holds, day) in [(9, 1.0), (9, 1.01), (8, 2.0), (3, 2.1), (6, 3.5)] {
        try await note(holds, on: day, catalog)
      }
      let kept = try await catalog.queues(of: [name("a")])[name("a")]
      #expect(kept?.map(\.holds) == [9, 8, 6])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The length of a queue is kept for a month, and an older answer is not added later`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      for day in 1...50 { try await note(100 - day, on: Double(day), catalog) }
      try await note(77, on: 3, catalog)
      let kept = try await catalog.queues(of: [name("a")])[name("a")]
      #expect(kept?.map(\.holds) == Array((50...79).reversed()))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The length of a queue is not kept where nobody waits`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await note(0, on: 1, catalog)
      #expect(try await catalog.queues(of: [name("a"), name("b")]).isEmpty)
    }
  }
}

@Suite struct `What a work says of itself` {
  @Test(arguments: Engine.allCases)
  func `What a work says of itself: is the best of all its editions`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("audio", "Dune [Audiobook]", by: "Frank Herbert") {
          $0.medium = .audiobook
          $0.summary = "Read aloud."
          $0.isbns = [ISBN("9780306406157")].compactMap(\.self)
          $0.popularity = 900
        },
        edition("bare", "Dune", by: "Frank Herbert") { $0.popularity = 90 },
        edition("full", "Dune", by: "Frank Herbert") {
          $0.summary = "A desert planet."
          $0.covers = Covers(large: "https://covers.example/1")
          $0.isbns = [ISBN("9780804429573")].compactMap(\.self)
          $0.languages = ["en"]
          $0.series = Series(name: "Dune", position: 1)
        },
      ])
      let work = try #require(try await catalog.work(of: "bare"))
      let entry = try #require(try await catalog.work(work))
      #expect(entry.editions.count == 3)
      let face = entry.face
      #expect(face.title == "Dune" && face.summary == "A desert planet.")
      #expect(face.covers.large == "https://covers.example/1")
      #expect(face.isbns.count == 2 && face.languages == ["en"])
      #expect(face.series?.position == 1)
    }
  }
}
