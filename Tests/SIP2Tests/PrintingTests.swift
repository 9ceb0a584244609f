import Machine
import Testing

@testable import SIP2

@Suite struct `What is sent to the desk` {
  let sender = Message.Sender(institution: "MAIN", date: Moment("20261120    143005")!)

  @Test(arguments: [
    "1234|BLY", "1234\rBLY", "1234\n", "12\u{0}34",
  ])
  func `What is sent to the desk: holds no password that would end its field`(typed: String) {
    let message = Message.patronInformation("21234000000018", password: typed, from: sender)
    #expect(throws: WireFault.forbiddenCharacter(.patronPassword)) { try message.bytes() }
    let other = Message.patronInformation(typed, password: "1234", from: sender)
    #expect(throws: WireFault.forbiddenCharacter(.patron)) { try other.bytes() }
    let item = Message.itemInformation(typed, from: sender)
    #expect(throws: WireFault.forbiddenCharacter(.item)) { try item.bytes() }
  }

  @Test func `What is sent to the desk: has blanks for such letters in plain texts`() throws {
    let sender = Message.Sender(institution: "MA|IN\r", date: sender.date)
    let bytes = try Message.itemInformation("1", from: sender).bytes(isSummed: false)
    #expect(String(decoding: bytes, as: UTF8.self) == "1720261120    143005AOMA IN |AB1|")
  }

  @Test func `the SIP2 client refuses to send a letter that its charset lacks`() {
    let message = Message.patronInformation("1", password: "пароль", from: sender)
    #expect(throws: WireFault.unwritable(.patronPassword)) { try message.bytes() }
  }

  @Test func `What is sent to the desk: is not longer than a server reads`() {
    let message = Message.itemInformation(String(repeating: "9", count: 9_000), from: sender)
    #expect(throws: WireFault.tooLong(most: Wire.longestOut)) { try message.bytes() }
  }

  @Test func `What is sent to the desk: cannot smuggle fields through its fixed part`() {
    let message = Message(.itemInformation, [.date: "20261120    1430|BL"])
    #expect(throws: WireFault.misshapen(.date)) { try message.bytes() }
  }

  @Test func `What is sent to the desk: shows nothing of itself in a log`() throws {
    let message = Message.login(user: "carrel", password: "s3cret", location: "MAIN")
    for text in ["\(message)", "\(message.fields)", String(reflecting: message)] {
      #expect(!text.contains("s3cret"))
    }
    var dumped = ""
    dump(message, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect("\(message)" == "93 CN(6) CO(6) CP(4)")
  }

  @Test(
    arguments: [
      ("9300CNu|COp|CPMAIN|", Message.login(user: "u", password: "p", location: "MAIN")),
      ("9900802.00", .serviceStatus),
    ])
  func `What is sent to the desk: is spelled as the paper has it`(line: String, message: Message)
    throws
  {
    #expect(try text(message) == line)
  }

  @Test func `What is sent to the desk: asks for a patron and one list`() throws {
    let message = Message.patronInformation(
      "21", password: "1234", listing: .unavailableHolds, entries: 1...20, from: sender)
    #expect(
      try text(message) == "6300020261120    143005     Y    AOMAIN|AA21|AC|AD1234|BP1|BQ20|")
  }

  @Test func `What is sent to the desk: places, moves and cancels a hold`() throws {
    let place = Message.placeHold(
      .item("31"), for: "21", password: "1234", at: "EAST",
      until: Moment("20270131    235959"), from: sender)
    #expect(
      try text(place)
        == "15+20261120    143005BW20270131    235959|BSEAST|BY2|AOMAIN|AA21|AD1234|AB31|BOY|")
    let move = Message.moveHold(
      .title("B1"), for: "21", password: "1234", to: "WEST", from: sender)
    #expect(try text(move) == "15*20261120    143005BSWEST|AOMAIN|AA21|AD1234|AJB1|BOY|")
    let cancel = Message.cancelHold(
      .both(item: "31", title: "B1"), for: "21", password: "1234", from: sender)
    #expect(try text(cancel) == "15-20261120    143005AOMAIN|AA21|AD1234|AB31|AJB1|BOY|")
  }

  @Test func `What is sent to the desk: renews and takes leave`() throws {
    #expect(
      try text(.renew("31", for: "21", password: "1234", from: sender))
        == "29NN20261120    14300520261120    143005AOMAIN|AA21|AD1234|AB31|BON|")
    #expect(
      try text(.endSession("21", password: "1234", from: sender))
        == "3520261120    143005AOMAIN|AA21|AC|AD1234|")
  }

  private func text(_ message: Message) throws -> String {
    String(decoding: try message.bytes(isSummed: false), as: UTF8.self)
  }
}
