import Circulation
import FoundationEssentials
import Testing

@testable import ShelfFiles

@Suite struct `A date in a file` {
  @Test(arguments: [
    ("2021/03/05", day(2021, 3, 5)), ("2021-03-05", day(2021, 3, 5)),
    ("2021-03-05T10:00:00Z", day(2021, 3, 5)), ("2021-03-05 10:00:00+00:00", day(2021, 3, 5)),
    ("3/5/2021", day(2021, 3, 5)), ("13/5/2021", day(2021, 5, 13)), ("5.3.2021", day(2021, 3, 5)),
    ("[2007-04-16]", day(2007, 4, 16)), ("2021", day(2021)), ("2021/03", day(2021, 3)),
    ("2021-00-00", day(2021)), ("03/2021", day(2021, 3)), ("Mar 5, 2021", day(2021, 3, 5)),
    ("5 March 2021", day(2021, 3, 5)), ("Sept 2021", day(2021, 9)), (" 2021/3/5 ", day(2021, 3, 5)),
    ("2024/02/29", day(2024, 2, 29)),
  ])
  func `A date in a file is read in any of its forms`(text: String, date: PartialDate) {
    #expect(FileDate.read(text) == date)
  }

  @Test(arguments: [
    "", "someday", "2021/13/01", "2021/02/29", "0000/00/00", "13/13/2021", "12", "2021/00/05",
    "-", "2021-03-05 and more", "99999999999999999999", "March", "1/2/3", "32.1.2021",
  ])
  func `A date in a file is nothing where it says no day`(text: String) {
    #expect(FileDate.read(text) == nil)
  }

  @Test func `A date in a file is the same day as an instant and back`() {
    for number in stride(from: -800_000, through: 800_000, by: 9_973) {
      let date = Date(milliseconds: Int64(number) * 86_400_000 + 5)
      #expect(date.day.instant == Date(milliseconds: Int64(number) * 86_400_000))
    }
  }
}

@Suite struct `A character reference` {
  @Test(arguments: [
    ("caf&eacute; &amp; t&#233;&#x20AC;", "caf\u{E9} & t\u{E9}\u{20AC}"), ("a & b", "a & b"),
    ("&nothing; &;", "&nothing; &;"), ("&yuml;&nbsp;", "\u{FF}\u{A0}"),
    ("&#0;&#xD800;", "&#0;&#xD800;"),
  ])
  func `A character reference is read and written`(text: String, plain: String) {
    #expect(Entities.decoded(text) == plain)
    #expect(Entities.decoded(Entities.encoded(plain)) == plain)
    #expect(Entities.decoded(Entities.encoded(text)) == text)
  }
}
