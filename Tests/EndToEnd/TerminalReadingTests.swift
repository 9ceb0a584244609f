import JourneySupport
import TestSupport
import Testing

/// The list that every reading app is tried with, in a real terminal.
@Suite(.serialized) struct `A book in a terminal` {
  private func reading(
    _ columns: Int = 80, _ rows: Int = 24, _ body: (Terminal, [String]) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try folder.write(Self.book.bytes, to: "book.epub")
      let words = [
        Mock.program("carrel"), "--home", folder.path("home"), "read", folder.path("book.epub"),
      ]
      let terminal = try await Terminal(columns, rows, in: folder, words)
      do { try await body(terminal, words) } catch {
        try await terminal.close()
        throw error
      }
      try await terminal.close()
    }
  }

  @Test func `A book in a terminal opens with its jacket, turns pages and keeps the place`()
    async throws
  {
    try await reading { terminal, words in
      let jacket = try await terminal.shows("The Long Walk")
      #expect(jacket.contains("Ada Writer") && !jacket.contains("one1 "))
      try await terminal.press("Space")
      let first = try await terminal.shows("one1 one2")
      #expect(first.contains("Departure") && first.contains("1/"))
      #expect(first.contains("%") && first.contains("░░░░"))
      try await terminal.press("Space")
      let second = try await terminal.awaits("the next page") { $0.contains(" 2/") }
      #expect(!second.contains("one1 one2"))
      try await terminal.press("q")
      try await terminal.shows("left with 0")
    }
  }

  @Test func `A book in a terminal has contents, search, bookmarks, colors and a width to choose`()
    async throws
  {
    try await reading { terminal, _ in
      try await terminal.shows("space opens")
      try await terminal.press("Space")
      try await terminal.shows("one1 one2")
      try await terminal.press("t")
      let contents = try await terminal.shows("Contents")
      #expect(contents.contains("Arrival"))
      try await terminal.press("Down", "Enter")
      try await terminal.shows("two1 two2")

      try await terminal.press("b")
      try await terminal.shows("A bookmark is put in.")
      try await terminal.press("B")
      try await terminal.shows("Bookmarks and notes")
      try await terminal.press("Escape")

      try await terminal.press("/")
      try await terminal.type("ONE300")
      try await terminal.press("Enter")
      let hit = try await terminal.shows("1 of 1")
      #expect(hit.contains("one300"))
      try await terminal.press("Escape")
      try await terminal.shows("two1 two2")

      let wide = try await terminal.screen()
      try await terminal.press("-")
      try await terminal.shows("Lines of 68 cells.")
      let narrow = try await terminal.screen()
      #expect(Self.widest(narrow) <= 68 && Self.widest(narrow) < Self.widest(wide))

      #expect(!(try await terminal.painted()).contains("48;5;16"))
      for theme in ["black on white", "sepia", "white on black"] {
        try await terminal.press("T")
        try await terminal.shows("Colors: \(theme).")
      }
      #expect(try await terminal.painted().contains("48;5;16"))

      try await terminal.press("G")
      let last = try await terminal.shows("100%")
      #expect(last.contains("████████████"))
      try await terminal.press("Space")
      try await terminal.shows("The end")
    }
  }

  @Test func `A book in a terminal goes on where it was left, in a window of another size`()
    async throws
  {
    try await reading { terminal, words in
      try await terminal.shows("space opens")
      try await terminal.press("Space", "n", "Space")
      let page = try await terminal.awaits("the second page") {
        $0.contains("Arrival 2/")
      }
      let word = try #require(Self.firstWord(page))
      try await terminal.resize(50, 12)
      try await terminal.awaits("the smaller page") {
        Self.widest($0) <= 48 && Self.firstWord($0) == word
      }
      try await terminal.resize(80, 24)
      try await terminal.awaits("the page as it was") { $0 == page }
      try await terminal.resize(9, 3)
      try await terminal.awaits("a tiny page") { $0.contains("%") && Self.widest($0) <= 9 }
      try await terminal.resize(80, 24)
      try await terminal.shows("Arrival 2/")
    }
  }

  @Test(arguments: [("TERM", 0), ("INT", 130), ("HUP", 0)])
  func `A book in a terminal leaves the terminal as it was when it is told to stop`(
    signal: String, code: Int
  ) async throws {
    try await reading { terminal, _ in
      try await terminal.shows("space opens")
      try await terminal.press("Space")
      try await terminal.shows("one1 one2")
      try await terminal.signal(signal)
      // What stty tells then: lines are put together and shown again.
      let after = try await terminal.shows("echoprt")
      #expect(after.contains("left with \(code)\n") && !after.contains("one1 one2"))
      #expect(!after.contains("-icanon") && !after.contains("-echo ") && !after.contains("-isig"))
    }
  }

  private static func widest(_ screen: String) -> Int {
    screen.split(separator: "\n").dropLast()
      .map { $0.drop { $0 == " " }.count }.max() ?? 0
  }

  private static func firstWord(_ screen: String) -> Substring? {
    screen.split(whereSeparator: \.isWhitespace).first
  }

  private static var book: TestArchive {
    func page(_ title: String, _ name: String) -> String {
      let words = (1...1200).map { "\(name)\($0)" }
      let paragraphs = stride(from: 0, to: words.count, by: 60).map { start in
        "<p>\(words[start..<min(start + 60, words.count)].joined(separator: " "))</p>"
      }
      return """
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>\
        <h1>\(title)</h1>\(paragraphs.joined())</body></html>
        """
    }
    let xhtml = "media-type='application/xhtml+xml'"
    return TestArchive([
      .init("mimetype", "application/epub+zip"),
      .init(
        "META-INF/container.xml",
        """
        <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>\
        <rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles>\
        </container>
        """),
      .init(
        "b.opf",
        """
        <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Long Walk</dc:title>\
        <dc:identifier id="u">urn:x:walk</dc:identifier><dc:language>en</dc:language>\
        <dc:creator>Ada Writer</dc:creator></metadata><manifest>\
        <item id="n" href="nav.xhtml" \(xhtml) properties="nav"/>\
        <item id="a" href="a.xhtml" \(xhtml)/><item id="b" href="b.xhtml" \(xhtml)/></manifest>\
        <spine><itemref idref="a"/><itemref idref="b"/></spine></package>
        """),
      .init(
        "nav.xhtml",
        """
        <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
        <body><nav epub:type="toc"><ol><li><a href="a.xhtml">Departure</a></li>\
        <li><a href="b.xhtml">Arrival</a></li></ol></nav></body></html>
        """),
      .init("a.xhtml", page("Departure", "one")), .init("b.xhtml", page("Arrival", "two")),
    ])
  }
}
