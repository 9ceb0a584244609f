import JSON
import Testing

@testable import EPUB

/// A book whose chapters are these, in order.
func bookOf(_ chapters: [String], nav: String? = nil, linear: [Bool] = []) throws -> Book {
  let names = chapters.indices.map { "c\($0)" }
  var manifest =
    "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
  var spine = ""
  var book = TestBook()
  for (place, name) in names.enumerated() {
    manifest += "<item id='\(name)' href='\(name).xhtml' media-type='application/xhtml+xml'/>"
    let isLinear = place >= linear.count || linear[place]
    spine += "<itemref id='r\(place)' idref='\(name)'\(isLinear ? "" : " linear='no'")/>"
  }
  book = book.packaged(manifest: manifest, spine: "<spine>\(spine)</spine>")
  for (name, body) in zip(names, chapters) { book["OPS/\(name).xhtml"] = TestBook.page(body) }
  let entries = names.map { "<li><a href='\($0).xhtml'>\($0)</a></li>" }.joined()
  book["OPS/nav.xhtml"] = nav ?? TestBook.nav("<ol>\(entries)</ol>")
  return try book.opened()
}

@Suite struct `Positions of a book` {
  private func book() throws -> Book {
    let long = "<p>" + String(repeating: "x", count: 2500) + "</p>"
    return try bookOf(
      ["<p>a</p>", long, "<p>note</p>", "<p>end</p>"], linear: [true, true, false, true])
  }

  @Test func `Positions of a book are kilobytes as they lie in the archive, of what is in line`()
    throws
  {
    let positions = PositionList(try book())
    #expect(positions.items.map(\.count) == [1, 3, 0, 1])
    #expect(positions.count == 5)
    #expect(positions.count == (try book()).positions)
  }

  @Test func `Positions of a book come back by their number`() throws {
    let positions = PositionList(try book())
    for number in 1...positions.count {
      let position = try #require(positions[number])
      #expect(positions.number(at: position.spine, progression: position.progression) == number)
      #expect(
        positions.total(at: position.spine, progression: position.progression) == position.total)
      let place = positions.place(ofTotal: position.total)
      #expect(place.spine == position.spine)
    }
    #expect(positions[3]?.progression == 1.0 / 3)
    #expect(positions[3]?.total == 0.4)
    #expect(positions[0] == nil && positions[6] == nil)
  }

  @Test func `Positions of a book know where the ends are`() throws {
    let positions = PositionList(try book())
    #expect(positions.number(at: 3, progression: 1) == 5)
    #expect(positions.total(at: 3, progression: 1) == 1)
    #expect(positions.place(ofTotal: 1) == (3, 1))
    #expect(positions.place(ofTotal: -4) == (0, 0))
    // A note out of line is where the next thing in line is.
    #expect(positions.number(at: 2, progression: 0.5) == 5)
  }
}

@Suite struct `A place that is kept` {
  private static let chapters = [
    "<h1 id='h'>One</h1><p id='p'>It was a <i>bright</i> cold day in April, and the clocks.</p>",
    "<h1>Two</h1><p>Nothing of note.</p><p id='q'>Striking thirteen, he said, and went home.</p>",
  ]

  private func kept(_ words: String, _ spine: Int, in book: Book) throws -> Locator {
    var reading = TextReading(book)
    let text = try reading.text(at: spine)
    let whole = text.string(0..<text.text.count)
    let range = try #require(whole.firstRange(of: words))
    let start = whole.utf8.distance(from: whole.startIndex, to: range.lowerBound)
    return BookPlaces(book).locator(start..<(start + words.utf8.count), in: text, spine: spine)
  }

  /// What a locator leads to in a book.
  private func found(_ locator: Locator, in book: Book) throws -> (String, BookPlaces.Certainty)? {
    var reading = TextReading(book)
    guard let (place, certainty) = BookPlaces(book).place(of: locator, &reading) else { return nil }
    return (try reading.text(at: place.spine).string(place.range), certainty)
  }

  @Test func `A place that is kept tells itself in every way it can`() throws {
    let locator = try kept("bright cold", 0, in: bookOf(Self.chapters))
    #expect(locator.href == "OPS/c0.xhtml")
    #expect(locator.type == "application/xhtml+xml")
    #expect(locator.title == "c0")
    #expect(locator.position == 1)
    #expect(locator.cfi?.description == "epubcfi(/6/2[r0]!/4/4[p],/2/1:0,/3:5)")
    #expect(
      locator.quote
        == .init(
          before: "One It was a ", highlight: "bright cold", after: " day in April, and the clocks."
        ))
  }

  @Test func `A place that is kept goes through JSON unharmed, with what others put there`() throws
  {
    let locator = try kept("bright cold", 0, in: bookOf(Self.chapters))
    #expect(Locator(try JSONValue(parsing: locator.json.text())) == locator)
    let foreign = try JSONValue(
      parsing: """
        {"href":"a.xhtml","type":"text/html","title":"T","locations":{"fragments":["x"],\
        "progression":0.5,"position":3,"totalProgression":0.1,"cssSelector":"#p > a",\
        "partialCfi":"/4/2"},"text":{"before":"a","highlight":"b","after":"c"},"mine":[1]}
        """)
    let read = try #require(Locator(foreign))
    #expect(read.json == foreign)
    #expect(read.partialSteps?.steps == "/4/2")
  }

  @Test(arguments: ["{}", "[]", "3", "{\"href\":\"\"}", "{\"href\":5}"])
  func `A place that is kept is nothing where it names nothing`(_ json: String) throws {
    #expect(Locator(try JSONValue(parsing: json)) == nil)
  }

  @Test func `A place that is kept drops numbers that cannot be`() throws {
    let json = try JSONValue(
      parsing: """
        {"href":"a","locations":{"progression":7,"position":0,"totalProgression":-1,"cfi":"x"}}
        """)
    let locator = try #require(Locator(json))
    #expect(locator.progression == nil && locator.position == nil && locator.cfi == nil)
  }

  @Test func `A place that is kept is found in the same file`() throws {
    let book = try bookOf(Self.chapters)
    let (words, certainty) = try #require(try found(kept("bright cold", 0, in: book), in: book))
    #expect(words == "bright cold" && certainty == .exact)
  }

  @Test func `A place that is kept is found by its id when paragraphs were added`() throws {
    let locator = try kept("bright cold", 0, in: bookOf(Self.chapters))
    let changed = try bookOf(["<p>New.</p><p>Newer.</p>" + Self.chapters[0], Self.chapters[1]])
    let (words, certainty) = try #require(try found(locator, in: changed))
    #expect(words == "bright cold" && certainty == .moved)
  }

  @Test func `A place that is kept is found by its words when the document is another`() throws {
    let locator = try kept("Striking thirteen", 1, in: bookOf(Self.chapters))
    let changed = try bookOf([
      "<p>Preface.</p>", "<p>Half.</p>", "<div>“Striking\nthirteen,” he said</div>",
    ])
    let (words, certainty) = try #require(try found(locator, in: changed))
    #expect(words == "Striking thirteen" && certainty == .moved)
  }

  @Test func `A place that is kept chooses among equal words by what stands around them`() throws {
    let locator = try kept("day", 0, in: bookOf(Self.chapters))
    let changed = try bookOf([
      "<p>One day, a bright warm day; a cold day in May. A bright cold day in April, and a day.</p>"
    ])
    var reading = TextReading(changed)
    let answer1 = BookPlaces(changed).place(of: locator, &reading)
    let (place, _) = try #require(answer1)
    let text = try reading.text(at: 0)
    #expect(text.string(place.range.lowerBound..<text.text.count).hasPrefix("day in April"))
  }

  @Test func `A place that is kept is near where its words were when they are gone`() throws {
    let locator = try kept("Striking thirteen", 1, in: bookOf(Self.chapters))
    let changed = try bookOf([
      Self.chapters[0], "<p>" + String(repeating: "else ", count: 50) + "</p>",
    ])
    var reading = TextReading(changed)
    let answer2 = BookPlaces(changed).place(of: locator, &reading)
    let (place, certainty) = try #require(answer2)
    #expect(certainty == .approximate && place.spine == 1)
    #expect((50...150).contains(place.range.lowerBound))
  }

  @Test func `A place that is kept is found by a fragment alone`() throws {
    var locator = Locator(href: "OPS/c1.xhtml")
    locator.fragments = ["q"]
    var reading = TextReading(try bookOf(Self.chapters))
    let places = BookPlaces(reading.book)
    let answer3 = places.place(of: locator, &reading)
    let (place, certainty) = try #require(answer3)
    let text = try reading.text(at: 1)
    #expect(certainty == .exact)
    #expect(text.string(place.range.lowerBound..<text.text.count).hasPrefix("Striking"))
  }

  @Test func `A place that is kept belongs to its place in the spine where an item stands twice`()
    throws
  {
    let base = TestBook().packaged(
      spine: "<spine><itemref idref='one'/><itemref idref='two'/><itemref idref='one'/></spine>")
    let book = try base.opened()
    var reading = TextReading(book)
    let places = BookPlaces(book)
    let text = try reading.text(at: 2)
    let locator = places.locator(0..<5, in: text, spine: 2)
    let answer = places.place(of: locator, &reading)
    #expect(answer?.0.spine == 2)
  }

  @Test func `A place that is kept knows its chapter and its page`() throws {
    let nav = TestBook.nav(
      """
      <ol><li><a href="c0.xhtml">One</a><ol><li><a href="c0.xhtml#s">Part</a></li></ol></li>\
      <li><a href="c2.xhtml">Three</a></li></ol>
      """,
      """
      <nav epub:type="page-list"><ol><li><a href="c0.xhtml#s">i</a></li>\
      <li><a href="book.opf#epubcfi(/6/4!/4/2/1:3)">ii</a></li></ol></nav>
      """)
    let book = try bookOf(
      ["<p>a</p><p id='s'>b</p>", "<p>cdefgh</p>", "<p>i</p>"], nav: nav)
    var reading = TextReading(book)
    let places = BookPlaces(book)
    func told(_ spine: Int, _ place: Int) throws -> [String?] {
      let text = try reading.text(at: spine)
      return [
        places.chapter(at: spine, place, in: text)?.label, places.page(at: spine, place, in: text),
      ]
    }
    #expect(try told(0, 0) == ["One", nil])
    #expect(try told(0, 1) == ["Part", "i"])
    #expect(try told(1, 2) == ["Part", "i"])
    #expect(try told(1, 3) == ["Part", "ii"])
    #expect(try told(2, 0) == ["Three", "ii"])
  }
}
