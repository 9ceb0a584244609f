import Machine
import Testing

@testable import SIP2

@Suite struct `What the desk says of a reader` {
  @Test(
    arguments: [
      ("BLY|CQY|", .required, true), ("BLy|CQy|", .required, true), ("BLY|", .none, true),
      ("BLY|CQN|", .none, true),
      // Two words on one question: somebody else's text has got in.
      ("BLY|CQN|CQY|", .required, false), ("BLN|CQY|BLY|", .required, false),
      ("BLN|CQY|", .required, false), ("BLN|", .none, false), ("CQY|", .required, false),
      ("BLY|CQN|", .required, false), ("BL|CQ|", .required, false),
      ("BLY|CQ1|", .required, false),
    ] as [(String, SignIn.PasswordRule, Bool)])
  func `What the desk says of a reader: signs in with both words only`(
    fields: String, rule: SignIn.PasswordRule, isWelcome: Bool
  ) throws {
    let sign = SignIn(try patron(fields), asking: rule)
    if isWelcome {
      guard case .welcome = sign else { return #expect(Bool(false), "\(sign)") }
    } else {
      #expect(sign == .wrongCredentials)
    }
  }

  @Test(arguments: ["BLY|", "BLY|CQ|", "BLY|CQ  |"])
  func `What the desk says of a reader: is no yes where it is silent about the password`(
    fields: String
  ) throws {
    #expect(SignIn(try patron(fields), asking: .required) == .passwordNotChecked)
  }

  @Test
  func `SIP2 patron status has fourteen flags, and denied recalls and holds block no loan`() throws
  {
    let all = PatronFlag.set(in: String(repeating: "Y", count: 14))
    #expect(all == Set(PatronFlag.allCases))
    #expect(PatronFlag.text(of: [.chargeDenied, .tooManyBilled]) == "Y            Y")
    #expect(PatronFlag.set(in: "    Y") == [.cardLost])
    let record = PatronRecord(try patron("BLY|CQY|", status: "  YY          "))
    #expect(record.blocks(by: PatronFlag.usuallyBlocking, today: today) == [])
  }

  @Test func `a lost card blocks a SIP2 patron whichever flags are checked`() throws {
    let record = PatronRecord(try patron("BLY|", status: "    Y         "))
    #expect(record.blocks(by: [], today: today) == [.cardLost])
  }

  @Test(
    arguments: [
      ("PA20191004|", .on(CivilDate(year: 2019, month: 10, day: 4)!)),
      ("PX20180609    235959|PYN|PA1|", .on(CivilDate(year: 2018, month: 6, day: 9)!)),
      ("PX20990609    235959|PYY|", .over(CivilDate(year: 2099, month: 6, day: 9)!)),
      ("PYY|", .over(nil)), ("PA1|", .untold), ("PA99999999|", .untold), ("", .untold),
    ] as [(String, PatronRecord.Expiry)])
  func `What the desk says of a reader: ends where its maker writes it`(
    fields: String, expiry: PatronRecord.Expiry
  ) throws {
    #expect(PatronRecord(try patron(fields)).expires == expiry)
  }

  @Test func `What the desk says of a reader: is good until the end of its last day`() throws {
    let record = PatronRecord(try patron("PA20261120|"))
    #expect(record.blocks(by: [], today: today) == [])
    let tomorrow = CivilDate(year: 2026, month: 11, day: 21)!
    #expect(record.blocks(by: [], today: tomorrow) == [.expired(today)])
  }

  @Test(
    arguments: [
      ("BV15.01|CC15.00|", true), ("BV15.00|CC15.00|", false), ("BV$20|CC15|", true),
      ("BV9,25|CC9.00|", true), ("BV20|", false), ("BV20|CC0.00|", false), ("BV-3|CC1|", false),
    ])
  func `What the desk says of a reader: owes too much where both are told`(
    fields: String, isOver: Bool
  ) throws {
    #expect(PatronRecord(try patron(fields)).isOverFeeLimit == isOver)
  }

  @Test(arguments: [", ", "No Name", "", "  "])
  func `What the desk says of a reader: has no name where none stands`(name: String) throws {
    #expect(PatronRecord(try patron("AE\(name)|")).name == nil)
  }

  @Test func `SIP2 patron counts are read only where given, with entries of one kind`() throws {
    let told = PatronRecord(
      try patron("AS31|AS32|", counts: "000200000001000000000001"))
    #expect(told.counts[.holds] == 2)
    #expect(told.counts[.charged] == 1)
    #expect(told.entries == [.holds: ["31", "32"]])
    #expect(Dialect().readyHolds(of: told) == 1)
    let blank = PatronRecord(try patron("", counts: String(repeating: " ", count: 24)))
    #expect(blank.counts == [:])
    #expect(Dialect().readyHolds(of: blank) == nil)
  }

  private let today = CivilDate(year: 2026, month: 11, day: 20)!

  private func patron(
    _ fields: String, status: String = String(repeating: " ", count: 14),
    counts: String = String(repeating: "0000", count: 6)
  ) throws -> Message {
    let line = "64\(status)00020261120    143000\(counts)AOMAIN|AA1|\(fields)"
    return try Frame(reading: Array(line.utf8)).message
  }
}

@Suite struct `What the desk says of the rest` {
  @Test(
    arguments: [
      ("9.25", 92_500), ("0", 0), ("$5.00", 50_000), ("9,25", 92_500), ("-1.5", -15_000),
      ("EUR 1.234,50", 12_345_000), ("1,234.50", 12_345_000), ("1,234", 12_340_000),
      ("0.500", 5_000), (".5", 5_000), ("12 €", 120_000), ("5.00-", -50_000),
    ])
  func `What the desk says of the rest: money is read as libraries write it`(
    text: String, value: Int64
  ) {
    #expect(Amount(text)?.tenThousandths == value)
  }

  @Test(arguments: ["", "$", "free", "1.2.3x4", "99999999999999999999", "..", "1.23456"])
  func `a SIP2 fee that is not an amount of money is read as none`(text: String) {
    #expect(Amount(text) == nil)
  }

  @Test func `What the desk says of the rest: money prints as people write it`() {
    #expect(Amount("9.25")?.description == "9.25")
    #expect(Amount("-0,5")?.description == "-0.50")
    #expect(Amount("0.1234")?.description == "0.1234")
  }

  @Test func `a SIP2 date tells whether it is local time or UTC`() throws {
    let local = try #require(Moment("20261120    143000"))
    #expect(local.zone == .local)
    #expect(try #require(Moment("202611200000143000")).zone == .zeros)
    let utc = try #require(Moment("20261120   Z143000"))
    #expect(utc.zone == .utc)
    // New York, five hours behind.
    let plain = utc.timestamp { _ in -18_000 }
    #expect(local.timestamp { _ in -18_000 } - plain == .seconds(18_000))
    #expect(Moment(plain, secondsEast: -18_000, zone: .local).text == "20261120    093000")
    #expect(Moment(plain, secondsEast: -18_000, zone: .utc).text == "20261120   Z143000")
    #expect(Moment("20261131    143000") == nil)
    for time in ["250000", "246000", "236000", "235960"] {
      #expect(Moment("20261120    \(time)") == nil)
    }
    #expect(Moment(String(repeating: " ", count: 18)) == nil)
  }

  @Test(
    arguments: [
      ("20270201    235959", "20270201"), ("2027-02-01 23:59:00", "20270201"),
      ("2027-02-01", "20270201"), ("20270201", "20270201"), ("2027-02-30", nil),
      ("nächste Woche", nil), ("", nil),
    ] as [(String, String?)])
  func `a SIP2 due date is read in the format of its library`(text: String, day: String?) {
    let expected = day.flatMap { Moment("\($0)    000000")?.day }
    #expect(Due(text).day == expected)
  }

  @Test func `a SIP2 item with no title is unknown`() throws {
    #expect(ItemRecord(try read("1801010120261120    143000AB999|AJ|")) == nil)
    let item = try #require(
      ItemRecord(
        try read(
          "1804000120261120    143000CF0002|AH20270201    235959|AB31|AJMoby-Dick|AQMAIN|CK001|")))
    #expect(item.status == .charged)
    #expect(item.status.isUsuallyHoldable)
    #expect(item.queueLength == 2)
    #expect(item.due?.day == CivilDate(year: 2027, month: 2, day: 1))
  }

  @Test func `a SIP2 server that knows no timeout and no number of retries says 999`() throws {
    func status(_ patience: String) throws -> ServiceStatus {
      ServiceStatus(try read("98YYYNNN\(patience)20261120    1430052.00AOMAIN|BXYYYYYYYYYYYYYYYY|"))
    }
    let known = try status("600003")
    #expect(known.timeout == .seconds(60) && known.retries == 3)
    let unknown = try status("999999")
    #expect(unknown.timeout == nil && unknown.retries == nil)
  }

  @Test func `a SIP2 item that is lost, missing or claimed returned cannot be held`() {
    let holdable = CirculationStatus.allCases.filter(\.isUsuallyHoldable).map(\.rawValue)
    #expect(holdable == [2, 3, 4, 5, 6, 7, 8, 9, 10])
  }

  @Test func `a SIP2 hold is accepted with or without a place in the queue`() throws {
    let placed = HoldAnswer(try read("161N20261120    143005BR3|BSEAST|AA1|AB31|AJMoby-Dick|"))
    #expect(placed.isAccepted && placed.queuePosition == 3 && placed.pickupLocation == "EAST")
    let bare = HoldAnswer(try read("161Y20261120    143005BR0|BS|"))
    #expect(bare.isAccepted && bare.queuePosition == nil && bare.pickupLocation == nil)
    let refused = HoldAnswer(try read("160N20261120    143005"))
    #expect(!refused.isAccepted && refused.messages.isEmpty)
  }

  @Test func `a SIP2 server may announce fewer capabilities than the standard lists`() throws {
    let status = ServiceStatus(
      try read("98YYYYNN60000320261120    1800432.00AOMAIN|BXYYYNYYYYYNYNNNY|"))
    #expect(status.supports(.patronStatus) == true)
    #expect(status.supports(.hold) == false)
    #expect(status.supports(.renew) == true)
    #expect(status.supports(.renewAll) == nil)
    #expect(status.timeout == .seconds(60))
    #expect(
      ServiceStatus(try read("98YYYYNN99999920261120    1800432.00AO|")).timeout == nil)
  }

  @Test func `every SIP2 request kind has an answer kind with fixed parts`() {
    let asked = MessageKind.allCases.filter { $0.answer != nil }
    #expect(asked.count == 15)
    for kind in asked {
      #expect(kind.answer?.answer == nil)
      #expect(kind.answer?.fixedParts.isEmpty == false)
    }
    #expect(!MessageKind.hold.isRepeatable && !MessageKind.renew.isRepeatable)
  }

  private func read(_ line: String) throws -> Message {
    try Frame(reading: Array(line.utf8)).message
  }
}
