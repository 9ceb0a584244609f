import Foundation
import JSON
import TestSupport
import Testing

@testable import Commands

@Suite struct `Commands about bookmarks and notes` {
  let shell: Shell

  init() throws {
    shell = try Shell()
    try write("book.epub", "<p>Call me Ishmael. Some years ago.</p><p>The white whale.</p>")
  }

  /// The same book by its identifier, whatever stands in it.
  private func write(_ name: String, _ body: String, title: String = "Moby-Dick") throws {
    let archive = TestArchive.book(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>\(title)</dc:title>\
      <dc:identifier id="u">urn:x:whale</dc:identifier><dc:language>en</dc:language>\
      <dc:creator>Herman Melville</dc:creator></metadata><manifest>\
      <item id="c" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>\
      <spine><itemref idref="c"/></spine></package>
      """,
      [
        .init(
          "one.xhtml",
          "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>One</title></head>"
            + "<body>\(body)</body></html>")
      ])
    try Data(archive.bytes).write(to: shell.home.appending(path: name))
  }

  private func carrel(_ words: String...) throws -> Shell.Ending {
    try shell.carrel(["--home", shell.path("home")] + words)
  }

  private func items(_ words: String...) throws -> [JSONValue] {
    let ending = try shell.carrel(["--home", shell.path("home")] + words + ["--json"])
    #expect(ending.code == 0, "\(words): \(ending.error)")
    let document = try JSONValue(parsing: ending.output)
    let schema = try #require(SchemaCommand.all.first { $0.id == document["schema"]?.string })
    #expect(Check.faults(document, schema.document) == [])
    return try #require(document["items"]?.array)
  }

  private var file: String { shell.path("book.epub") }

  @Test func `Commands about bookmarks and notes put a bookmark in, list it and take it out`()
    throws
  {
    let made = try #require(try items("bookmark", "add", file, "--at", "50%").first)
    #expect(made["kind"] == "bookmark" && made["title"] == "Moby-Dick")
    #expect(try items("bookmark", "ls").map { $0["id"] } == [made["id"]])
    #expect(try items("note", "ls") == [])
    let id = try #require(made["id"]?.string)
    _ = try items("bookmark", "rm", String(id.prefix(6)))
    #expect(try items("bookmark", "ls") == [])
    #expect(try carrel("bookmark", "rm", id).code == 5)
  }

  @Test func `bookmark and note lists name the book, even one without a title`() throws {
    try write("untitled.epub", "<p>Nameless words.</p>", title: "")
    for name in ["book.epub", "untitled.epub"] {
      _ = try items("bookmark", "add", shell.path(name), "--at", "0%")
      _ = try items("note", "add", shell.path(name), "--at", "0%", "Mine")
    }
    for kind in ["bookmark", "note"] {
      let lines = try carrel(kind, "ls").output.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.contains { $0.hasSuffix("Moby-Dick") && $0.contains("Call me Ishmael") })
      #expect(lines.contains { $0.hasSuffix("Untitled") && $0.contains("Nameless") })
    }
  }

  @Test func `Commands about bookmarks and notes mark words and write about them`() throws {
    _ = try items("note", "add", file, "Who", "is it?", "--quote", "call me ishmael", "--tag", "a")
    _ = try items("note", "add", file, "--quote", "white whale")
    let notes = try items("note", "ls", file)
    #expect(notes.map { $0["kind"] } == ["note", "highlight"])
    #expect(notes.map { $0["quote"] } == ["Call me Ishmael", "white whale"])
    #expect(notes.map { $0["anchored"] } == ["exact", "exact"])
    #expect(try items("note", "ls", "--tag", "a").count == 1)
    #expect(try items("note", "ls", "no such title") == [])
    let text = try carrel("note", "export", file).output
    #expect(text.hasPrefix("# Moby-Dick\n\nHerman Melville\n"))
    #expect(text.contains("> Call me Ishmael\n\nWho is it?\n\nTags: a\n"))
  }

  @Test func `notes are found again in another edition or reported as lost`() throws {
    _ = try items("note", "add", file, "--quote", "Call me Ishmael")
    _ = try items("note", "add", file, "--quote", "white whale")
    try write("second.epub", "<h1>New</h1><p>Preface.</p><p>Call me Ishmael. Some years.</p>")
    let anchored = try items("note", "ls", shell.path("second.epub")).map { $0["anchored"] }
    #expect(anchored == ["moved", "lost"])
  }

  @Test func `Commands about bookmarks and notes carry notes from one reader to another`() throws {
    _ = try items("note", "add", file, "Mine", "--quote", "white whale")
    let notes = try carrel("note", "export", "--format", "w3c").output
    try shell.write(notes, to: "notes.annotation")
    let path = shell.path("notes.annotation")
    let first = try #require(try items("note", "import", path, "--as", "bo").first)
    #expect(first["added"] == 1 && first["known"] == 0)
    let second = try #require(
      try items("note", "import", path, "--as", "bo", "--book", file).first)
    #expect(second["added"] == 0 && second["known"] == 1 && second["lost"] == 0)
    #expect(try items("note", "ls", "--as", "bo").map { $0["note"] } == ["Mine"])
  }

  @Test func `Commands about bookmarks and notes say what was wrong`() throws {
    #expect(try carrel("bookmark", "add", file).code == 2)
    #expect(try carrel("bookmark", "add", file, "--at", "120%").code == 2)
    #expect(try carrel("bookmark", "add", file, "--at", "5%", "--quote", "x").code == 2)
    #expect(try carrel("note", "add", file, "--quote", "no such words").code == 5)
    #expect(try carrel("note", "add", shell.path("none.epub"), "--quote", "x").code == 13)
    try shell.write("{}", to: "bad.json")
    let bad = try carrel("note", "import", shell.path("bad.json"))
    #expect(bad.code == 6 && bad.error.contains("holds no notes"))
  }

  @Test func `Commands about bookmarks and notes read a book aloud where there is no terminal`()
    throws
  {
    let ending = try carrel("read", file)
    #expect(ending.code == 0)
    #expect(ending.output.hasPrefix("Moby-Dick, by Herman Melville.\n"))
    #expect(ending.output.hasSuffix("The white whale.\n\n\nThe end of the book.\n"))
    let none = try carrel("read", "Moby-Dick.epub")
    #expect(none.code == 13 && none.error.contains("there is no file 'Moby-Dick.epub'"))
  }
}
