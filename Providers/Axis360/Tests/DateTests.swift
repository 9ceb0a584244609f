import Circulation
import FoundationEssentials
import Testing

@testable import Axis360

@Suite struct `A date` {
  @Test(arguments: [
    ("7/22/2015 5:40:27 PM +00:00", 1_437_586_827.0), ("7/22/2015 5:40:27 PM", 1_437_586_827),
    ("7/22/2015 5:40:27 AM +00:00", 1_437_543_627), ("7/22/2015 12:00:00 AM", 1_437_523_200),
    ("7/22/2015 12:30:00 PM", 1_437_568_200), ("7/22/2015 5:40:27 PM -05:00", 1_437_604_827),
    ("07/22/2015 17:40:27", 1_437_586_827), ("8/12/2015 5:40 PM", 1_439_401_200),
    ("2018-09-29 18:34:00.0000000 +00:00", 1_538_246_040),
    ("2018-09-29 18:34:00 -01:00", 1_538_249_640), ("2025-06-20T19:52:00.000Z", 1_750_449_120),
    ("3/7/2000", 952_387_200),
  ])
  func `A date is a moment in every shape`(_ text: String, seconds: Double) {
    #expect(WireMoment.instant(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test func `A date is cut to microseconds`() throws {
    let date = try #require(WireMoment.instant("2018-09-29 18:34:00.0001398 +00:00"))
    #expect(abs(date.timeIntervalSince1970 - 1_538_246_040.000139) < 0.0000005)
  }

  @Test(arguments: [
    "", "yesterday", "13/1/2015 1:00:00 PM", "2/30/2015 1:00:00 PM", "7/22/2015 13:00:00 PM",
    "7/22/2015 0:00:00 AM", "7/22/15 1:00:00 PM", "7/22/2015 1:61:00 PM", "2018-09-29 18:34 xx",
  ])
  func `A date that is none is none`(_ text: String) { #expect(WireMoment.instant(text) == nil) }

  @Test(arguments: [
    ("3/7/2000", "2000-03-07"), ("12/31/1999", "1999-12-31"), ("2000-03-07", "2000-03-07"),
    ("5/12/2015 12:00:00 AM", "2015-05-12"), ("2/30/2000", nil), ("soon", nil),
  ])
  func `A date of publication keeps its day`(_ text: String, written: String?) {
    #expect(WireMoment.calendar(text)?.description == written)
  }

  @Test(arguments: [
    ("2009-19-05", "2009-05-19"), ("2009-06-10", "2009-10-06"), ("2009", "2009"),
    ("2009-05-19", nil), ("2009-31-02", nil), ("", nil),
  ])
  func `A date of release has its day before its month`(_ text: String, written: String?) {
    #expect(WireMoment.release(text)?.description == written)
  }

  @Test func `A date is written with months first, in twenty-four hours`() {
    let date = Date(timeIntervalSince1970: 1_437_586_827)
    #expect(WireMoment.written(date) == "07-22-2015 17:40:27")
  }

  @Test(arguments: [("21:36", 77_760), ("00:05", 300), ("9", nil), ("1:75", nil), ("", nil)])
  func `A date is not what a running time is`(_ text: String, seconds: Int?) {
    #expect(WireMoment.seconds(ofRuntime: text) == seconds)
  }
}
