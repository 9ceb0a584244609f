import Testing
import TextSafety

@testable import EPUB
@testable import Terminal

@Suite struct `A reader with a book open` {
  private let two = Volume(
    "<h1>First</h1>" + Volume.words("a", 6), "<h1>Second</h1>" + Volume.words("b", 6))

  @Test func `the terminal reader turns pages into the next chapter and back to the last page`()
    throws
  {
    var model = try two.model()
    #expect(model.screen.contains("First") && model.screen.contains("a1.1 "))
    var pages = [model.pageText]
    while !model.screen.contains("Second") {
      #expect(model.press(.character(" ")) == [.keepPlace])
      pages.append(model.pageText)
      try #require(pages.count < 50)
    }
    let before = pages[pages.count - 2]
    #expect(model.press(.pageUp) == [.keepPlace])
    #expect(model.pageText == before)
    #expect(before.contains("a6.20"))
  }

  @Test func `A reader with a book open comes back by the same pages`() throws {
    var model = try two.model()
    var pages = [model.pageText]
    for _ in 0..<6 {
      _ = model.press(.down)
      pages.append(model.pageText)
    }
    for page in pages.dropLast().reversed() {
      _ = model.press(.up)
      #expect(model.pageText == page)
    }
  }

  @Test func `A reader with a book open sees every word once from the beginning to the end`() throws
  {
    for (columns, rows) in [(40, 10), (80, 24), (12, 3), (7, 2), (3, 1)] {
      var model = try two.model(columns, rows)
      var seen = ""
      var turns = 0
      while true {
        seen += model.view().rows.dropLast(model.statusRows).map(\.text).joined()
        _ = model.press(.pageDown)
        if case .ending = model.mode { break }
        turns += 1
        try #require(turns < 2000)
      }
      let letters = seen.filter { !$0.isWhitespace }
      for word in ["First", "a1.1a1.2", "a6.20Second", "b6.20"] {
        #expect(letters.contains(word), "\(columns)×\(rows): \(word)")
      }
      #expect(letters.split(separator: "b1.1b").count == 2)
    }
  }

  @Test func `the terminal reader keeps its place while the window is resized`()
    throws
  {
    var model = try two.model(60, 12)
    _ = model.type("   ")
    let (page, spot) = (model.pageText, model.spot)
    for (columns, rows) in [(30, 7), (100, 40), (1, 1), (20, 3)] {
      model.resize(ReaderModel.Window(columns: columns, rows: rows))
      #expect(model.spot == spot)
      let top = model.layout.lines[model.top]
      #expect(top.place <= spot.place && model.visibleText.contains(spot.place))
    }
    model.resize(ReaderModel.Window(columns: 60, rows: 12))
    #expect(model.pageText == page)
  }

  @Test func `A reader with a book open never draws more than the window has`() throws {
    for (columns, rows) in [(1, 1), (5, 2), (20, 3), (39, 15), (200, 60)] {
      var model = try two.model(columns, rows)
      for key in "?\u{1B} t b:5%\n/a2\nh  S qen" {
        _ = key == "\u{1B}" ? model.press(.escape) : model.type(String(key))
        let screen = model.view()
        #expect(screen.rows.count == rows)
        #expect(screen.rows.allSatisfy { $0.cells <= columns })
      }
    }
  }

  @Test func `A reader with a book open is told the chapter, the page, the percentage and a gauge`()
    throws
  {
    var model = try two.model(80, 12)
    #expect(model.status.contains("Chapter 1"))
    let count = model.paging.starts.count
    #expect(model.status.contains("1/\(count)"))
    _ = model.press(.character(" "))
    #expect(model.status.contains("2/\(count)"))
    #expect(model.status.contains("%") && model.status.contains("░"))
    _ = model.press(.character("G"))
    #expect(model.status.contains("Chapter 2") && model.status.contains("100%"))
    #expect(!model.status.contains("░"))
  }

  @Test func `the terminal reader moves by contents, keys, percentage and page number`() throws {
    var model = try two.model()
    _ = model.press(.character("t"), .down, .enter)
    #expect(model.screen.contains("Second"))
    _ = model.press(.backspace)
    #expect(model.screen.contains("First"))
    _ = model.press(.character("n"))
    #expect(model.screen.contains("Second"))
    _ = model.press(.character("p"))
    #expect(model.screen.contains("First"))
    _ = model.type(":100%\n")
    #expect(model.screen.contains("b6.20"))
    _ = model.type("%1\n")
    #expect(model.screen.contains("First"))
    _ = model.type(":9999\n")
    #expect(model.status.contains("pages from 1 to"))
  }

  @Test func `A reader with a book open finds words, steps through them and comes back`() throws {
    var model = try two.model()
    _ = model.type("/B3.7\n")
    #expect(model.pageText.contains("b3.7"))
    let found = model.view().rows.flatMap(\.spans).filter { $0.look.contains(.found) }
    #expect(found.map(\.text) == ["b3.7"])
    #expect(model.status.contains("1 of 1"))
    _ = model.press(.escape)
    #expect(model.screen.contains("First"))
    _ = model.type("/.20\n")
    #expect(model.status.contains("1 of 12"))
    _ = model.type("nnN")
    #expect(model.status.contains("2 of 12"))
    _ = model.press(.escape)
    _ = model.type("/nothing\n")
    #expect(model.status.contains("nowhere"))
  }

  @Test func `A reader with a book open begins at the place that was kept`() throws {
    var model = try two.model()
    _ = model.type("n  ")
    let (kept, page) = (model.locator, model.pageText)
    let again = try #require(
      ReaderModel(
        model.book, window: ReaderModel.Window(columns: 40, rows: 10), at: kept))
    #expect(again.pageText == page)
  }

  @Test func `A reader with a book open opens a jacket before the first page`() throws {
    var model = try two.model(60, 20)
    model.showJacket()
    #expect(model.screen.contains("A Book") && model.screen.contains("Ada Writer"))
    #expect(!model.screen.contains("a1.1"))
    #expect(model.press(.character(" ")) == [.keepPlace])
    #expect(model.screen.contains("a1.1"))
  }

  @Test func `the terminal reader offers another device's place, goes there and back`() throws {
    var model = try two.model(60, 20)
    let far = try #require(BookPlaces(model.book).positions.items.indices.last)
    var place = Locator(href: "")
    place.totalProgression = BookPlaces(model.book).positions.total(at: far, progression: 0)
    model.showJacket(ElsewherePlace(place, on: "Ada’s \u{9B}phone"))
    #expect(model.screen.contains("On Ada’s phone you were at 5"))
    #expect(model.screen.contains("c goes on from there") && !model.screen.contains("\u{9B}"))
    let here = model.spot
    _ = model.press(.character(" "))
    #expect(model.spot == here)
    #expect(model.press(.character("c")) == [.keepPlace] && model.spot.spine == far)
    _ = model.press(.backspace)
    #expect(model.spot == here)
    _ = model.press(.character("c"))
    #expect(model.spot == here && model.screen.contains("No other device"))
  }

  @Test
  func `the terminal reader offers nothing when another device is at the same place`() throws {
    var model = try two.model(60, 20)
    model.showJacket(ElsewherePlace(model.locator, on: "phone"))
    #expect(!model.screen.contains("goes on from there"))
  }

  @Test func `the terminal reader centers the cover picture with the title below it`() throws {
    var model = try two.model(60, 20)
    model.showJacket()
    let drawn = ["\u{1b}[?25l\u{1b}[0m\u{1b}[38;5;9;48;5;12m▄▄ ▄\u{1b}[0m", "▀▀"]
    let rows = drawn.map { TerminalText(styled: $0) }
    #expect(rows[0].text == "\u{1b}[0m\u{1b}[38;5;9;48;5;12m▄▄ ▄\u{1b}[0m")
    let (view, over) = model.cover(rows)
    #expect(over == "\u{1b}[1;29H\(rows[0])\u{1b}[0m\u{1b}[2;29H\(rows[1])\u{1b}[0m")
    #expect(view.rows.map(\.text).filter { $0.contains("A Book") }.count == 1)
    // A cut sequence takes nothing, and a picture that is too wide begins at the edge.
    #expect(model.cover([TerminalText(styled: "ab\u{1b}[3")]).1.text.hasPrefix("\u{1b}[1;30Hab"))
    #expect(
      model.cover([TerminalText(line: String(repeating: "▄", count: 99))]).1.text.hasPrefix(
        "\u{1b}[1;1H▄"))
  }

  @Test func `A reader with a book open scrolls line by line`() throws {
    var model = try two.model()
    _ = model.press(.character("s"))
    let before = model.view().rows.map(\.text)
    _ = model.press(.down)
    #expect(model.view().rows.map(\.text)[0] == before[1])
    _ = model.press(.up)
    #expect(model.view().rows.map(\.text)[0] == before[0])
  }

  @Test func `the terminal reader rates, returns or goes back at the end of a book`() throws {
    var model = try two.model()
    _ = model.press(.character("G"), .character(" "))
    #expect(model.screen.contains("The end"))
    #expect(model.type("4") == [.rate(4)])
    #expect(model.type("r") == [.giveBack])
    _ = model.type("p")
    #expect(model.screen.contains("b6.20"))
    #expect(model.type("q") == [.leave])
  }

  @Test func `A reader with a book open says so where nothing can be read`() throws {
    let book = try Volume("").opened()
    #expect(ReaderModel(book, window: .init(columns: 20, rows: 5)) != nil)
  }
}
