import Foundation
import JSON
import TestSupport
import Testing

@testable import Commands

@Suite struct `Commands about a book file` {
  let shell: Shell

  init() throws {
    shell = try Shell()
    try Data(Self.book().bytes).write(to: shell.home.appending(path: "book.epub"))
  }

  private static func book(title: String = "A Book", chapter: String = "<p id='b'>Words.</p>")
    -> TestArchive
  {
    func page(_ body: String) -> String {
      "<html xmlns='http://www.w3.org/1999/xhtml'><body>\(body)</body></html>"
    }
    return TestArchive.book(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>\(title)</dc:title>\
      <dc:identifier id="u">urn:x:1</dc:identifier><dc:language>ar</dc:language>\
      <dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator></metadata><manifest>\
      <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
      <item id="c" href="one.xhtml" media-type="application/xhtml+xml"/>\
      <item id="p" href="p.png" media-type="image/png" properties="cover-image"/></manifest>\
      <spine><itemref idref="c"/></spine></package>
      """,
      [
        .init(
          "nav.xhtml",
          """
          <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
          <body><nav epub:type="toc"><ol><li><a href="one.xhtml">One</a><ol>\
          <li><a href="one.xhtml#b">Within</a></li></ol></li></ol></nav></body></html>
          """),
        .init("one.xhtml", page(chapter)), .init("p.png", "a picture"),
      ])
  }

  private func write(_ archive: TestArchive, _ name: String) throws {
    try Data(archive.bytes).write(to: shell.home.appending(path: name))
  }

  /// The items of a command that ended well, held to its schema.
  private func items(_ words: String...) throws -> [JSONValue] {
    let ending = try shell.carrel(words + ["--json"])
    #expect(ending.code == 0)
    #expect(ending.error.isEmpty)
    let document = try JSONValue(parsing: ending.output)
    let schema = try #require(SchemaCommand.all.first { $0.id == document["schema"]?.string })
    #expect(Check.faults(document, schema.document) == [])
    return try #require(document["items"]?.array)
  }

  @Test func `Commands about a book file tell what it is`() throws {
    let item = try #require(try items("epub", "inspect", "book.epub").first)
    let wanted: [String: JSONValue] = [
      "version": "3.0", "title": "A Book", "creators": ["Ada", "Bo"], "language": "ar",
      "identifier": "urn:x:1", "spine_length": 1, "toc_entries": 2, "toc_top_level": 1,
      "cover": "p.png", "page_progression": "rtl", "fixed_layout": false, "media_overlays": 0,
      "positions": 1, "warnings": [],
    ]
    for (key, value) in wanted { #expect(item[key] == value, "\(key)") }
  }

  @Test func `Commands about a book file print its contents`() throws {
    let entries = try items("epub", "toc", "book.epub")
    #expect(entries.map { $0["title"] } == ["One", "Within"])
    #expect(entries.map { $0["href"] } == ["one.xhtml", "one.xhtml#b"])
    #expect(entries.map { $0["depth"] } == [0, 1])
    #expect(entries.map { $0["spine"] } == [0, 0])
    #expect(try shell.carrel("epub", "toc", "book.epub").output == "One\n  Within\n")
  }

  @Test func `Commands about a book file list what is wrong with it`() throws {
    #expect(try items("epub", "check", "book.epub") == [])
    #expect(try shell.carrel("epub", "check", "book.epub").output == "Nothing is wrong.\n")
    try write(Self.book(chapter: "<p id='b'>never closed"), "bad.epub")
    #expect(try items("epub", "check", "bad.epub").map { $0["code"] } == ["xhtml-malformed"])
  }

  @Test func `Commands about a book file print its text`() throws {
    try write(
      Self.book(chapter: "<h1>One</h1><ul><li>a</li><li>b</li></ul><p>c\u{202E}<q>d</q></p>"),
      "text.epub")
    #expect(
      try shell.carrel("epub", "text", "text.epub").output == "One\n\n• a\n• b\n\nc“d”\n")
    let item = try #require(try items("epub", "text", "text.epub", "--item", "0").first)
    #expect(item["item"] == 0 && item["href"] == "one.xhtml")
    #expect(item["text"] == "One\n\n• a\n• b\n\nc“d”\n")
    let none = try shell.carrel("epub", "text", "text.epub", "--item", "7", "--json")
    #expect(none.code == 6)
    #expect(try JSONValue(parsing: none.error)["error"]?["code"] == "no-such-item")
  }

  @Test func `Commands about a book file find words in it`() throws {
    try write(
      Self.book(chapter: "<p id='b'>The <b>Whi</b>te Whále; the white\nwhale.</p>"), "find.epub")
    let item = try #require(try items("epub", "search", "find.epub", "white", "WHALE").first)
    #expect(item["count"] == 2)
    let hits = try #require(item["hits"]?.array)
    #expect(hits.map { $0["match"] } == ["White Whále", "white whale"])
    #expect(hits.map { $0["before"] } == ["The ", "The White Whále; the "])
    #expect(hits.map { $0["after"] } == ["; the white whale.", "."])
    #expect(hits.map { $0["item"] } == [0, 0])
    #expect(hits.map { $0["chapter"] } == ["Within", "Within"])
    #expect(hits[0]["cfi"] == "epubcfi(/6/2!/2/2[b],/2/1:0,/3:8)")
    let shown = try shell.carrel("epub", "search", "find.epub", "whale", "--match-case").output
    #expect(
      shown == " 82%  Within: The White Whále; the white [whale].\n1 place\n")
    #expect(
      try shell.carrel("epub", "search", "find.epub", "whale", "--limit", "1").output
        .hasSuffix("2 places, 1 shown\n"))
    #expect(
      try shell.carrel("epub", "search", "find.epub", "hal", "--whole-words").output
        == "'hal' is nowhere in it.\n")
    #expect(try items("epub", "search", "find.epub", "\u{AD}").first?["count"] == 0)
  }

  @Test func `Commands about a book file take it from a pipe`() throws {
    let program = Shell.program.path()
    let ending = try shell.sh("cat book.epub | \(program) epub inspect - --json")
    #expect(ending.code == 0)
    #expect(try JSONValue(parsing: ending.output)["items"]?[0]?["title"] == "A Book")
  }

  @Test(arguments: ["inspect", "toc", "check"])
  func `Commands about a book file refuse what is no book, with a code of its own`(_ verb: String)
    throws
  {
    try shell.write("no book", to: "bad.epub")
    let ending = try shell.carrel("epub", verb, "bad.epub", "--json")
    #expect(ending.code == 6)
    let error = try JSONValue(parsing: ending.error)["error"]
    #expect(error?["code"] == "zip-unreadable")
    let missing = try shell.carrel("epub", verb, "none.epub", "--json")
    #expect(missing.code == 13)
    #expect(try JSONValue(parsing: missing.error)["error"]?["code"] == "unreadable")
  }

  @Test func `Commands about a book file name the lock of a locked book`() throws {
    var locked = Self.book()
    locked["META-INF/license.lcpl"] = .init(
      "META-INF/license.lcpl", #"{"provider":"https://lend.example"}"#)
    try write(locked, "locked.epub")
    let ending = try shell.carrel("epub", "inspect", "locked.epub", "--json")
    #expect(ending.code == 6)
    #expect(try JSONValue(parsing: ending.error)["error"]?["code"] == "drm-lcp")
    #expect(
      try shell.carrel("epub", "inspect", "locked.epub").error.contains("https://lend.example"))
  }

  @Test func `Commands about a book file let nothing through to the terminal that it would obey`()
    throws
  {
    try write(Self.book(title: "Safe\u{9B}31m\u{202E}dne&#x9d;"), "evil.epub")
    let text = try shell.carrel("epub", "inspect", "evil.epub").output
    #expect(text.hasPrefix("Safe31mdne\n"))
    for scalar in text.unicodeScalars {
      #expect(scalar == "\n" || !(0..<0x20).contains(scalar.value))
      #expect(!(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
    }
  }
}
