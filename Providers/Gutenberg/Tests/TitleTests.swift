import Circulation
import Testing

@testable import Gutenberg

@Suite struct `Titles, names and roles` {
  @Test(
    arguments: [
      ("The Ferry\r\nA Tale of Öland", "The Ferry", "A Tale of Öland"),
      ("The Ferry\nA Tale\nIn Verse", "The Ferry", "A Tale; In Verse"),
      ("The Ferry : $b A Tale", "The Ferry", "A Tale"),
      ("The Ferry :$bA Tale /$cby A. Rowe", "The Ferry", "A Tale"),
      ("The Ferry / by Nella Rowe.", "The Ferry", nil),
      ("The Ferry.", "The Ferry", nil),
      ("The Ferry, etc.", "The Ferry, etc.", nil),
      ("The Ferry…", "The Ferry…", nil),
      ("The Ferry...", "The Ferry...", nil),
      ("The Life of J. F. K.", "The Life of J. F. K.", nil),
      ("History. $n Volume 2 $p The Tides", "History. Volume 2 The Tides", nil),
      ("How to Live on $5 a Day", "How to Live on $5 a Day", nil),
      ("Ferry: Tale and Truth", "Ferry: Tale and Truth", nil),
    ] as [(String, String, String?)])
  func `a Gutenberg title is split into title and subtitle at its separators`(
    _ raw: String, title: String, rest: String?
  ) {
    let read = TitleReading(raw)
    #expect(read.title == title)
    #expect(read.subtitle == rest)
  }

  @Test func `the longest of several Gutenberg titles is the title, the others are alternatives`()
    throws
  {
    let edition = try Read.edition(Written.title("Short") + Written.title("The Longer One"))
    #expect(edition.title == "The Longer One")
    #expect(edition.alternativeTitles == ["Short"])
  }

  @Test(
    arguments: [
      ("Rowe, Nella", "Nella Rowe"), ("Confucius", "Confucius"), ("Various", "Various"),
      ("Kennedy, John F. (John Fitzgerald)", "John F. Kennedy"),
      ("Davis, John Francis, Sir", "Sir John Francis Davis"),
      ("Smith, Joseph, Jr.", "Joseph Smith, Jr."),
      ("Byron, George Gordon Byron, Baron", "George Gordon Byron, Baron"),
      ("Chateaubriand, François-René, vicomte de", "François-René, vicomte de Chateaubriand"),
      ("Elizabeth I, Queen of England", "Elizabeth I, Queen of England"),
      ("Augustine, Saint, Bishop of Hippo", "Saint Augustine, Bishop of Hippo"),
      (
        "Church of Jesus Christ of Latter-day Saints", "Church of Jesus Christ of Latter-day Saints"
      ),
    ])
  func `an inverted Gutenberg name is turned into its spoken order`(_ filed: String, spoken: String)
  {
    #expect(PersonReading.spoken(filed) == spoken)
  }

  @Test func `a Gutenberg contributor keeps sort name and both years, even before year 1`() throws {
    let years =
      "<pgterms:birthdate>-99</pgterms:birthdate><pgterms:deathdate>-43</pgterms:deathdate>"
    let edition = try Read.edition(
      "<dcterms:creator>\(Written.agent(1, "Caesar, Julius", years))</dcterms:creator>")
    #expect(
      edition.contributors == [
        Contributor(
          name: "Julius Caesar", sortName: "Caesar, Julius", role: .author, born: -99, died: -43)
      ])
  }

  @Test func `an unknown Gutenberg role becomes contributor and keeps its code`() throws {
    let text = Written.record("<marcrel:xyz>\(Written.agent(1, "A"))</marcrel:xyz>")
    #expect(try Read.record(text).credits.first?.role == .relator("xyz"))
    #expect(try Read.record(text).edition().edition.contributors.first?.role == .contributor)
  }

  @Test(
    arguments: [
      ("ill", Contributor.Role.illustrator), ("trl", .translator), ("edt", .editor),
      ("aui", .authorOfIntroduction), ("com", .compiler), ("prf", .performer), ("cmp", .composer),
      ("pht", .photographer), ("adp", .adapter), ("ctb", .contributor), ("dub", .contributor),
    ])
  func `each Gutenberg relator code maps to the nearest role`(
    _ code: String, role: Contributor.Role
  ) {
    #expect(Role.relator(code).nearest == role)
  }
}
