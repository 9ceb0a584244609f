import Machine
import Testing

@Suite struct `A moment` {
  struct Spelling: Sendable {
    let text: String
    let milliseconds: Int64?
    init(_ text: String, _ milliseconds: Int64?) {
      (self.text, self.milliseconds) = (text, milliseconds)
    }
  }

  @Test(arguments: [
    Spelling("1970-01-01T00:00:00Z", 0),
    Spelling("2026-03-24T09:05:00Z", 1_774_343_100_000),
    Spelling("2026-03-24t09:05:00z", 1_774_343_100_000),
    Spelling("2026-03-24 09:05:00Z", 1_774_343_100_000),
    Spelling("2026-03-24T10:05:00+01:00", 1_774_343_100_000),
    Spelling("2026-03-24T10:05:00+0100", 1_774_343_100_000),
    Spelling("2026-03-24T10:05:00+01", 1_774_343_100_000),
    Spelling("2026-03-24T04:35:00-04:30", 1_774_343_100_000),
    Spelling("2026-03-24T09:05:00.1Z", 1_774_343_100_100),
    Spelling("2026-03-24T09:05:00.123456789Z", 1_774_343_100_123),
    Spelling("2026-03-24", 1_774_310_400_000),
    Spelling("2000-02-29T12:00:00Z", 951_825_600_000),
    Spelling("1969-12-31T23:59:59.999Z", -1),
    Spelling("0000-01-01T00:00:00Z", -62_167_219_200_000),
    Spelling("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    Spelling("2016-12-31T23:59:60Z", 1_483_228_800_000),
    Spelling("2026-03-24T09:05:00", nil),
    Spelling("2026-02-29", nil),
    Spelling("1900-02-29", nil),
    Spelling("2026-13-01", nil),
    Spelling("2026-00-10", nil),
    Spelling("2026-04-31", nil),
    Spelling("2026-03-24T24:00:00Z", nil),
    Spelling("2026-03-24T09:60:00Z", nil),
    Spelling("2026-03-24T09:05:61Z", nil),
    Spelling("2026-03-24T09:05:00.Z", nil),
    Spelling("2026-03-24T09:05:00Zz", nil),
    Spelling("2026-03-24T09:05:00+24:00", nil),
    Spelling("2026-03-24T09:05:00+1", nil),
    Spelling("+026-03-24", nil),
    Spelling("٢٠٢٦-03-24", nil),
    Spelling("", nil),
  ])
  func `A moment is read from what libraries send, or refused`(spelling: Spelling) {
    #expect(Timestamp(rfc3339: spelling.text)?.millisecondsSinceEpoch == spelling.milliseconds)
  }

  @Test func `A moment is refused from a fraction without end`() {
    let long = "2026-03-24T09:05:00." + String(repeating: "1", count: 1_000_000) + "Z"
    #expect(Timestamp(rfc3339: long) == nil)
  }

  @Test func `A moment is printed in UTC, with milliseconds when asked`() {
    let moment = Timestamp(millisecondsSinceEpoch: 1_774_343_100_007)
    #expect(moment.rfc3339() == "2026-03-24T09:05:00Z")
    #expect(moment.rfc3339(.milliseconds) == "2026-03-24T09:05:00.007Z")
    #expect(Timestamp(millisecondsSinceEpoch: -1).rfc3339() == "1969-12-31T23:59:59Z")
  }

  @Test func `A moment beyond the years that can be written is printed at their end`() {
    #expect(Timestamp(millisecondsSinceEpoch: .max).rfc3339() == "9999-12-31T23:59:59Z")
    #expect(Timestamp(millisecondsSinceEpoch: .min).rfc3339() == "0000-01-01T00:00:00Z")
  }

  @Test func `A moment comes back from print as it went in`() {
    let chance = Chance.seeded(7)
    for _ in 0..<5000 {
      let span = 253_402_300_800_000 + 62_167_219_200_000
      let moment = Timestamp(
        millisecondsSinceEpoch: Int64(chance.number(in: 0..<span)) - 62_167_219_200_000)
      #expect(Timestamp(rfc3339: moment.rfc3339(.milliseconds)) == moment)
    }
  }

  @Test func `A moment adds and subtracts spans, rounding towards the past`() {
    let moment = Timestamp(millisecondsSinceEpoch: 1000)
    #expect(moment + .seconds(21 * 86_400) == Timestamp(millisecondsSinceEpoch: 1_814_401_000))
    #expect(moment - .milliseconds(1500) == Timestamp(millisecondsSinceEpoch: -500))
    #expect(moment + .microseconds(-1) == Timestamp(millisecondsSinceEpoch: 999))
    #expect(moment - .epoch == .seconds(1))
    #expect(Timestamp(millisecondsSinceEpoch: -1).secondsSinceEpoch == -1)
  }

  @Test func `A moment stops at the end of time`() {
    let last = Timestamp(millisecondsSinceEpoch: .max)
    let first = Timestamp(millisecondsSinceEpoch: .min)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(last - .seconds(-1) == last)
    #expect(Timestamp.epoch + .seconds(Int64.max) == last)
    #expect(Timestamp(secondsSinceEpoch: .max) == last)
    #expect(last - first == .milliseconds(Int64.max))
  }
}

@Suite struct `The calendar` {
  @Test func `The calendar counts every day of eight hundred years once`() throws {
    var expected = try #require(CivilDate(year: 1600, month: 1, day: 1)).daysSinceEpoch
    for year in 1600..<2400 {
      for month in 1...12 {
        for day in 1...CivilDate.days(in: month, of: year) {
          let date = try #require(CivilDate(year: year, month: month, day: day))
          #expect(date.daysSinceEpoch == expected)
          #expect(CivilDate(daysSinceEpoch: expected) == date)
          expected += 1
        }
      }
    }
  }

  @Test func `The calendar knows the day of the week`() {
    #expect(CivilDate(daysSinceEpoch: 0).weekday == 4)
    #expect(CivilDate(year: 2026, month: 3, day: 24)?.weekday == 2)
    #expect(CivilDate(year: 1969, month: 12, day: 28)?.weekday == 0)
  }

  @Test func `The calendar has no year that would overflow`() {
    #expect(CivilDate(year: .max, month: 1, day: 1) == nil)
    #expect(CivilDate(year: .min, month: 1, day: 1) == nil)
  }
}
