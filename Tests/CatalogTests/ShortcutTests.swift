import Catalog
import Circulation
import Database
import TestSupport
import Testing

/// Ways by which a search comes sooner to what it would find anyway.
@Suite struct `A search that takes a shorter way` {
  /// Chance that repeats itself.
  private struct Dice {
    var state: UInt64 = 21

    mutating func roll(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % sides
    }

    /// The first ones more often than the last.
    mutating func words(_ count: Int) -> String {
      (0..<count).map { _ in
        let words = Self.words
        return words[roll(1 + roll(words.count))]
      }.joined(separator: " ")
    }

    /// Some begin others, some have figures, one is longer than any that is guessed at.
    private static let words = [
      "owl", "owls", "owlet", "night", "nightfall", "nights", "the", "of", "fiction", "fictions",
      "fictional", "history", "histories", "mp3player", "owl2", "1984", "19845", "o'brien",
      "spider-man", "été", "größe", "紅樓", "กรุงเทพ", "e-book",
      String(repeating: "donau", count: 8), "nightingale", "historian", "fictive",
    ]
  }

  private static func shelf(_ count: Int) -> [Edition] {
    var dice = Dice()
    return (0..<count).map { number in
      edition("b\(number)", dice.words(1 + dice.roll(3)), by: dice.words(1 + dice.roll(2))) {
        $0.popularity = Double(dice.roll(9))
        if dice.roll(3) == 0 { $0.subtitle = dice.words(2) }
        if dice.roll(2) == 0 { $0.subjects = [dice.words(1), dice.words(2)] }
      }
    }
  }

  /// As somebody types them: whole, or not yet.
  private static let queries: [String] = {
    var dice = Dice(state: 4)
    return (0..<120).map { _ in
      let words = dice.words(1 + dice.roll(3))
      return dice.roll(2) == 0 ? words : String(words.dropLast(1 + dice.roll(4)))
    }
  }()

  private static func answers(_ catalog: Catalog) async throws -> [[String]] {
    var answers: [[String]] = []
    for query in queries { answers.append(try await catalog.found(query, limit: 40)) }
    return answers
  }

  /// On the other engine all ranks are walked through, one after the other.
  @Test(arguments: [12, 90, 400])
  func `the shortened SQLite search returns the same results as the full PostgreSQL search`(
    count: Int
  ) async throws {
    let short = try await withCatalog(.sqlite) { catalog, _ async throws in
      try await catalog.take(Self.shelf(count))
      return try await Self.answers(catalog)
    }
    let long = try await withCatalog(.postgres) { catalog, _ async throws in
      try await catalog.take(Self.shelf(count))
      return try await Self.answers(catalog)
    }
    for (query, pair) in zip(Self.queries, zip(short, long)) {
      #expect(pair.0 == pair.1, "\(query)")
    }
    #expect(short.contains { !$0.isEmpty })
  }

  /// Whoever's words are not all known to be there asks the index for beginnings.
  @Test(arguments: Engine.allCases)
  func `A search that takes a shorter way finds the same by known endings as by beginnings`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, store async throws in
      try await catalog.take(Self.shelf(150))
      let known = try await Self.answers(catalog)
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE catalog_pulse SET indexed_by = 0")
      }
      let unknown = try await Self.answers(catalog)
      for (query, pair) in zip(Self.queries, zip(known, unknown)) {
        #expect(pair.0 == pair.1, "\(query)")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a search by the beginning of a word finds subjects with any number of endings`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ async throws in
      let letters = (0..<40).map { "abcdefgh".map(String.init)[$0 % 8] + "\($0)" }
      try await catalog.take(
        letters.map { end in
          edition("s\(end)", "A Book of \(end)", by: "Somebody \(end)") {
            $0.subjects = ["Ficti\(end)", "Drama"]
          }
        })
      try await catalog.take([edition("t", "Fiction and Drama"), edition("u", "Fictional")])
      #expect(try await catalog.found("ficti", limit: 100).count == 42)
      #expect(try await catalog.found("fictio") == ["t", "u"])
      #expect(try await catalog.found("ficti\(letters[7])") == ["s\(letters[7])"])
      #expect(try await catalog.found("drama", limit: 100).first == "t")
      #expect(try await catalog.found("drama", limit: 100).count == 41)
    }
  }

  /// A reader cannot type the sign of a subject.
  @Test(arguments: Engine.allCases)
  func `A search that takes a shorter way takes no subject for what a word was meant for`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ async throws in
      try await catalog.take([
        edition("a", "Nothing of It") { $0.subjects = ["Gardening", "Mp4"] }
      ])
      #expect(try await catalog.found("gardenign") == [])
      #expect(try await catalog.found("ardening") == [])
      #expect(try await catalog.found("¤gardening") == ["a"])
      #expect(try await catalog.found("nothign") == ["a"])
      #expect(try await catalog.found("mothing") == ["a"])
    }
  }
}
