import Catalog
import Circulation
import TestSupport
import Testing

@Suite struct `A search` {
  private static let shelf = [
    edition("emma", "Emma", by: "Jane Austen") { $0.popularity = 50 },
    edition("pride", "Pride and Prejudice", by: "Jane Austen") { $0.popularity = 90 },
    edition("eyre", "Jane Eyre", by: "Charlotte Brontë") {
      $0.popularity = 10
      $0.subtitle = "An Autobiography"
    },
    edition("heights", "Wuthering Heights", by: "Emily Brontë") {
      $0.series = Series(name: "Yorkshire Classics", position: 1)
    },
    edition("life", "The Life of Charlotte Brontë", by: "Elizabeth Gaskell") {
      $0.popularity = 5
      $0.subjects = ["Biography", "Jane Eyre"]
    },
    edition("stranger", "L'Étranger", by: "Albert Camus") { $0.languages = ["fr"] },
    edition("spider", "Spider-Man: Homecoming", by: "J.R.R. O'Brien"),
    edition("dream", "紅樓夢", by: "曹雪芹"),
  ]

  private func withShelf(_ engine: Engine, _ body: (Catalog) async throws -> Void) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take(Self.shelf)
      try await body(catalog)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search finds titles before authors before the rest`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("jane") == ["eyre", "pride", "emma", "life"])
      #expect(try await catalog.found("brontë") == ["life", "eyre", "heights"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search wants every word, wherever each is`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("bronte jane eyre") == ["eyre", "life"])
      #expect(try await catalog.found("yorkshire emily") == ["heights"])
      #expect(try await catalog.found("austen heights").isEmpty)
    }
  }

  @Test(
    arguments: Engine.allCases,
    [
      ("BRONTE jane", "eyre"), ("bro\u{308}nte\u{308} jane", "eyre"), ("etranger", "stranger"),
      ("l'étranger", "stranger"), ("L’ETRANGER", "stranger"), ("spiderman", "spider"),
      ("spider man", "spider"), ("o'brien", "spider"), ("obrien", "spider"), ("jrr", "spider"),
      ("紅樓", "dream"), ("Ｅｍｍａ", "emma"),
    ])
  func `A search minds neither case nor accents nor punctuation`(
    engine: Engine, pair: (words: String, item: String)
  ) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found(pair.words).first == pair.item)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search takes the last word for the beginning of one`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("pride and prej") == ["pride"])
      #expect(try await catalog.found("wuth heights").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a search ranks exact titles first, then whole words, then word beginnings`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("begun", "Artists") { $0.popularity = 900 },
        edition("word", "Modern Art") { $0.popularity = 90 },
        edition("whole", "The Art") { $0.popularity = 9 },
      ])
      #expect(try await catalog.found("art") == ["whole", "word", "begun"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a search ranks popular titles first among equals and unowned titles last`(
    engine: Engine
  ) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("little", "Owls one") { $0.popularity = 0.5 },
        edition("unknown", "Owls two"),
        edition("much", "Owls three") { $0.popularity = 3_000_000 },
        edition("unowned", "Owls four") {
          $0.popularity = 9_000_000
          $0.owned = false
        },
      ])
      #expect(try await catalog.found("owls") == ["much", "little", "unknown", "unowned"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search finds an edition by its number in any spelling`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        edition("own", "Own") { $0.isbns = [ISBN("9780141439518")].compactMap(\.self) },
        edition("print", "Print") { $0.relatedISBNs = [ISBN("0141439513")].compactMap(\.self) },
        edition("other", "Other") { $0.isbns = [ISBN("9780141439587")].compactMap(\.self) },
      ])
      for spelling in [
        "9780141439518", "978-0-14-143951-8", "0141439513", "ISBN 0 14 143951 3",
        "urn:isbn:9780141439518", "URN:ISBN:0-14-143951-3", "isbn:9780141439518",
        "ISBN: 0141439513",
        "ISBN-13: 978-0-14-143951-8", "ISBN-10 0141439513", "isbn=0141439513",
        "eISBN 9780141439518",
        "978 0 14 143951 8", "978\u{2011}0\u{2011}14\u{2011}143951\u{2011}8", "[0141439513]",
        "9780141439518 (pbk.)", "=\"0141439513\"", " 0141439513 ", "９７８０１４１４３９５１８",
      ] {
        #expect(try await catalog.found(spelling).sorted() == ["own", "print"], "\(spelling)")
      }
      for among in [
        "own 978-0-14-143951-8", "978 0 14 143951 8 own", "own isbn:0141439513",
        "own ISBN 978-0-14-143951-8", "urn:isbn:0141439513 own",
      ] {
        #expect(try await catalog.found(among) == ["own"], "\(among)")
      }
      #expect(try await catalog.found("9780141439").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search finds an edition by what others call it`(engine: Engine) async throws {
    func named(_ item: String, _ title: String, _ scheme: String, _ value: String) -> Edition {
      edition(item, title) { $0.identifiers = [ForeignIdentifier(scheme: scheme, value: value)] }
    }
    try await withCatalog(engine) { catalog, _ in
      try await catalog.take([
        named("world", "One", "oclc", "ocm00424023"), named("congress", "Two", "lccn", "70098765"),
        named("open", "Three", "openlibrary", "/works/OL45804W"),
        named("serial", "Four", "issn", "0317-8471"), edition("oclc", "OCLC 1967 to 1997"),
        edition("near", "424023"),
      ])
      for (spelling, item) in [
        ("oclc:424023", "world"), ("OCLC 424023", "world"), ("(OCoLC)424023", "world"),
        ("ocm00424023", "world"), ("urn:oclc:424023", "world"), ("OCLC number: 424023", "world"),
        ("one oclc:424023", "world"), ("lccn:70-98765", "congress"), ("LCCN 70098765", "congress"),
        ("lccn: 70098765 /AC/r85", "congress"), ("OL45804W", "open"),
        ("https://openlibrary.org/works/OL45804W", "open"), ("issn:03178471", "serial"),
        ("ISSN 0317-8471", "serial"), ("oclc 1967 to", "oclc"), ("424023", "near"),
      ] {
        #expect(try await catalog.found(spelling) == [item], "\(spelling)")
      }
      #expect(try await catalog.found("two oclc:424023").isEmpty)
    }
  }

  @Test(
    arguments: Engine.allCases,
    [
      ("prejudise", "pride"), ("wuthring", "heights"), ("austin pride", "pride"),
      ("charlote", "life"), ("yorkshre", "heights"), ("hieghts", "heights"),
    ])
  func `A search guesses at a misspelt word when nothing is found`(
    engine: Engine, pair: (words: String, item: String)
  ) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found(pair.words).first == pair.item)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search does not guess at nonsense`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("xqzvvk").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search of blanks lists everything, the best liked first`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found(" ", limit: 3) == ["pride", "emma", "eyre"])
      #expect(try await catalog.found("", limit: 100).count == Self.shelf.count)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A search keeps to its limit`(engine: Engine) async throws {
    try await withShelf(engine) { catalog async throws in
      #expect(try await catalog.found("jane", limit: 2) == ["eyre", "pride"])
      #expect(try await catalog.found("jane", limit: 0).isEmpty)
      #expect(try await catalog.found("jane", limit: -1).isEmpty)
      #expect(try await catalog.found("jane", limit: .max).count == 4)
    }
  }
}
