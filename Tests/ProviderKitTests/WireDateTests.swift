import Circulation
import FoundationEssentials
import Testing

@testable import ProviderKit

@Suite struct `A date on the wire` {
  @Test(arguments: [
    ("2014-11-26T14:58:00Z", 1_417_013_880.0), ("2014-11-26T14:58Z", 1_417_013_880),
    ("2013-11-12T14:13:00-05:00", 1_384_283_580), ("2013-11-12 14:13:00-0500", 1_384_283_580),
    ("2013-11-12T14:13:00-05", 1_384_283_580), ("1970-01-01", 0), ("1970-01-01T00:00:00", 0),
    ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00.500Z", 951_825_600.5),
    ("2024-02-29T24:00:00Z", 1_709_251_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
  ])
  func `A date on the wire is an instant in any of its spellings`(text: String, seconds: Double) {
    #expect(WireDate.instant(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "tomorrow", "2014", "2014-11", "2014-13-01", "2014-02-29", "2014-11-26T",
    "2014-11-26T25:61Z",
    "2014-11-26T14:58:00Q", "2014-11-26T14:58:00+", "2014-11-26T14:58:00Zjunk", "20141126",
  ])
  func `A date on the wire is refused when it is none`(text: String) {
    #expect(WireDate.instant(text) == nil)
  }

  @Test func `A date on the wire keeps its day, whatever its zone`() {
    #expect(WireDate.calendar("2013-10-01T00:00:00-04:00")?.description == "2013-10-01")
    #expect(WireDate.calendar("2013-10-01T23:00:00+14:00")?.description == "2013-10-01")
    #expect(WireDate.calendar("1813")?.description == "1813")
    #expect(WireDate.calendar("10/01/2013") == nil)
  }

  @Test(arguments: Array(stride(from: -3_000_000_000, through: 9_000_000_000, by: 123_456_789)))
  func `A date on the wire comes back as it was written`(seconds: Int) {
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(WireDate.instant(WireDate.written(date)) == date)
  }
}

@Suite struct `A text with entities` {
  @Test(arguments: [
    ("Tom &amp; Jerry&#8217;s", "Tom & Jerry’s"), ("&amp;lt;", "&lt;"), ("&#x41;&#65;", "AA"),
    ("a & b", "a & b"), ("&unknown;", "&unknown;"), ("&#0;&#xD800;", "&#0;&#xD800;"), ("&", "&"),
    ("AT&T;", "AT&T;"), ("plain", "plain"),
  ])
  func `A text with entities is decoded once`(text: String, plain: String) {
    #expect(Entities.decoded(text) == plain)
  }
}
