import Testing

@testable import EPUB

@Suite struct `An address and a type as they are written` {
  @Test func `the quick and the careful parser resolve an EPUB reference alike`() {
    var chance = SystemRandomNumberGenerator()
    let pieces = [
      "a", "B7", "_", "-", ".", "..", "/", "#", "%41", "%", "?", ":", "http", " ", "é", "x.xhtml",
      "",
    ]
    let bases = ["", "a", "OPS/p.opf", "a/b/c", "/a/b", "a//b", "a/", "./a/b", "a/../b", "é/b"]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...6, using: &chance)
      let written = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &chance)] }
        .joined()
      for base in bases {
        #expect(Reference(written, from: base) == Reference(carefully: written, from: base))
      }
    }
  }

  @Test func `the quick reference parser takes only plain relative references`() {
    #expect(PlainReference("text/c1.xhtml#p-7", from: "OPS/p.opf")?.path == "OPS/text/c1.xhtml")
    #expect(PlainReference("c1.xhtml", from: "p.opf")?.path == "c1.xhtml")
    for written in ["../c.xhtml", "a/./b", "a%20b", "/a", "x:y", "a?b", "a//b", "a#b#c", "", "#a"] {
      #expect(PlainReference(written, from: "OPS/p.opf") == nil)
    }
  }

  @Test(arguments: [
    "application/xhtml+xml", "Image/JPEG", "text/html; charset=utf-8", " image/png ", "a/b.c-d", "",
  ])
  func `a media type keeps only its lowercase name without parameters`(_ written: String) {
    let cleaned = String(written.lowercased().prefix { $0 != ";" }).cleaned()
    #expect(MediaType(written).text == cleaned)
  }
}
