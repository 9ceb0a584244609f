import EPUB
import JSON
import Machine
import Testing

@testable import Reading

private let emma = AnnotatedBook(
  digest: "d1", identifier: "urn:isbn:9780141439587", title: "Emma & <co>",
  authors: ["Jane Austen"])

private func annotation(
  _ id: String, _ kind: Annotation.Kind, _ words: String, note: String? = nil,
  tags: [String] = [], spine: Int = 0
) -> Annotation {
  var locator = Locator(href: "c\(spine).xhtml")
  (locator.spine, locator.progression, locator.position) = (spine, 0.5, spine + 17)
  locator.totalProgression = 0.25
  locator.title = "Chapter \(spine + 1)"
  locator.cfi = try? CFI("epubcfi(/6/4!/4/2/1:3)")
  if kind == .bookmark {
    locator.quote.after = words
  } else {
    locator.quote = Locator.Quote(before: "before ", highlight: words, after: " after")
  }
  return Annotation(
    id: id, book: emma, kind: kind, locator: locator, note: note, tags: tags,
    made: 1_774_343_100_000, changed: 1_774_343_100_000)
}

private let all = [
  annotation("n3", .bookmark, "later on", spine: 1),
  annotation("n1", .highlight, "# not a *heading*\n- nor a list", tags: ["two words"]),
  annotation("n2", .note, "handsome, \"clever\"]]>", note: "1. So & so <b>"),
]

private func export(_ format: AnnotationFormat) -> String {
  AnnotationExport(all, at: Timestamp(secondsSinceEpoch: 1_774_350_000)).text(format)
}

@Suite struct `Notes for other programs` {
  @Test func `notes exported as Markdown are in book order with special characters escaped`() {
    #expect(
      export(.markdown) == """
        # Emma & \\<co\\>

        Jane Austen

        ## Chapter 1

        > \\# not a \\*heading\\*  
        > \\- nor a list

        Tags: two words

        — page 17, 25%, 2026-03-24

        > handsome, "clever"\\]\\]\\>

        1\\. So & so \\<b\\>

        — page 17, 25%, 2026-03-24

        ## Chapter 2

        Bookmark: later on

        — page 18, 25%, 2026-03-24


        """)
  }

  @Test func `notes exported as HTML contain no tags of their own`() {
    let page = export(.html)
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("<h1>Emma &amp; &lt;co&gt;</h1>"))
    #expect(page.contains("1. So &amp; so &lt;b&gt;") && !page.contains("<b>"))
    #expect(page.contains("heading*<br>- nor"))
  }

  @Test
  func `notes exported for Evernote survive the end of a CDATA section in their text`() throws {
    let text = export(.enex)
    #expect(text.contains("<created>20260324T"))
    #expect(text.contains("<tag>two words</tag>"))
    #expect(text.contains("<title>Emma &amp; &lt;co&gt;</title>"))
    // The section ends once, behind the note, and not where somebody's words would end it.
    #expect(text.split(separator: "]]>", omittingEmptySubsequences: false).count == 2)
    #expect(text.contains("handsome, \"clever\"]]&gt;"))
  }

  @Test func `notes exported as Readwise CSV are quoted by RFC 4180`() {
    let lines = export(.csv).split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "Highlight,Title,Author,URL,Note,Location,Date")
    #expect(
      lines[1].hasPrefix(
        "\"# not a *heading*\n- nor a list\",Emma & <co>,Jane Austen,,.twowords,17,"))
    #expect(lines[2].hasPrefix("\"handsome, \"\"clever\"\"]]>\","))
    #expect(lines.count == 5)
  }

  @Test func `notes exported as BibTeX form one entry per book`() {
    let text = export(.bibtex)
    #expect(text.hasPrefix("@book{austenemma,\n  author = {{Jane Austen}},\n"))
    #expect(text.contains("title = {{Emma \\& <co>}}"))
    #expect(text.contains("``handsome, \"clever\"]]>'' (page 17, 25\\%) 1. So \\& so <b>"))
  }

  @Test(arguments: [AnnotationFormat.w3c, .json])
  func `Notes for other programs come back as they went`(format: AnnotationFormat) throws {
    let back = try AnnotationImport(Array(export(format).utf8), for: emma, now: 0)
    #expect(back.skipped == 0)
    #expect(Set(back.annotations) == Set(all))
  }

  @Test(arguments: [AnnotationFormat.w3c, .json])
  func `Notes for other programs that were changed come back as the later ones`(
    format: AnnotationFormat
  ) throws {
    var changed = all[1]
    (changed.note, changed.changed) = ("on second thought", changed.made + 60_000)
    let text = AnnotationExport([changed], at: Timestamp(secondsSinceEpoch: 0)).text(format)
    let back = try AnnotationImport(Array(text.utf8), for: emma, now: 0)
    #expect(back.annotations.map(\.changed) == [changed.changed])
    #expect(back.annotations.map(\.note) == ["on second thought"])
  }

  @Test func `notes exported as Web Annotations have three selectors for their place`() throws {
    let json = try JSONValue(parsing: export(.w3c))
    let item = try #require(json["items"]?.array?.first)
    let kinds = item["target"]?["selector"]?.array?.compactMap { $0["type"]?.string }
    #expect(kinds == ["TextQuoteSelector", "FragmentSelector", "ProgressionSelector"])
    #expect(json["type"] == "AnnotationSet" && item["id"] == "urn:uuid:n1")
  }

  @Test func `Notes for other programs are read from another app's file`() throws {
    let text = """
      {"type":"AnnotationSet","about":{"dc:title":"Emma","dc:identifier":["urn:x:1"]},"items":[\
      {"id":"urn:uuid:a1","created":"2026-03-24T09:05:00Z","motivation":"highlighting",\
      "target":{"source":"c1.xhtml","selector":[{"type":"TextQuoteSelector","exact":"clever"}]},\
      "body":{"type":"TextualBody","value":"mine","tag":"t"}},{"id":"urn:uuid:a2"}]}
      """
    let read = try AnnotationImport(Array(text.utf8), for: nil, now: 0)
    #expect(read.skipped == 1)
    let one = try #require(read.annotations.first)
    #expect(one.id == "a1" && one.kind == .note && one.note == "mine" && one.tags == ["t"])
    #expect(one.locator.href == "c1.xhtml" && one.locator.quote.highlight == "clever")
    #expect(one.book.identifier == "urn:x:1" && one.made == 1_774_343_100_000)
  }

  @Test func `Notes for other programs are read from KOReader, the same twice`() throws {
    let text = """
      {"title":"Emma","author":"Jane Austen","entries":[{"chapter":"I","page":3,\
      "time":1774343100,"text":"handsome","note":"yes","drawer":"lighten"},{"time":1}]}
      """
    let one = try AnnotationImport(Array(text.utf8), for: nil, now: 0)
    let two = try AnnotationImport(Array(text.utf8), for: nil, now: 9)
    #expect(one.annotations == two.annotations && one.annotations.count == 1 && one.skipped == 1)
    #expect(one.annotations[0].kind == .note && one.annotations[0].locator.title == "I")
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1e300"])
  func `Notes for other programs are read whatever time they claim to be of`(time: String) throws {
    let text = #"{"title":"Emma","entries":[{"time":\#(time),"text":"handsome"}]}"#
    let read = try AnnotationImport(Array(text.utf8), for: nil, now: 7)
    #expect(read.annotations.count == 1)
    #expect(
      AnnotationExport(read.annotations, at: Timestamp(secondsSinceEpoch: 0))
        .text(.w3c).contains("handsome"))
  }

  @Test func `Notes for other programs are refused where they are none`() {
    #expect(throws: AnnotationImport.Fault.unknownShape) {
      try AnnotationImport(Array("{\"a\":1}".utf8), for: nil, now: 0)
    }
    #expect(throws: AnnotationImport.Fault.self) {
      try AnnotationImport(Array("not JSON".utf8), for: nil, now: 0)
    }
  }
}
