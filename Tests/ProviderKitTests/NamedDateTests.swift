import Circulation
import FoundationEssentials
import Testing

@testable import ProviderKit

@Suite struct `A date with the name of a month` {
  @Test(
    arguments: [
      ("Fri Feb 06 15:11:50 -0800 2009", "2009-02-06", 1_233_961_910.0),
      ("Mon, 13 Apr 2020 21:05:11 -0700", "2020-04-13", 1_586_837_111),
      ("Sun, 14 Jun 2026 07:30:00 GMT", "2026-06-14", 1_781_422_200),
      ("Sat Feb 29 00:00 +0000 2020", "2020-02-29", 1_582_934_400),
      ("1 january 1970", "1970-01-01", 0),
      ("Thu, 31 Dec 1998 23:59:60 +0530", "1998-12-31", 915_129_000),
    ] as [(String, String, Double)])
  func `A date with the name of a month keeps the day that was written`(
    _ text: String, day: String, instant: Double
  ) throws {
    let stamp = try #require(WireDate.named(text))
    #expect(stamp.day.description == day)
    #expect(stamp.instant.timeIntervalSince1970 == instant)
  }

  @Test(arguments: [
    "", "2020-04-13", "Mon, 13 2020", "31 Feb 2020", "0 Jan 2020", "Fri Feb 06 25:00:00 -0800 2009",
    "Fri Feb 06 15:11:50 -08 2009", "Feb 2009", String(repeating: "Feb ", count: 40),
  ])
  func `A date with the name of a month is nothing else`(_ text: String) {
    #expect(WireDate.named(text) == nil)
  }
}
