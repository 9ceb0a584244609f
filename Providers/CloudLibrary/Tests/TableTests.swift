import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import CloudLibrary

/// How the words of the wire are read, one table each.
@Suite struct `The tables` {
  @Test(arguments: [
    // Flags, total, free, waiting: what a stranger can do.
    ("TRUE", "FALSE", "1", "1", "0", "available"), ("FALSE", "TRUE", "1", "0", "4", "queued"),
    ("FALSE", "TRUE", "3", "0", "0", "queued"), ("FALSE", "TRUE", "2", "1", "1", "queued"),
    ("FALSE", "FALSE", "0", "0", "0", "unavailable"), ("FALSE", "TRUE", "0", "0", "0", "queued"),
    ("TRUE", "FALSE", "1", "", "0", "queued"), ("TRUE", "FALSE", "", "", "0", "available"),
    ("FALSE", "TRUE", "", "", "3", "queued"), ("FALSE", "", "", "", "0", "unavailable"),
    ("", "", "2", "1", "0", "available"), ("", "", "2", "0", "9", "queued"),
    ("true", "false", "1", "1", "0", "available"), ("", "", "0", "", "", "unavailable"),
  ])
  func `The tables of availability`(
    checkout: String, hold: String, total: String, free: String, waiting: String, word: String
  ) throws {
    let fields = [
      ("CanCheckout", checkout), ("CanHold", hold), ("TotalCopies", total),
      ("AvailableCopies", free), ("OnHoldCount", waiting),
    ]
    let inside = fields.map { $1.isEmpty ? "" : "<\($0)>\($1)</\($0)>" }.joined()
    let told = try Read.item(inside).availability(asOf: Read.now)
    #expect(told.word == word, "\(inside)")
    #expect(told.copies?.total == Int(total))
    if !total.isEmpty { #expect(told.copies?.available == Int(free) ?? 0) }
  }

  @Test(arguments: [
    ("Rowland, Laura Joh", "Laura Joh Rowland", "Rowland, Laura Joh"),
    ("Plato", "Plato", nil), ("Dubois, Émile (Émile Charles)", "Émile Dubois", "Dubois, Émile"),
    ("King, Martin Luther, Jr.", "Martin Luther King Jr.", "King, Martin Luther, Jr."),
    ("Austen, Jane, 1775-1817", "Jane Austen", "Austen, Jane"),
    ("Disney, Inc.", "Disney, Inc.", nil),
    ("Homer, ca. 700 BC", "Homer", nil),
  ])
  func `The tables of names`(written: String, name: String, sortName: String?) {
    let found = People.contributor(written, .author)
    #expect(found?.name == name)
    #expect(found?.sortName == sortName)
  }

  @Test(arguments: ["", " ", "(nobody)", " ; "])
  func `The tables of names that are none`(written: String) throws {
    #expect(try Read.item("<Authors>\(written)</Authors>").edition().contributors.isEmpty)
  }

  @Test(arguments: [
    (
      "Children&amp;#39;s Health, Mystery &amp;amp; Detective,",
      ["Children's Health", "Mystery & Detective"]
    ),
    ("FICTION|Crime|,", ["FICTION / Crime"]),
    ("FICTION|Crime, True|, Mystery,", ["FICTION / Crime, True", "Mystery"]),
    (
      "Mystery, JUVENILE FICTION|Animals|Bears|,",
      ["Mystery", "JUVENILE FICTION / Animals / Bears"]
    ),
    ("Mystery, Mystery,  , Two  Blanks,", ["Mystery", "Two Blanks"]),
    ("FICTION|Cut off, in the", ["FICTION / Cut off, in the"]), (",", []),
  ])
  func `The tables of subjects`(genre: String, subjects: [String]) throws {
    #expect(try Read.item("<Genre>\(genre)</Genre>").edition().subjects == subjects)
  }

  @Test(arguments: [
    ("JUVENILE FICTION|Animals|,", Audience.children),
    ("YOUNG ADULT FICTION|Fantasy|,", .youngAdult),
    ("Juvenile Nonfiction,", .children), ("FICTION|Crime|,", .adult), ("Mystery,", nil),
  ])
  func `The tables of audiences`(genre: String, audience: Audience?) throws {
    #expect(try Read.item("<Genre>\(genre)</Genre>").edition().audience == audience)
  }

  @Test(arguments: [
    ("EPUB", "epub", Format.Content.epub, Format.Protection.adobe),
    ("EPUB3", "epub3", .epub, .adobe), ("PDF", "pdf", .pdf, .adobe),
    ("MP3", "mp3", .audiobook, .vendorApp), ("Adobe EPUB", "epub", .epub, .adobe),
    ("Scroll", "scroll", .other, .unknown),
  ])
  func `The tables of formats`(
    word: String, id: String, content: Format.Content, protection: Format.Protection
  ) {
    #expect(Formats.named(word) == Format(id: id, content: content, protection: protection))
    #expect(!Formats.named(word).isReadableHere)
  }

  @Test(arguments: [
    (
      "http://ebook.3m.com/library/nypl-document_id-a9",
      "https://ebook.3m.com/library/nypl-document_id-a9"
    ),
    ("http://127.0.0.1:4711/library/a9", "http://127.0.0.1:4711/library/a9"),
    ("https://x.com/a?b=1&amp;amp;c=2", "https://x.com/a?b=1&c=2"),
  ])
  func `The tables of links`(href: String, clean: String) { #expect(Links.clean(href) == clean) }

  @Test(arguments: [
    ("2012-09-17", "2012", "", "2012-09-17"), ("", "2012", "", "2012"),
    ("", "", "2016-09-03", "2016-09-03"), ("soon", "2012", "", "2012"),
  ])
  func `The tables of publication`(date: String, year: String, sale: String, told: String) throws {
    let item = try Read.item(
      "<PubDate>\(date)</PubDate><PubYear>\(year)</PubYear><OnSaleDate>\(sale)</OnSaleDate>")
    #expect(item.edition().published?.description == told)
  }

  @Test(arguments: [
    "crawl 2026-03-03T09:05:07Z 51", "events 2026-03-03T09:05:07Z 86400 2026-03-02T00:00:00Z",
  ])
  func `The tables of cursors lead back to where they came from`(text: String) {
    #expect(Place(HarvestCursor(text))?.cursor.value == text)
  }

  @Test(arguments: [
    "", "17 apples", "crawl soon 1", "crawl 2026-03-03T09:05:07Z 0", "crawl 2026-03-03T09:05:07Z",
    "events 2026-03-03T09:05:07Z 5 2026-03-02T00:00:00Z",
    "events 2026-03-03T09:05:07Z 999999999 2026-03-02T00:00:00Z",
  ])
  func `The tables of cursors refuse those of others`(text: String) {
    #expect(Place(HarvestCursor(text)) == nil)
  }

  @Test func `The tables of records bring what an item lacks`() throws {
    let item = try Read.item("<Title>T</Title><PhysicalISBN>9780306406157</PhysicalISBN>").edition()
    let record = try Read.marc(
      Read.record(
        "001=abc129", "245a=Other :", "490a=The Harbor Books", "260b=North Quay,",
        "650a=YOUNG ADULT FICTION|Fantasy|", "776z=9780306406157", "538a=Format: Adobe EPUB")
    ).records[0].edition()
    let whole = item.completed(by: record)
    #expect(whole.title == "T")
    #expect(whole.series?.name == "The Harbor Books")
    #expect(whole.publisher == "North Quay")
    #expect(whole.audience == .youngAdult)
    #expect(whole.relatedISBNs.count == 1)
    #expect(record.formats.map(\.id) == ["epub"])
  }
}
