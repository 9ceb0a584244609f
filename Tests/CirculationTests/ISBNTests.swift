import Testing

@testable import Circulation

@Suite struct `An ISBN` {
  @Test(arguments: [
    ("9780316246620", "9780316246620"), ("978-0-316-24662-0", "9780316246620"),
    ("031624662X", "9780316246620"), ("0-306-40615-2", "9780306406157"),
    ("080442957X", "9780804429573"), ("080442957x", "9780804429573"),
    ("ISBN 978 0 306 40615 7", "9780306406157"), ("ISBN-13: 9780306406157", "9780306406157"),
    ("ISBN-10: 0306406152", "9780306406157"), ("9791090636071", "9791090636071"),
    ("978\u{2011}0306406157", "9780306406157"),
  ])
  func `An ISBN has one form, whatever it was written like`(text: String, digits: String) {
    #expect(ISBN(text)?.digits == digits)
  }

  @Test(arguments: [
    "", "n/a", "N/A", "978030640615", "9780306406158", "0306406153", "X306406152", "97803064X6157",
    "9770306406157", "030640615", "9780306406157 (pbk)", "٠٣٠٦٤٠٦١٥٢", "B00ABCDEFG",
    "ISBN", "---------------",
  ])
  func `An ISBN is refused when it cannot be one`(text: String) {
    #expect(ISBN(text) == nil)
  }

  @Test func `An ISBN has a short form only under 978`() {
    #expect(ISBN("9780306406157")?.short == "0306406152")
    #expect(ISBN("9780804429573")?.short == "080442957X")
    #expect(ISBN("9791090636071")?.short == nil)
  }
}

@Suite struct `A date of publication` {
  @Test func `A date of publication is as precise as it is known`() {
    #expect(PartialDate(year: 1813).description == "1813")
    #expect(PartialDate(year: 1813, month: 1).description == "1813-01")
    #expect(PartialDate(year: 850, month: 3, day: 9).description == "0850-03-09")
    #expect(PartialDate(year: -750).description == "-0750")
  }

  @Test func `A date of publication has no day without a month`() {
    #expect(PartialDate(year: 1813, day: 4).description == "1813")
  }
}
