import Testing

@testable import EPUB

@Suite struct `The style sheet of a book that is read as text` {
  /// Some 400 million comparisons each, where every element is held against every rule.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      (".a.b{display:block}", "<p class='a b'>x</p>"), ("p.a{display:block}", "<p class='a'>x</p>"),
    ])
  func `A chapter of many elements is read with a sheet of many rules of one class`(
    rule: String, element: String
  ) throws {
    let sheet = Array(String(repeating: rule, count: 20_000).utf8)
    let page = "<html><body>\(String(repeating: element, count: 20_000))</body></html>"
    let tree = try SourceTree(Array(page.utf8))
    let text = ItemText(tree, at: "a.xhtml", sheet: sheet)
    #expect(text.blocks.count == 20_000)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A sheet that a page names a hundred thousand times is taken in once it is full no more`() {
    let sheet = StyleRules(
      sheet: Array((0..<20_000).map { ".a\($0){color:red;display:none}" }.joined().utf8))
    var rules = StyleRules()
    for _ in 0..<100_000 { rules.add(sheet) }
    #expect(!rules.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `An element of half a million classes is read like any other`()
    throws
  {
    let classes = String(repeating: "a ", count: 250_000)
    let tree = try SourceTree(Array("<html><body><p class='\(classes)'>x</p></body></html>".utf8))
    let sheet = Array(String(repeating: ".a.b{display:none}", count: 2000).utf8)
    #expect(ItemText(tree, at: "a.xhtml", sheet: sheet).plain().contains(UInt8(ascii: "x")))
  }
}
