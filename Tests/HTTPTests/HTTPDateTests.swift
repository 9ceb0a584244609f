import HTTP
import Testing

@Suite struct HTTPDateTests {
  static let example = HTTPDate(seconds: 784_111_777)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
    "Mon, 06 Nov 1994 08:49:37 UTC",
  ])
  func `reads every form of the example`(text: String) {
    #expect(HTTPDate(text) == Self.example)
  }

  @Test func `prints the current form`() {
    #expect(Self.example.description == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (-11_644_473_600, "Mon, 01 Jan 1601 00:00:00 GMT"),
  ])
  func `prints and reads the corners of the calendar`(seconds: Int64, text: String) {
    #expect(HTTPDate(seconds: seconds).description == text)
    #expect(HTTPDate(text) == HTTPDate(seconds: seconds))
  }

  @Test func `days of 400 years come back, with their weekdays`() {
    let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    for day in stride(from: Int64(0), to: 146_097, by: 13) {
      let date = HTTPDate(seconds: day * 86_400)
      #expect(HTTPDate(date.description) == date)
      #expect(date.description.prefix(3) == names[Int(day % 7)])
    }
  }

  @Test func `a two-digit year lies at most fifty years ahead`() throws {
    let now = HTTPDate(seconds: 1_700_000_000)  // 2023
    let ahead = try #require(HTTPDate("Friday, 01-Jan-73 00:00:00 GMT", now: now))
    let past = try #require(HTTPDate("Friday, 01-Jan-74 00:00:00 GMT", now: now))
    #expect(ahead.description.contains("2073"))
    #expect(past.description.contains("1974"))
  }

  @Test(arguments: [
    "", "yesterday", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1994 08:49:37", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 19944 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT GMT", "1994-11-06T08:49:37Z",
  ])
  func `what is no date is none`(text: String) { #expect(HTTPDate(text) == nil) }

  @Test func `a leap second is the second before it`() {
    #expect(
      HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate("Sat, 31 Dec 2016 23:59:59 GMT"))
  }
}
