import Testing

@testable import EPUB

@Suite struct `A place told step by step` {
  @Test(arguments: [
    "epubcfi(/6/4[chap]!/4/2[p1]/1:7)", "epubcfi(/6/4!/4/10/3:0[^[a^],b^,c;s=b])",
    "epubcfi(/6/4!/4/2,/1:0,/3:5)", "epubcfi(/6/4!/4/2~1.5@20:10.25)", "epubcfi(/2)",
    "epubcfi(/6/4!/4/2:3[,after])", "epubcfi(/6/2[;s=a])", "epubcfi(/6/4!/4[a;x=1,2;y=3])",
    "epubcfi(/0/10:0)",
  ])
  func `A place told step by step is written as it was read`(_ text: String) throws {
    #expect("\(try CFI(text))" == text)
  }

  @Test(arguments: [
    "", "epubcfi", "epubcfi(", "epubcfi()", "epubcfi(/)", "epubcfi(/6/4", "epubcfi(6/4)",
    "epubcfi(/6//4)", "epubcfi(/6/4:)", "epubcfi(/6/4:-1)", "epubcfi(/6/4[open!/4)",
    "epubcfi(/6/1:3,/1:2)", "epubcfi(,/2,/4)", "epubcfi(/6/04)", "epubcfi(/6/4@101:5)",
    "epubcfi(/6/4@5)", "epubcfi(/6/4~)", "epubcfi(/6/4~1.)", "epubcfi(/99999999999999999999)",
    "epubcfi(!/4)", "epubcfi(/6!!/4)", "epubcfi(/6[a^)", "epubcfi(/6[;s])", "epubcfi(/4/2)x)",
    "epubcfi(/6,/2,/4,/6)", "epubcfi(/6:1/2)",
  ])
  func `A place told step by step is refused where it leads nowhere`(_ text: String) {
    #expect(throws: CFI.Fault.self) { try CFI(text) }
  }

  @Test func `A place told step by step is refused where it has no end`() {
    let steps = String(repeating: "/2", count: 100_000)
    #expect(throws: CFI.Fault.tooLong) { try CFI("epubcfi(\(steps))") }
  }

  @Test func `A place told step by step is put in order without the book`() throws {
    let sorted = try [
      "/6/2!/4/2/1:0", "/6/4", "/6/4!/4", "/6/4!/4/2", "/6/4!/4/2:9", "/6/4!/4/2/1:0",
      "/6/4!/4/2/1:3", "/6/4!/4/2/2/1:1", "/6/4!/4/2[z]/3:0", "/6/4!/4/10/1:1",
      "/6/4!/4/10/2~1.5", "/6/4!/4/10/2~1.5@20:10", "/6/4!/4/10/2~1.5@10:20", "/6/4!/4/10/2~12",
      "/6/10!/4/2/1:0",
    ].map { try CFI("epubcfi(\($0))") }
    #expect(sorted.shuffled().sorted() == sorted)
  }

  private static let page = """
    <html><head><title>T</title></head><body id="b">
    <p id="one">First <i>words</i> &amp; more<!-- x --> text 😀 here.</p><p>Second</p>\
    <p id="three"><img id="im" src="a.png"/></p></body></html>
    """

  private func tree() throws -> SourceTree { try #require(PageScan.tree(Array(Self.page.utf8))) }

  private func text(_ tree: SourceTree, _ cfi: String) throws -> String? {
    guard let found = tree.found(try CFI("epubcfi(\(cfi))").path) else { return nil }
    return String(decoding: tree.text[found.offset...].prefix(8), as: UTF8.self)
  }

  @Test(arguments: [
    ("/4/2/1:0", "First wo"), ("/4/2/1:3", "st words"), ("/4/2/2/1:1", "ords & m"),
    ("/4/2/3:1", "& more t"), ("/4/2/3:999", "Second"), ("/4/4/1:2", "cond"),
    ("/4/2/3:8", "text "), ("/4/2/1", "First wo"), ("/4/2", "First wo"), ("/4/0", "\nFirst w"),
    ("/4/2[one]/3:13", "😀 her"), ("/4/2[one]/3:14", "😀 her"), ("/4/2[one]/3:15", " here.Se"),
  ])
  func `A place told step by step leads to the text there`(_ pair: (String, String)) throws {
    #expect(try text(tree(), pair.0)?.hasPrefix(pair.1) == true, "\(pair.0)")
  }

  @Test func `A place told step by step is put right by an id that is elsewhere now`() throws {
    let tree = try tree()
    for steps in ["/4/8[one]/1:2", "/4/4[one]/1:2", "/4/2[gone]/2[one]/1:2", "/8/2[one]/1:2"] {
      let found = try #require(tree.found(try CFI("epubcfi(\(steps))").path))
      #expect(!found.isExact)
      #expect(tree.text[found.offset...].starts(with: "rst".utf8))
    }
    #expect(try text(tree, "/4/2[gone]/1:2") == nil)
    #expect(try text(tree, "/4/20/1:2") == nil)
  }

  @Test func `A place told step by step is put right by the text around it`() throws {
    let tree = try tree()
    let exact = try #require(tree.found(try CFI("epubcfi(/4/2/3:8[more ,text])").path))
    #expect(exact.isExact)
    let moved = try #require(tree.found(try CFI("epubcfi(/4/2/3:2[more ,text])").path))
    #expect(moved.offset == exact.offset && !moved.isExact)
    #expect(tree.found(try CFI("epubcfi(/4/2/3:2[never ,there])").path) == nil)
  }

  @Test func `A place told step by step comes back from every place`() throws {
    let tree = try tree()
    for offset in 0...tree.text.count {
      if offset < tree.text.count, tree.text[offset] & 0xC0 == 0x80 { continue }
      for path in [tree.path(to: offset), tree.path(to: offset, isEnd: true)] {
        let text = "epubcfi(\(path))"
        let found = try #require(tree.found(try CFI(text).path), "\(text)")
        #expect(found.offset == offset && found.isExact, "\(text)")
      }
    }
  }

  @Test func `A place told step by step asserts the ids on the way and the text at the end`() throws
  {
    let path = try tree().path(
      to: tree().text.firstIndex(of: UInt8(ascii: "&")) ?? 0, asserting: true)
    #expect(path.description == "/4[b]/2[one]/3:1[rst words ,& more tex]")
  }
}
