import Circulation
import Testing

@testable import Gutenberg

@Suite struct `A record` {
  @Test func `A record finds people described elsewhere in the file, whichever comes first`() throws
  {
    let person = Written.agent(7, "Rowe, Nella", "<pgterms:birthdate>1801</pgterms:birthdate>")
    let record = try Read.record(
      Written.record(
        "<marcrel:trl rdf:resource=\"2009/agents/7\"/>" + Written.title("T")
          + "<dcterms:creator>\(person)</dcterms:creator>"))
    #expect(record.credits.map(\.role) == [.relator("trl"), .creator])
    #expect(record.credits.map(\.agent.name) == ["Rowe, Nella", "Rowe, Nella"])
    #expect(record.credits.map(\.agent.born?.number) == [1801, 1801])
    #expect(record.credits.map(\.isByReference) == [true, false])
  }

  @Test func `A record may be flat, with bodies beside the book and languages as plain texts`()
    throws
  {
    let spaces = Written.spaces.replacing("relators/", with: "relators")
    let flat = Written.record(
      "<dcterms:creator rdf:resource=\"2009/agents/7\"/>"
        + "<marcrel:ill rdf:resource=\"2009/agents/8\"/>"
        + "<dcterms:language rdf:datatype=\"http://purl.org/dc/terms/RFC4646\">fr"
        + "</dcterms:language><dcterms:hasFormat"
        + " rdf:resource=\"https://www.gutenberg.org/ebooks/4711.epub3.images\"/>",
      beside: Written.agent(7, "Rowe, Nella") + Written.agent(8, "Quist, Tove")
        + Written.body("ebooks/4711.epub3.images", ["application/epub+zip"])
        + Written.body("ebooks/4711.txt.utf-8", ["text/plain"]), spaces: spaces)
    let edition = try Read.record(flat).edition().edition
    #expect(edition.contributors.map(\.role) == [.author, .illustrator])
    #expect(edition.languages == ["fr"])
    // The second file is told of by its body alone.
    #expect(edition.formats.map(\.id) == ["epub3.images", "txt.utf-8"])
  }

  @Test func `A record is known by a number, whatever site stands before it`() throws {
    let text = Written.record(Written.title("T")).replacing(
      "rdf:about=\"ebooks/", with: "rdf:about=\"http://www.gutenberg.org/ebooks/")
    #expect(try Read.record(text).number == 4711)
    #expect(throws: RecordFault.noBook) {
      try Read.record(Written.record(Written.title("T"), number: 999_999))
    }
    #expect(throws: RecordFault.noBook) {
      try Read.record(Written.record(Written.title("T"), number: 0))
    }
  }

  @Test func `A record tells headings, classes and shelves apart and keeps them all`() throws {
    let record = try Read.record(
      Written.record(
        Written.described(
          "dcterms:subject", "Ferries -- Fiction", of: "http://purl.org/dc/terms/LCSH")
          + Written.described("dcterms:subject", "E201", of: "http://purl.org/dc/terms/LCC")
          + Written.described("pgterms:bookshelf", "Category: Novels", of: "2009/pgterms/Bookshelf")
      ))
    #expect(record.headings == ["Ferries -- Fiction"])
    #expect(record.classes == ["E201"])
    #expect(record.bookshelves == ["Category: Novels"])
    #expect(
      record.edition().edition.subjects == ["Ferries -- Fiction", "Category: Novels", "E201"])
  }

  @Test func `A record pairs a size with a date only where there are as many`() throws {
    let dates = [
      "<dcterms:modified>2020-01-02T00:00:00</dcterms:modified>",
      "<dcterms:modified>2024-05-06T00:00:00.5</dcterms:modified>",
    ]
    let sizes = ["<dcterms:extent>10</dcterms:extent>", "<dcterms:extent>20</dcterms:extent>"]
    func file(_ inner: String) throws -> Record.File {
      let text = Written.record(Written.file("ebooks/4711.txt.utf-8", ["text/plain"], inner))
      return try #require(try Read.record(text).files.first)
    }
    let both = try file(dates[1] + sizes[1] + dates[0] + sizes[0])
    #expect(both.modified == "2024-05-06T00:00:00.5")
    #expect(both.bytes == 20)
    #expect(try file(dates.joined() + sizes[0]).bytes == nil)
  }

  @Test func `A record says nothing where old files say None`() throws {
    let edition = try Read.edition(
      "<dcterms:issued>None</dcterms:issued><dcterms:rights>None</dcterms:rights>")
    #expect(edition.added == nil)
    #expect(edition.rights == nil)
    #expect(edition.title == "Untitled (Gutenberg 4711)")
  }

  @Test func `A record tells a summary from a machine as one`() throws {
    let plain = try Read.edition("<pgterms:marc520>Of ferries.</pgterms:marc520>")
    #expect(plain.summary == "Of ferries. (This is an automatically generated summary.)")
    let labelled = "Of ferries. (This is an automatically generated summary.)"
    #expect(try Read.edition("<pgterms:marc520>\(labelled)</pgterms:marc520>").summary == labelled)
  }

  @Test func `A record brings what cataloguers noted`() throws {
    let edition = try Read.edition(
      "<pgterms:marc010>   30013141 </pgterms:marc010><pgterms:marc020>0-306-40615-2 (pbk.)"
        + "</pgterms:marc020><pgterms:marc440>The Harbor Library ; no. 12</pgterms:marc440>"
        + "<pgterms:downloads>815</pgterms:downloads>"
        + "<dcterms:rights>Copyrighted. Ask.</dcterms:rights>"
        + "<dcterms:alternative>The Other Name</dcterms:alternative>")
    #expect(edition.identifiers == [ForeignIdentifier(scheme: "lccn", value: "30013141")])
    let isbn = try #require(ISBN("0306406152"))
    #expect(edition.isbns == [isbn])
    #expect(edition.series == Series(name: "The Harbor Library", position: 12))
    #expect(edition.popularity == 815)
    #expect(edition.rights == "Copyrighted. Ask.")
    #expect(edition.alternativeTitles == ["The Other Name"])
  }

  @Test func `A record of boundless size is cut, and says so`() throws {
    let crowd = (1...500).map {
      "<marcrel:ctb>\(Written.agent($0, "Hand, Number \($0)"))</marcrel:ctb>"
    }.joined()
    let long = String(repeating: "x ", count: 500_000)
    let (edition, warnings) = try Read.record(
      Written.record(
        Written.title("T") + crowd + "<pgterms:marc520>\(long)</pgterms:marc520>")
    ).edition()
    #expect(edition.contributors.count == Bounds.contributors)
    #expect((edition.summary?.count ?? 0) <= Bounds.summary + 1)
    #expect(warnings.count == 2)
    #expect(warnings.allSatisfy { $0.hasPrefix("pg4711: ") })
  }

  @Test
  func `a Gutenberg record in the wrong encoding is repaired and marked as repaired`() throws {
    var bytes = Array(Written.record(Written.title("Caf#")).utf8)
    let sign = try #require(bytes.lastIndex(of: UInt8(ascii: "#")))
    bytes[sign] = 0xE9
    let (record, wasMended) = try Record.reading(bytes)
    #expect(wasMended)
    #expect(record.titles.first?.hasPrefix("Caf") == true)
  }

  @Test func `A record that was cut off is no record`() {
    let text = Written.record(Written.title("T"))
    #expect(throws: RecordFault.self) { try Read.record(String(text.dropLast(20))) }
  }
}
