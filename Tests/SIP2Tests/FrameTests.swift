import Testing
import Text

@testable import SIP2

@Suite struct `A line of the desk's protocol` {
  @Test(arguments: [
    "9300CNcarrel|COs3cret|CPMAIN|AY0AZF4B3",
    "6300120261120    143000Y         AOMAIN|AA21234000000018|AC|AD1234|AY3AZF040",
    "6300120261120    143000Y         AOMAIN|AA21234000000018|AC|AD1234|AZF10D",
    "97AZFEF5", "96AZFEF6", "941AY0AZFDFD", "940AY0AZFDFE",
    "15+20261120    143005BW20270131    235959|BSEAST|BY4|AOMAIN|AA21234000000018|AD1234|"
      + "AB31234000000016|AJB100|BOY|AY4AZE43A",
  ])
  func `A line of the desk's protocol has the checksum that was computed by hand`(line: String)
    throws
  {
    let frame = try read(line)
    #expect(frame.checksum == .right)
    let printed = try frame.message.bytes(sequence: frame.sequence)
    #expect(String(decoding: printed, as: UTF8.self) == line)
  }

  @Test func `a SIP2 message with a checksum for another digit is detected`() throws {
    // A sample that is copied around: its sum was made for the digit 8.
    let frame = try read("9300CNLoginUserID|COLoginPassword|CPLocationCode|AY5AZEC78")
    #expect(frame.checksum == .wrong(said: 0xEC78, computed: 0xEC7B))
    #expect(frame.sequence == 5)
  }

  @Test func `A line of the desk's protocol may have its sum in small letters`() throws {
    #expect(try read("97AZfef5").checksum == .right)
    #expect(try read("941AY0AZ0000").checksum == .wrong(said: 0, computed: 0xFDFD))
  }

  @Test func `A line of the desk's protocol may come without error detection`() throws {
    let frame = try read("941")
    #expect(frame.checksum == .absent)
    #expect(frame.sequence == nil)
    #expect(frame.message[.ok] == "1")
  }

  @Test func `A line of the desk's protocol may be numbered without being summed`() throws {
    let frame = try read("36Y20261120    143000AOMAIN|AA1|AY7")
    #expect(frame.sequence == 7)
    #expect(frame.checksum == .absent)
  }

  @Test
  func `a SIP2 message is not taken as checksummed because a field ends like a checksum`() throws {
    let frame = try read("36Y20261120    143000AOMAIN|AFLAZFEED")
    #expect(frame.checksum == .absent)
    #expect(frame.message[.screenMessage] == "LAZFEED")
  }

  @Test func `A line of the desk's protocol sums the bytes as they are sent`() throws {
    let message = Message(
      .endSessionAnswer, [.isEnded: "Y", .date: "20261120    143000"],
      [Message.Field(.screenMessage, "À bientôt, É")])
    let sums = try [Charset.codePage850, .latin1, .utf8].map { charset in
      var wire = Wire()
      wire.charset = charset
      let bytes = try message.bytes(as: wire, sequence: 1)
      let frame = try Frame(reading: bytes, as: wire)
      #expect(frame.checksum == .right)
      #expect(frame.message == message)
      return String(decoding: bytes.suffix(4), as: UTF8.self)
    }
    #expect(Set(sums).count == 3)
  }

  @Test(arguments: ["\r\n", "\n", "\r", "\u{0}\u{0}  ", "\n\r \u{7}"])
  func `A line of the desk's protocol may have noise before it`(noise: String) throws {
    #expect(try read(noise + "941").message.kind == .loginAnswer)
  }

  @Test
  func `a SIP2 message keeps the order of its fields, repeated and unknown ones included`() throws {
    let line =
      "64              00020261120    143000" + String(repeating: "0000", count: 6)
      + "AFtwo|AA1|AFone|ZZwhatever|U1|XI9|AOMAIN|"
    let message = try read(line).message
    #expect(message.fields.map(\.code.description) == ["AF", "AA", "AF", "ZZ", "U1", "XI", "AO"])
    #expect(message.values(.screenMessage) == ["two", "one"])
    #expect(message[.patron] == "1")
    #expect(try message.bytes(isSummed: false) == Array(line.utf8))
  }

  @Test
  func `a piece of a SIP2 message without a field code belongs to the field before it`() throws {
    let message = try read("1803000120261120    143001AB1|AJWar | peace|AQMAIN|").message
    #expect(message[.title] == "War | peace")
    #expect(message[.permanentLocation] == "MAIN")
  }

  @Test func `A line of the desk's protocol shows a separator that was written as HTML would`()
    throws
  {
    let message = try read("1803000120261120    143001AB1|AJWar &#124; peace|").message
    #expect(message.text(.title) == "War | peace")
    #expect(message[.title] == "War &#124; peace")
  }

  @Test func `A line of the desk's protocol may have another separator`() throws {
    var wire = Wire()
    wire.separator = UInt8(ascii: "^")
    let bytes = Array("36Y20261120    143000AOMAIN^AA1|2^".utf8)
    let frame = try Frame(reading: bytes, as: wire)
    #expect(frame.message[.patron] == "1|2")
    #expect(Wire.canSeparate(UInt8(ascii: "^")) && !Wire.canSeparate(UInt8(ascii: "A")))
  }

  @Test func `A line of the desk's protocol says when a letter was lost`() throws {
    var wire = Wire()
    wire.charset = .utf8
    // Latin-1, and MARC-8 with its accent before the letter and an escape.
    let frame = try Frame(
      reading: Array("941".utf8), as: wire)
    #expect(frame.isWhole)
    for name in [[0xC9, 0x41], [0xE2, 0x65], [0x1B, 0x28, 0x42]] as [[UInt8]] {
      let bytes = Array("36Y20261120    143000AE".utf8) + name + Array("|AA1|".utf8)
      let frame = try Frame(reading: bytes, as: wire)
      #expect(!frame.isWhole)
      #expect(frame.message.text(.personalName)?.contains("\u{FFFD}") == true)
      #expect(frame.message[.patron] == "1")
    }
  }

  @Test(
    arguments: [
      ("", .empty), ("\r\n\u{0}", .empty), ("9", .unknownMessage),
      ("HTTP/1.1 200", .unknownMessage),
      ("login:", .unknownMessage), ("94", .truncated(.loginAnswer)),
      ("36Y20261120", .truncated(.endSessionAnswer)),
      // A status that is a letter too long: what should be the date is none.
      (
        "64               00020261120    143000000000000000000000000000AA1|",
        .misshapen(.date)
      ),
      ("941hello there|AA1|", .strayText(.loginAnswer)),
      ("94\u{7}", .misshapen(.ok)),
    ] as [(String, WireFault)])
  func `A line of the desk's protocol is refused when it cannot be read`(
    line: String, fault: WireFault
  ) {
    #expect(throws: fault) { try read(line) }
  }

  @Test func `A line of the desk's protocol is refused when it is longer than anything true`() {
    let line = "941AF" + String(repeating: "x", count: Wire.longestIn)
    #expect(throws: WireFault.tooLong(most: Wire.longestIn)) { try read(line) }
    let whole = "941AF" + String(repeating: "x", count: Wire.longestIn - 5)
    #expect(throws: Never.self) { try read(whole) }
  }

  private func read(_ line: String) throws -> Frame { try Frame(reading: Array(line.utf8)) }
}
