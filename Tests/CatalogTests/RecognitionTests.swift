import Catalog
import Circulation
import Database
import Matching
import TestSupport
import Testing

@Suite struct `A book on somebody's list` {
  private func work(_ catalog: Catalog, _ item: String) async throws -> WorkID? {
    try await catalog.edition(ItemID(item), at: town)?.work
  }

  private func wish(
    _ title: String, _ authors: [String] = [], isbn: String? = nil
  ) -> Matching.Candidate {
    var wish = Matching.Candidate(title: title, authors: authors)
    wish.isbns = [isbn.flatMap { ISBN($0) }].compactMap(\.self)
    return wish
  }

  @Test(arguments: Engine.allCases)
  func `A book on somebody's list is recognized however it is written`(engine: Engine) async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(edition("a", "The Dispossessed", by: "Ursula K. Le Guin"), at: town)
      try await catalog.take(
        edition("b", "The Dispossessed", by: "Le Guin, Ursula K."), at: county)
      try await catalog.take(
        edition("c", "Orlando", by: "Virginia Woolf") { $0.isbns = [ISBN("9780156701600")!] },
        at: town)
      let (le, or) = (try await work(catalog, "a"), try await work(catalog, "c"))
      let found = try await catalog.recognize([
        wish("The Dispossessed (Hainish Cycle, #6)", ["Le Guin, Ursula K., 1929-2018"]),
        wish("dispossessed, the", ["Ursula Le Guin"]),
        wish("Orlando: A Biography", ["Woolf"], isbn: "9780156701600"),
        wish("The Quillon Tides", ["Ada Moss"]),
        wish(""),
      ])
      #expect(
        found == [
          .sure(try #require(le)), .sure(try #require(le)), .sure(try #require(or)), .none, .none,
        ])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A book on somebody's list is asked about where it may be one of several`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(edition("a", "Selected Poems", by: "Ada Elm"), at: town)
      try await catalog.take(edition("b", "Selected Poems", by: "Bo Fern"), at: town)
      let found = try await catalog.recognize([
        wish("Selected Poems"), wish("Selected Poems", ["Bo Fern"]),
      ])
      guard case .unsure(let choices) = found[0] else {
        Issue.record("\(found[0])")
        return
      }
      #expect(choices.count == 2 && choices.allSatisfy { !$0.why.isEmpty })
      #expect(zip(choices, choices.dropFirst()).allSatisfy { $0.score >= $1.score })
      #expect(found[1] == .sure(try #require(try await work(catalog, "b"))))
    }
  }

  /// More than are looked up at a time, so that each must keep its place.
  @Test(arguments: Engine.allCases)
  func `A book on somebody's list keeps its place among many`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let letters = Array("bcdfghklmnprstvwz")
      let names = (0..<450).map { number in
        "\(letters[number % 17])o\(letters[number / 17 % 17])a\(letters[number / 289])elin"
      }
      let shelf = names.enumerated().map { edition("i\($0)", "The \($1) Affair", by: "\($1) Moss") }
      try await catalog.take(shelf, of: town, provider: lender)
      let works = try await catalog.works(for: shelf.map { (town, $0.item) })
      let found = try await catalog.recognize(
        names.map { wish("\($0) affair, the", ["Moss, \($0)"]) })
      let wrong = zip(found, works).count { found, work in work.map { .sure($0) } != found }
      #expect(found.count == 450 && wrong == 0)
    }
  }

  /// A name that hundreds have says nothing; with its writer it says everything.
  @Test(arguments: Engine.allCases)
  func `A book on somebody's list is found among many of its name`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      let letters = Array("bcdfghklmnprstvwz")
      let writers = (0..<200).map { "Ada \(letters[$0 % 17])o\(letters[$0 / 17])anelin" }
      let shelf = writers.enumerated().map { edition("n\($0)", "Night", by: $1) }
      try await catalog.take(shelf, of: town, provider: lender)
      let works = try await catalog.works(for: shelf.map { (town, $0.item) })
      let found = try await catalog.recognize(writers.map { wish("Night", [$0]) })
      let wrong = zip(found, works).count { found, work in work.map { .sure($0) } != found }
      #expect(wrong == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A book on somebody's list may be known when something came, and follows its work`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(edition("a", "Dune", by: "Frank Herbert"), at: town)
      let stamp = try await catalog.recognitionStamp()
      #expect(try await catalog.recognitionStamp() == stamp)
      try await catalog.note([ItemID("a"): available(.queued(.init()), at: 5)], at: town)
      #expect(try await catalog.recognitionStamp() == stamp)
      try await catalog.take(edition("b", "Dune: Deluxe", by: "Bo Fern"), at: county)
      #expect(try await catalog.recognitionStamp() != stamp)

      let one = try #require(try await work(catalog, "a"))
      let two = try #require(try await catalog.edition(ItemID("b"), at: county)?.work)
      #expect(try await catalog.moved([one, two]) == [:])
      _ = try await catalog.join(one, two)
      let moved = try await catalog.moved([one, two])
      #expect(moved.count == 1 && moved.first.map { [one, two].contains($0.value) } == true)
      let sightings = try await catalog.sightings(of: [one, two])
      #expect(Set(sightings.map(\.item.rawValue)) == ["a", "b"])
      #expect(sightings.first { $0.item.rawValue == "a" }?.availability?.word == "queued")
      #expect(sightings.first { $0.item.rawValue == "b" }?.availability == nil)
    }
  }
}
