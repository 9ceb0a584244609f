import HTTPClient
import Phrasebook
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Notices

@Suite(.timeLimit(.minutes(2))) struct `A notice by mail` {
  /// Notices whose mail goes to a real server.
  private func withMail<R>(
    _ engine: Engine = .sqlite, in tongue: Tongue = .english,
    _ body: (Room, MailRoom, Notices) async throws -> R
  ) async throws -> R {
    let office = try await MailRoom()
    defer { office.stop() }
    let mailer = try office.mailer()
    let result = try await withRoom(engine) { room in
      let sender = try MailAddress("carrel@library.example", name: "Carrel")
      let notices = room.notices(in: tongue) { ways in
        ways.mail = Ways.Mail(sender: sender) { letter throws(MailError) in
          try await mailer.send(letter)
        }
        ways.shortMessages = .mail(template: "{number}@sms.example")
      }
      return try await body(room, office, notices)
    }
    await mailer.shutdown()
    return result
  }

  /// As by a patron who reads the code in the message.
  @discardableResult
  private func addConfirmed(
    _ order: ChannelOrder, to notices: Notices, _ office: MailRoom
  ) async throws -> Channel {
    let channel = try await notices.add(order, of: ada).channel
    let code = try #require(try await office.letter().text.firstMatch(of: /\d{6}/)).output
    return try await notices.confirm(channel.name, code: Secret(String(code)), of: ada)
  }

  private func order(
    _ mailbox: String, _ change: (inout ChannelOrder) -> Void = { _ in }
  ) -> ChannelOrder {
    var order = ChannelOrder(name: nil, medium: .email, fields: ["address": Secret(mailbox)])
    change(&order)
    return order
  }

  @Test(arguments: Engine.allCases)
  func `A notice by mail has a subject without a title, and a way out of more`(_ engine: Engine)
    async throws
  {
    try await withMail(engine) { room, office, notices in
      let added = try await addConfirmed(order("ada@library.example"), to: notices, office)
      #expect(added.shown == "ada@library.example")
      let until = room.clock.now + 6 * 86_400_000
      try await notices.tell([.ready(until: until)])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let letter = try await office.letter()
      #expect(letter.recipients == ["ada@library.example"])
      #expect(letter.headers["subject"] == "A hold is ready at City Library")
      #expect(letter.headers["auto-submitted"] == "auto-generated")
      #expect(letter.headers["list-unsubscribe"] == "<mailto:carrel@library.example>")
      #expect(letter.headers["message-id"]?.hasPrefix("<notice-") == true)
      #expect(letter.text.contains("until Sat 28 Nov 12:00."))
      #expect(letter.text.contains("https://books.example"))
      #expect(!letter.text.contains("Quillon"))
    }
  }

  @Test func `A notice by mail is in the tongue of its reader, from the subject to the foot`()
    async throws
  {
    try await withMail(in: .spanish) { _, office, notices in
      try await addConfirmed(order("ada@library.example"), to: notices, office)
      try await notices.tell([.ready(), .ready(ada, "hold-2")])
      #expect(try await notices.deliver(limit: 9).sent == 2)
      let letter = try await office.letter()
      #expect(letter.headers["subject"]?.contains("is ready") == false)
      #expect(letter.text.contains("Usted lo pidió a Carrel."))
    }
  }

  @Test func `A notice by mail names titles only to who chose that, and never in the subject`()
    async throws
  {
    try await withMail { _, office, notices in
      try await addConfirmed(
        order("ada@library.example") { $0.tellsTitles = true }, to: notices, office)
      var matter = Matter(title: "Über \u{1F4DA}\r\nBcc: eve@x.example", library: "Bücherei\nWest")
      matter.card = "city"
      try await notices.tell([
        Fact(.wishAvailable, for: ada, about: "w1", change: "1", matter)
      ])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let letter = try await office.letter()
      #expect(letter.recipients == ["ada@library.example"])
      #expect(letter.headers["subject"] == "A wish can be borrowed at Bücherei West")
      #expect(letter.headers["bcc"] == nil)
      #expect(
        letter.text.contains("\u{201C}Über \u{1F4DA} Bcc: eve@x.example\u{201D} can be borrowed"))
    }
  }

  @Test func `A notice by mail goes out whatever characters a library has in its name`()
    async throws
  {
    try await withMail { _, office, notices in
      try await addConfirmed(
        order("ada@library.example") { $0.tellsTitles = true }, to: notices, office)
      var matter = Matter(
        title: "Em\u{1B}[2Jma\u{202E}\u{E0041}", library: "City\u{9B}31m \u{2028}\u{7F}West\u{2066}"
      )
      matter.card = "ci\u{85}ty"
      try await notices.tell([Fact(.wishAvailable, for: ada, about: "w1", change: "1", matter)])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      let letter = try await office.letter()
      #expect(letter.headers["subject"] == "A wish can be borrowed at City 31m   West")
      #expect(letter.text.contains("\u{201C}Em [2Jma\u{201D} can be borrowed now at City 31m"))
      #expect(letter.text.contains("(card ci ty)"))
      let marks = String(repeating: "\u{301}", count: 15)
      let stacked = String(repeating: "a" + marks, count: 120)
      try await notices.tell([
        Fact(.wishAvailable, for: ada, about: "w2", change: "1", Matter(library: stacked))
      ])
      #expect(try await notices.deliver(limit: 9).sent == 1)
      #expect(try await office.letter().headers["subject"]?.hasSuffix("…") == true)
    }
  }

  @Test func `A notice by mail is not sent before its address is confirmed`() async throws {
    try await withMail { room, office, notices in
      _ = try await notices.add(order("ada@library.example"), of: ada)
      let letter = try await office.letter()
      #expect(letter.headers["subject"] == "Your code for notifications")
      #expect(letter.text.contains("https://books.example"))
      try await notices.tell([.ready()])
      #expect(try await notices.deliver(limit: 9) == DeliveryTally())
      #expect(try await notices.test(nil, of: ada).first?.trouble != nil)
      // Tomorrow the code is void.
      let code = try #require(letter.text.firstMatch(of: /\d{6}/)).output
      room.clock.advance(by: 86_400_000)
      let error = await #expect(throws: NoticeError.self) {
        try await notices.confirm("email", code: Secret(String(code)), of: ada)
      }
      #expect(error == .wrongCode("email"))
    }
  }

  @Test func `A notice by mail gathers a day in one letter`() async throws {
    try await withMail { room, office, notices in
      try await addConfirmed(
        order("ada@library.example") { $0.hours = Hours(digest: 18 * 60) }, to: notices, office)
      try await notices.tell([.ready(), .ready(ada, "hold-2")])
      room.clock.advance(by: 6 * 3_600_000)
      #expect(try await notices.deliver(limit: 9) == DeliveryTally(sent: 1))
      let letter = try await office.letter()
      #expect(letter.headers["subject"] == "2 notices")
      #expect(letter.text.split(separator: "\n").count { $0.hasPrefix("- A book") } == 2)
      #expect(try await room.states() == ["sent", "sent"])
    }
  }

  @Test func `mail to an unknown address turns the channel off, and a deferred mail waits`()
    async throws
  {
    try await withMail { room, _, notices in
      _ = try await notices.add(order("nobody@library.example"), of: ada)
      _ = try await notices.add(order("later@library.example"), of: bob)
      try await room.confirmAll()
      try await notices.tell([.ready(), .ready(bob)])
      #expect(try await notices.deliver(limit: 9) == DeliveryTally(postponed: 1, failed: 1))
      #expect(
        try await notices.channels(of: ada).first?.offBecause
          == "the mail server does not know the address (550)")
      #expect(try await notices.channels(of: bob).first?.offBecause == nil)
      #expect(try await room.states() == ["failed", "waiting"])
    }
  }

  @Test func `A notice by mail is sent to a gateway for short messages in one part`() async throws {
    try await withMail { _, office, notices in
      var order = ChannelOrder(
        name: nil, medium: .sms, fields: ["number": Secret("+49 (30) 1234-567")])
      order.tellsTitles = true
      let channel = try await addConfirmed(order, to: notices, office)
      #expect(channel.shown == "…4567")
      let long = String(repeating: "A Very Long Title Ü ", count: 20)
      try await notices.tell([
        Fact(
          .holdReady, for: ada, about: "1", change: "1",
          Matter(
            title: long, library: "Zürich", card: "a-long-name-of-a-card", format: "Adobe EPUB")),
        Fact(
          .holdReady, for: ada, about: "2", change: "1", Matter(title: "Emma", library: "Zürich")),
      ])
      #expect(try await notices.deliver(limit: 9).sent == 2)
      let (first, second) = (try await office.letter(), try await office.letter())
      #expect(first.recipients == ["49301234567@sms.example"])
      #expect(first.text == "Carrel: A hold is ready at Zurich\n")
      #expect(second.text.contains("Emma") && second.text.contains("Zurich"))
      #expect(second.text.utf8.allSatisfy { $0 < 0x80 } && second.text.utf8.count <= 161)
      #expect(first.headers["subject"] == "Carrel")
    }
  }
}
