import Testing

@testable import Catalog

@Suite struct `Words of a text` {
  private static let long = String(repeating: "x", count: 70)

  @Test(
    arguments: [
      "", " ", "The Call of the Wild", "WAR & PEACE, vol. 2", "a\tb\nc", "1984", "(all) [of] {it}!",
      "J R R Tolkien", "x_y/z|q~", long, "\(long) \(long)y and more", "one, two; three: four",
      "Spider-Man -- an e-book", "J.R.R. Tolkien", "U.S.A.", "-a-", "--", "a--b", "a -b", "a- b",
      "a-b.",
      "World War, 1914-1918 -- Fiction", "\(long)-\(long)", "abc-\(long)-x y-z", "a-b-c d-e-f g",
    ], [0, 1, 2, 3, 300])
  func `Words of a text are the same whichever way they are read`(text: String, limit: Int) {
    // An apostrophe that belongs to no word sends the same words the long way.
    let long = FoldedText(" ' " + text, atMost: limit)
    let short = FoldedText(text, atMost: limit)
    #expect(short.words == long.words)
    #expect(short.variants == long.variants)
  }
}
