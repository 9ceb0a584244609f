import Circulation
import JSON
import ProviderKit
import Testing

@testable import Axis360

/// What the wire's words mean: formats, people, languages, readerships, pictures.
@Suite struct `The words of the wire` {
  @Test(arguments: [
    (["ePub", "PDF"], ["ePub", "PDF"]), (["Acoustik", "AxisNow"], ["Acoustik"]),
    (["Blio", "ePub", "AxisNow"], ["AxisNow", "ePub"]), (["Kindle"], []), ([], []),
    (["epub", "EPUB"], ["ePub"]),
  ])
  func `Axis360 format names are read in order without duplicates`(_ words: [String], ids: [String])
  {
    #expect(Formats.all(words).map(\.id) == ids)
  }

  @Test(arguments: [
    ("ePub", Format.Content.epub, Format.Protection.adobe), ("PDF", .pdf, .adobe),
    ("AxisNow", .epub, .vendorApp), ("Acoustik", .audiobook, .vendorApp),
  ])
  func `an Axis360 format name sets content and protection and locks the loan`(
    _ word: String, content: Format.Content, protection: Format.Protection
  ) throws {
    let format = try #require(Formats.named(word))
    #expect(format.content == content && format.protection == protection && format.locksLoan)
  }

  @Test(arguments: [
    (["AxisNow", "PDF", "ePub"], "ePub"), (["AxisNow", "PDF"], "PDF"), (["Blio"], "AxisNow"),
    (["Acoustik"], "Acoustik"), ([], nil),
  ])
  func `the Axis360 adapter prefers formats in a fixed order`(_ words: [String], best: String?) {
    #expect(Formats.preferred(among: Formats.all(words))?.id == best)
  }

  @Test(arguments: [
    ("INT", Contributor.Role.authorOfIntroduction), ("EDT", .editor), ("PHT", .photographer),
    ("ILT", .illustrator), ("TRN", .translator), ("FRW", .authorOfIntroduction),
    ("AFT", .authorOfIntroduction), ("NAR", .narrator), ("ADP", .author), ("COR", .author),
    ("CON", .contributor), ("XYZ", .contributor),
  ])
  func `a suffix in an Axis360 contributor name tells the role`(
    _ suffix: String, role: Contributor.Role
  ) {
    let found = Contributors.read("McCain, John ; Salter, Mark (\(suffix)) ")
    #expect(
      found == [
        Contributor(name: "John McCain", sortName: "McCain, John", role: .author),
        Contributor(name: "Mark Salter", sortName: "Salter, Mark", role: role),
      ])
  }

  @Test func `Axis360 authors and narrators are read from separate elements`() throws {
    let title = Wire.title(
      "", "<authors><author>Koehler, Jeff</author></authors><narrator>Ann Lee; Bo Day</narrator>")
    let edition = try #require(Read.edition(Wire.titles(title)))
    #expect(edition.authors == ["Jeff Koehler"])
    #expect(
      edition.contributors.filter { $0.role == .narrator }.map(\.name) == ["Ann Lee", "Bo Day"])
  }

  @Test(arguments: [
    ("ENGLISH", ["en"]), ("Spanish", ["es"]), ("FRENCH; ENGLISH", ["fr", "en"]),
    ("KLINGON", ["und"]), ("", []),
  ])
  func `Axis360 language names become language codes`(_ text: String, codes: [String]) {
    #expect(Metadata.languages(text) == codes)
  }

  @Test(arguments: [
    ("General Adult", Audience.adult), ("Teen - Grade 7-9, Age 12-14", .youngAdult),
    ("Teen - Grade 10-12, Age 15-18", .youngAdult),
    ("Children's - Grade 4-6, Age 9-11", .children),
    ("Children's - Kindergarten, Age 5-6", .children), ("Pre-School, Age 3-4", .children),
    ("Babies - Age 0-2", .children), ("Scholarly/Undergraduate", .adult), ("Professional", .adult),
    ("Grade 8, Age 13-14", .youngAdult), ("", nil), ("Everybody", nil),
  ])
  func `Axis360 audience phrases become audience groups`(_ phrase: String, audience: Audience?) {
    #expect(Metadata.audience(phrase) == audience)
  }

  @Test(arguments: [
    ("http://c.example/J.svc/1/Medium/Empty", "https://c.example/J.svc/1/Large/Empty"),
    ("http://some-other.example/image.jpg", "https://some-other.example/image.jpg"),
    ("http://127.0.0.1:8080/Medium/Logo", "http://127.0.0.1:8080/Large/Logo"), ("", nil),
  ])
  func `an Axis360 cover address is changed to the large picture`(_ address: String, large: String?)
  {
    #expect(Metadata.covers(address).large == large)
  }

  @Test(
    arguments: [
      ("EBT", ["Acoustik"], Medium.book), ("ABT", [], .audiobook), (nil, ["Acoustik"], .audiobook),
      (nil, ["ePub"], .book), ("eBook", [], .book), ("AudioBook", [], .audiobook),
    ] as [(String?, [String], Medium)])
  func `an Axis360 title is read as a book or an audiobook`(
    _ word: String?, formats: [String], medium: Medium
  ) {
    #expect(Metadata.medium(word, Formats.all(formats)) == medium)
  }

  @Test(arguments: [
    ("2", "5", "1", "available"), ("0", "5", "1", "queued"), ("0", "0", "0", "unavailable"),
    ("9999", "9999", "0", "available"),
  ])
  func `Axis360 copy counts decide availability`(
    _ free: String, total: String, holds: String, word: String
  ) {
    let found = Read.availability(
      "<availableCopies>\(free)</availableCopies><totalCopies>\(total)</totalCopies>"
        + "<holdsQueueSize>\(holds)</holdsQueueSize>")
    #expect(found?.word == word)
    #expect((found?.copies?.total == nil) == (total == "9999"))
  }

  @Test func `The words of the wire make a whole record of two halves`() throws {
    let json = """
      {"TitleID":"1","active":true,"formatType":"eBook","formats":["BLIO","EPUB"],
       "releaseDate":"2009-19-05","fields":[{"name":"title","values":["Angel"]},
       {"name":"subtitle","values":["A Tale"]},{"name":"author","values":["Balogh, Mary"]},
       {"name":"subject","values":["FICTION / Romance / General; FICTION / Tea"]},
       {"name":"genre","values":["FICTION","FICTION"]},{"name":"language","values":["ENGLISH"]},
       {"name":"isbn","values":["9780306406157"]},{"name":"audience","values":["General Adult"]}]}
      """
    let own = try #require(InventoryTitle(try .init(parsing: json)))
    let title = Wire.title(
      "<totalCopies>2</totalCopies>", id: "1",
      "<productTitle>Angel : A Tale</productTitle><series>Huxtable</series>"
        + "<contributor>Balogh, Mary ; Roe, Al (ILT)</contributor>")
    let root = try WireXML(parsing: Array(Wire.titles(title).utf8))
    let edition = own.edition(with: root["title"].flatMap(WireTitle.init))
    #expect(edition.title == "Angel" && edition.subtitle == "A Tale" && edition.owned == true)
    #expect(edition.contributors.map(\.role) == [.author, .illustrator])
    #expect(edition.series?.name == "Huxtable" && edition.languages == ["en"])
    #expect(edition.subjects == ["FICTION / Romance / General", "FICTION / Tea", "FICTION"])
    #expect(edition.formats.map(\.id) == ["AxisNow", "ePub"] && edition.audience == .adult)
    #expect(edition.published?.description == "2009-05-19" && edition.isbns.count == 1)
  }
}
