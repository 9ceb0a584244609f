import Foundation
import JSON
import TestSupport
import Testing

@testable import Commands

/// A book is read from both ends, or from its beginning and its middle, which what is told of it
/// must not show.
@Suite struct `Commands about a long book` {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func write(_ chapters: [String], _ name: String, damaged: Int? = nil) throws {
    let items = chapters.indices.map {
      "<item id='c\($0)' href='\($0).xhtml' media-type='application/xhtml+xml'/>"
    }
    let spine = chapters.indices.map { "<itemref idref='c\($0)'/>" }
    var archive = TestArchive.book(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Long</dc:title>\
      <dc:identifier id="u">urn:x:2</dc:identifier><dc:language>en</dc:language></metadata>\
      <manifest>\(items.joined())</manifest><spine>\(spine.joined())</spine></package>
      """,
      chapters.enumerated().map { TestArchive.Entry("\($0).xhtml", $1).deflated() })
    if let damaged { archive["\(damaged).xhtml"]?.sum ^= 1 }
    try Data(archive.bytes).write(to: shell.home.appending(path: name))
  }

  private func page(_ body: String) -> String {
    "<html xmlns='http://www.w3.org/1999/xhtml'><body>\(body)</body></html>"
  }

  @Test func `Commands about a long book print its text in the order of the book`() throws {
    let words = String(repeating: "word ", count: 300) + "end"
    var chapters = (0..<120).map { page("<p>\($0) \(words)</p>") }
    // One without text, and one that cannot be read.
    chapters[117] = page("")
    try write(chapters, "long.epub", damaged: 118)
    let whole = chapters.indices.filter { $0 != 117 && $0 != 118 }
      .map { "\($0) \(words)\n" }.joined(separator: "\n")
    #expect(try shell.carrel("epub", "text", "long.epub").output == whole)
    let kept = try shell.carrel("epub", "text", "long.epub", "--output", "long.txt")
    #expect(kept.output.isEmpty && kept.code == 0)
    let file = shell.home.appending(path: "long.txt")
    #expect(try String(contentsOf: file, encoding: .utf8) == whole)
    let told = try JSONValue(
      parsing: shell.carrel("epub", "text", "long.epub", "--json").output)["items"]?.array
    #expect(
      told?.map { $0["item"] } == chapters.indices.filter { $0 != 118 }.map { .integer($0) })
  }

  @Test(arguments: [1, 3, 25, 60])
  func `Commands about a long book find the first places in the order of the book`(_ limit: Int)
    throws
  {
    let chapter = page(String(repeating: "<p>A whale.</p>", count: 10))
    try write([chapter, chapter, chapter, chapter], "many.epub")
    let told = try JSONValue(
      parsing: shell.carrel(
        "epub", "search", "many.epub", "whale", "--limit", "\(limit)", "--json"
      ).output)
    let item = try #require(told["items"]?.array?.first)
    #expect(item["count"] == 40)
    let places = try #require(item["hits"]?.array).map { $0["item"] }
    #expect(places == (0..<min(limit, 40)).map { .integer($0 / 10) })
  }
}
