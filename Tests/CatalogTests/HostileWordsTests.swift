import Catalog
import Circulation
import TestSupport
import Testing

@Suite struct `Words that mean something to an engine` {
  private static let words = [
    "\"", "'", "*", "-", "--", "owl*", "-owl", "\"owl\"", "owl AND", "OR", "NOT owl", "NEAR(owl)",
    "title:owl", "{title}:owl", "owl^2", "owl | x", "owl & !x", "owl:*", "owl <-> x", "(", ")",
    "()",
    "\\", "\\'", "%", "_", "; DROP TABLE catalog_words", "owl\0", "\0", "\u{202E}owl", "§l1", "§",
    "+", ":", "^", "~", "#", "🦉", "🦉 owl", "\u{301}", "\u{FFFD}", "\n\t", "$1", "?", "the",
    "of the",
    "'owl':1A", "\u{200B}", "a\u{300}\u{300}\u{300}\u{300}", "ﬁ", "ﷺ", "İ",
  ]

  @Test(arguments: Engine.allCases)
  func `Words that mean something to an engine mean nothing to a search`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("owl", "The Owl of the Night"), edition("x", "X")])
      for words in Self.words {
        let found = try await catalog.found(words)
        if words.contains("owl"), !words.contains("x"), !words.contains(where: \.isNumber),
          !words.contains("DROP"), !["AND", "NOT", "NEAR", "title"].contains(where: words.contains)
        {
          #expect(found == ["owl"], "\(words.debugDescription)")
        }
      }
      #expect(try await catalog.found("***").isEmpty)
      #expect(try await catalog.found("§l1").isEmpty)
      #expect(try await catalog.found("the of the") == ["owl"])
      #expect(try await catalog.found("owl") == ["owl"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Words that mean something to an engine mean nothing in a title`(engine: Engine) async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let titles = Self.words.enumerated().map { edition("t\($0)", $1 + " finch", by: $1) }
      try await catalog.take(titles)
      #expect(try await catalog.found("finch", limit: 1000).count == titles.count)
      for title in titles {
        let entry = try await catalog.edition(title.item, at: town)
        #expect(entry?.editions.first?.edition == title)
      }
    }
  }

  @Test(
    arguments: Engine.allCases,
    [
      String(repeating: "x", count: 10_000), String(repeating: "x ", count: 10_000),
      String(repeating: "\"", count: 10_000), String(repeating: "x-", count: 10_000),
      String(repeating: "e\u{301}", count: 10_000),
      (0..<3_000).map { "w\($0)" }.joined(separator: " "),
      String(repeating: "9780141439518 ", count: 1_000), String(repeating: "(", count: 10_000),
      String(repeating: "紅", count: 10_000), "x" + String(repeating: "\u{301}", count: 10_000),
    ])
  func `Words that mean something to an engine may be very many`(engine: Engine, words: String)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([edition("long", words, by: words), edition("short", "Owl")])
      _ = try await catalog.found(words)
      let kept = try await catalog.edition(ItemID("long"), at: town)?.editions[0].edition.title
      #expect(kept == words.limited(to: TextLimit.title))
    }
  }

  @Test(arguments: Engine.allCases)
  func `item and library ids with special characters do no harm in the catalog`(engine: Engine)
    async throws
  {
    try await withCatalog(engine) { catalog, _ in
      let (zero, quote) = (ItemID("a\0b"), ItemID("a'\"b"))
      try await catalog.take([edition(zero.rawValue, "Zero"), edition(quote.rawValue, "Quote")])
      #expect(try await catalog.found("") == ["a'\"b"])
      #expect(try await catalog.edition(zero, at: town) == nil)
      #expect(try await catalog.edition(quote, at: town) != nil)
      #expect(try await catalog.edition(quote, at: LibraryID("\0")) == nil)
      #expect(try await catalog.found("quote", at: [LibraryID("\0"), LibraryID("'")]).isEmpty)
      try await catalog.note([zero: available(.openAccess, at: 1)], at: town)
      try await catalog.take([edition("a", "A")], of: LibraryID("\0"), provider: lender)
    }
  }
}
