import Testing
import TextSafety

@testable import EPUB
@testable import Terminal

@Suite struct `Marks of a reader` {
  private let book = Volume(
    "<p>One is here. Mr. Two is there! Three?</p><p>Other words.</p>", Volume.words("b", 6))

  @Test func `Marks of a reader are put in and taken out with one key`() throws {
    var model = try book.model()
    guard case .addMark(let mark)? = model.press(.character("b")).first else {
      Issue.record("no mark")
      return
    }
    #expect(mark.kind == .bookmark && mark.locator.href == "c0.xhtml")
    #expect(mark.locator.quote.after?.hasPrefix("One is here") == true)
    _ = model.press(.redraw)
    #expect(model.status.contains("★"))
    #expect(model.press(.character("b")) == [.removeMark(mark)])
    #expect(model.marks.isEmpty)
  }

  @Test func `Marks of a reader that are put in and taken out at once leave nothing behind`() throws
  {
    var model = try book.model()
    #expect(model.type("bb").settled == [])
    let errands = model.type("bbb")
    guard errands.count == 3, case .addMark(let mark) = errands[2] else {
      Issue.record("\(errands)")
      return
    }
    #expect(errands.settled == [.addMark(mark)])
    model.name(mark, "m1")
    let named = model.marks[0]
    #expect(model.type("b").settled == [.removeMark(named)])
  }

  @Test
  func `bookmarks in the terminal are listed in book order, opened, removed and restored`() throws {
    var model = try book.model()
    _ = model.type("nb")
    _ = model.press(.redraw)
    _ = model.type("pbB")
    let rows = model.view().rows.map(\.text).filter { $0.contains("★") }
    #expect(rows.count == 2 && rows[0].contains("One is here"))
    _ = model.press(.down, .enter)
    #expect(model.screen.contains("b1.1"))
    guard case .removeMark? = model.type("Bd").first, case .addMark? = model.type("u").first
    else {
      Issue.record("not taken out and brought back")
      return
    }
    #expect(model.marks.count == 2)
  }

  @Test func `Marks of a reader are words that are chosen by keyboard, paragraph or sentence`()
    throws
  {
    var model = try book.model()
    _ = model.press(.character("h"), .tab, .down)
    #expect(
      model.view().rows.flatMap(\.spans).filter { $0.look.contains(.chosen) }.map(\.text)
        .joined(separator: " ") == "Mr. Two is there!")
    guard case .addMark(let mark)? = model.press(.enter).first else {
      Issue.record("no mark")
      return
    }
    #expect(mark.kind == .highlight && mark.locator.quote.highlight == "Mr. Two is there!")
    #expect(model.view().rows.flatMap(\.spans).contains { $0.look.contains(.marked) })
  }

  @Test func `Marks of a reader carry a note`() throws {
    var model = try book.model()
    guard case .addMark(let mark)? = model.type("a\nSo it is\n").first else {
      Issue.record("no mark")
      return
    }
    #expect(mark.kind == .note && mark.note == "So it is")
  }

  @Test func `Marks of a reader are shared with title and author`() throws {
    var model = try book.model()
    guard case .copy(let text)? = model.type("S").first else {
      Issue.record("nothing copied")
      return
    }
    #expect(text == "“One is here. Mr. Two is there! Three?”\n— A Book, Ada Writer")
    #expect(model.screen.contains("Copied") && model.screen.contains("Ada Writer"))
  }
}

@Suite struct `Links and footnotes` {
  private let note = """
    <p>Text<a epub:type="noteref" href="#f1">1</a> goes on.</p>\
    <aside epub:type="footnote" id="f1"><p>The small print.</p></aside>
    """

  @Test func `Links and footnotes open a footnote over the page`() throws {
    var model = try Volume(note, "<p>two</p>").model()
    _ = model.press(.enter)
    #expect(model.screen.contains("Note") && model.screen.contains("The small print."))
    #expect(model.screen.contains("Text1 goes on"))
    _ = model.press(.escape)
    guard case .reading = model.mode else {
      Issue.record("still open")
      return
    }
  }

  @Test func `Links and footnotes lead to another chapter and back`() throws {
    var model = try Volume("<p>See <a href='c1.xhtml#x'>there</a>.</p>", "<p id='x'>Here.</p>")
      .model()
    _ = model.press(.enter)
    #expect(model.screen.contains("Here."))
    _ = model.press(.backspace)
    #expect(model.screen.contains("See there"))
  }

  @Test func `Links and footnotes are listed where a page has several`() throws {
    var model = try Volume(
      "<p><a href='c1.xhtml'>one</a> <a href='https://example.org/x'>two</a></p>", "<p>Here.</p>"
    ).model()
    _ = model.press(.character("f"))
    #expect(model.screen.contains("Links on this page"))
    _ = model.press(.down, .enter)
    #expect(model.screen.contains("Outside the book"))
    #expect(model.screen.contains("https://example.org/x"))
  }
}

@Suite struct `Keys` {
  @Test func `Keys are known by what the terminal sends`() {
    #expect(
      Key.keys(in: Array("a é\r".utf8)) == [
        .character("a"), .character(" "), .character("é"), .enter,
      ])
    #expect(
      Key.keys(in: Array("\u{1b}[A\u{1b}OB\u{1b}[5~\u{1b}[6~\u{1b}[H".utf8)) == [
        .up, .down, .pageUp, .pageDown, .home,
      ])
    #expect(Key.keys(in: [0x1B]) == [.escape])
    #expect(Key.keys(in: [0x03, 0x0C, 0x7F, 0x09]) == [.interrupt, .redraw, .backspace, .tab])
  }

  @Test func `Keys that nobody knows are none`() {
    #expect(Key.keys(in: Array("\u{1b}[1;5Zx".utf8)) == [.character("x")])
    #expect(Key.keys(in: Array("\u{1b}[".utf8)) == [])
    #expect(Key.keys(in: [0xFF, 0xC3]) == [])
  }
}

@Suite struct `A painted page` {
  private let screen = Screenful([Row("words"), Row("line", .status)])

  @Test func `A painted page has the colors of its theme, as many as the terminal knows`() {
    #expect(Painter(.all).paint(screen, in: .sepia, width: 10).text.contains("48;2;244;236;216"))
    #expect(Painter(.many).paint(screen, in: .night, width: 10).text.contains("48;5;16"))
    #expect(Painter(.sixteen).paint(screen, in: .day, width: 10).text.contains("30;107"))
    #expect(!Painter(.none).paint(screen, in: .sepia, width: 10).text.contains(";48"))
  }

  @Test func `A painted page finds out how many colors there are`() {
    #expect(Palette(term: "xterm-256color", colorTerm: nil, isColored: true) == .many)
    #expect(Palette(term: "xterm", colorTerm: "truecolor", isColored: true) == .all)
    #expect(Palette(term: "linux", colorTerm: nil, isColored: true) == .sixteen)
    #expect(Palette(term: "xterm-256color", colorTerm: nil, isColored: false) == .none)
    #expect(Palette(term: "dumb", colorTerm: nil, isColored: true) == .none)
  }
}

@Suite struct `Reading without a screen` {
  private let book = Volume("<h1>First</h1><p>Words.</p>", "<h2>Second</h2><ul><li>x</li></ul>")

  @Test func `Reading without a screen tells headings, and goes chapter by chapter`() throws {
    var linear = LinearReader(try book.opened())
    #expect(linear.opening().hasPrefix("A Book, by Ada Writer.\n"))
    #expect(linear.answer("") == "\nChapter: Chapter 1.\n\nHeading 1: First\n\nWords.\n\n")
    #expect(linear.answer("t") == "1. Chapter 1\n2. Chapter 2\n")
    #expect(linear.answer("2").hasSuffix("• x\n\n\nThe end of the book.\n"))
    #expect(linear.isOver)
  }

  @Test func `Reading without a screen tells where another device left off, and goes on there`()
    throws
  {
    var place = Locator(href: "")
    place.totalProgression = 0.5
    var linear = LinearReader(try book.opened(), elsewhere: ElsewherePlace(place, on: "phone"))
    #expect(linear.opening().contains("On phone you were at 50%: Chapter 2. c goes on from there."))
    #expect(linear.answer("c").hasSuffix("• x\n\n\nThe end of the book.\n"))
  }

  @Test func `Reading without a screen orders no cursor about`() throws {
    var linear = LinearReader(try Volume("<p>a\u{9B}2Jb</p>").opened())
    #expect(linear.answer("").unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
  }
}
