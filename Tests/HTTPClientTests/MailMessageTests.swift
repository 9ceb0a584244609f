import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct `A message becomes the bytes of RFC 5322` {
  private func text(_ message: MailMessage) throws -> String {
    String(decoding: try message.encoded(), as: UTF8.self)
  }

  private func lines(_ message: MailMessage) throws -> [String] {
    try text(message).components("\r\n")
  }

  @Test func `a text mail is encoded with the expected headers and body`() throws {
    #expect(
      try lines(.sample()) == [
        "Date: Sat, 21 Nov 2026 10:15:00 +0000", "From: Carrel <desk@carrel.example>",
        "To: reader@library.example", "Subject: Your hold is ready",
        "Message-ID: <n-1@carrel.example>", "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
        "", "Come and get it.", "",
      ])
  }

  @Test func `a mail with HTML carries the text as an alternative`() throws {
    var message = try MailMessage.sample()
    message.html = "<p>Many greetings, viele Grüße</p>"
    let text = try text(message)
    #expect(text.contains("Content-Type: multipart/alternative; boundary=\"=_carrel_=\"\r\n\r\n"))
    #expect(text.components("--=_carrel_=\r\n").count == 3)
    #expect(text.hasSuffix("<p>Many greetings, viele Gr=C3=BC=C3=9Fe</p>\r\n--=_carrel_=--\r\n"))
  }

  @Test func `text in a mail cannot forge the part boundary`() throws {
    var message = try MailMessage.sample()
    message.text = "--=_carrel_=\n--=_carrel_=--\n"
    message.html = message.text
    #expect(try text(message).components("\r\n--=_carrel_=\r\n").count == 3)
  }

  @Test(arguments: [
    "Short", String(repeating: "word ", count: 60) + "end", "Ihre Vormerkung für „Früchte“ ist da",
    String(repeating: "ж", count: 300), "👩‍👩‍👧‍👦 family", "=?UTF-8?B?aGk=?=", "two  blanks", " edge ",
    String(repeating: "x", count: 500), "",
  ])
  func `a mail subject is encoded in short ASCII lines and decodes to the same text`(
    _ subject: String
  ) throws {
    var message = try MailMessage.sample()
    message.subject = subject
    let text = try text(message)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.components("\r\n").allSatisfy { $0.utf8.count <= 78 })
    let head = text.components("\r\n\r\n")[0].replacing("\r\n ", with: " ")
    let line = try #require(head.components("\r\n").first { $0.hasPrefix("Subject:") })
    #expect(decoded(String(line.dropFirst(9))) == subject)
  }

  @Test(arguments: [
    ("Plain Name", "Plain Name <a@b.example>"), ("Comma, Name", "\"Comma, Name\" <a@b.example>"),
    ("Say \"hi\" \\", "\"Say \\\"hi\\\" \\\\\" <a@b.example>"),
    ("Zoë", "=?UTF-8?B?Wm/Dqw==?= <a@b.example>"), ("", "a@b.example"),
    ("a@evil.example", "\"a@evil.example\" <a@b.example>"),
  ])
  func `a display name in a mail address is quoted where needed`(_ name: String, _ shown: String)
    throws
  {
    var message = try MailMessage.sample()
    message.to = [try MailAddress("a@b.example", name: name)]
    #expect(try lines(message)[2] == "To: \(shown)")
  }

  @Test func `a mail to many recipients folds its address header between addresses`() throws {
    var message = try MailMessage.sample()
    message.to = try (0..<20).map {
      try MailAddress("reader\($0)@library.example", name: "R \($0)")
    }
    let text = try text(message)
    #expect(text.components("\r\n").allSatisfy { $0.utf8.count <= 78 })
    #expect(text.components("@library.example>").count == 21)
  }

  @Test(arguments: [
    "a\r\nBcc: x@y.example", "a\nb", "a\rb", "a\u{0}b", "a\u{85}b", "a\u{2028}b", "a\u{B}b",
  ])
  func `a line break in any mail field is refused`(_ evil: String) throws {
    var subject = try MailMessage.sample()
    subject.subject = evil
    #expect(throws: MailFault.header("Subject")) { try subject.encoded() }
    var id = try MailMessage.sample()
    id.id = evil
    #expect(throws: MailFault.header("Message-ID")) { try id.encoded() }
    var value = try MailMessage.sample()
    value.headers = ["X-Note": evil]
    #expect(throws: MailFault.header("X-Note")) { try value.encoded() }
    var name = try MailMessage.sample()
    name.headers = Headers([.init(evil, "x")])
    #expect(throws: MailFault.header("")) { try name.encoded() }
    #expect(throws: MailFault.header("name")) { try MailAddress("a@b.example", name: evil) }
    #expect(throws: MailFault.address) { try MailAddress("\(evil)@b.example") }
    #expect(throws: MailFault.address) { try MailAddress("a@\(evil)") }
  }

  @Test(arguments: [
    "", "a", "@", "a@", "@b", "a@b@c", "a b@c.example", "<a@b.example>", "a@b.example>", ".a@b.c",
    "a.@b.c", "a..b@c.d", "\"a\"@b.c", "a@[127.0.0.1]", "a@127.0.0.1", "a@b..c", "a@b.c.", "ä@b.c",
    "a,b@c.d", "a@b_c.d", "a@b c",
  ])
  func `an invalid mail address is refused`(_ mailbox: String) {
    #expect(throws: MailFault.address) { try MailAddress(mailbox) }
  }

  @Test func `an international mail domain is written in Punycode`() throws {
    #expect(try MailAddress("a.b+c@bücher.example").mailbox == "a.b+c@xn--bcher-kva.example")
  }

  @Test(arguments: ["To", "bcc", "Content-Type", "content-transfer-encoding", "Received", "Date"])
  func `a mail cannot set the headers that the mailer writes itself`(_ name: String) throws {
    var message = try MailMessage.sample()
    message.headers = Headers([.init(name, "x")])
    #expect(throws: MailFault.header(name)) { try message.encoded() }
  }

  @Test func `a mail offers unsubscribe addresses, with one click only for a web link`() throws {
    var message = try MailMessage.sample()
    message.unsubscribe = [.mail(try MailAddress("off@carrel.example"))]
    #expect(try lines(message).contains("List-Unsubscribe: <mailto:off@carrel.example>"))
    #expect(try !text(message).contains("List-Unsubscribe-Post"))
    message.unsubscribe.append(.link(try Address("https://carrel.example/off?t=1")))
    let head = try text(message).replacing("\r\n ", with: " ")
    #expect(
      head.contains(
        "List-Unsubscribe: <mailto:off@carrel.example>, <https://carrel.example/off?t=1>\r\n"))
    #expect(head.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
  }

  @Test func `long and non-ASCII lines in a mail are broken at 76 bytes`() throws {
    var message = try MailMessage.sample()
    message.text = String(repeating: "long=", count: 100) + "\rnext\r\nlast \nщит" + "\t\n\n"
    let quoted = try lines(message)
    #expect(quoted.allSatisfy { $0.utf8.count <= 76 && !$0.contains("\r") && !$0.contains("\n") })
    #expect(quoted.contains("last=20"))
    message.text = String(repeating: "Библиотека. ", count: 50)
    let foreign = try lines(message)
    #expect(foreign.contains("Content-Transfer-Encoding: base64"))
    #expect(foreign.allSatisfy { $0.utf8.count <= 76 })
  }

  @Test func `a mail without recipients or over the size limit is refused`() throws {
    var nobody = try MailMessage.sample()
    nobody.to = []
    #expect(throws: MailFault.noRecipient) { try nobody.encoded() }
    var large = try MailMessage.sample()
    large.text = String(repeating: "x", count: MailMessage.longest + 1)
    #expect(throws: MailFault.tooLarge(most: MailMessage.longest)) { try large.encoded() }
  }

  /// RFC 2047, as a reader's program does it.
  private func decoded(_ value: String) -> String {
    var out = ""
    for word in value.split(separator: " ", omittingEmptySubsequences: false) {
      if word.hasPrefix("=?UTF-8?B?"), word.hasSuffix("?=") {
        out += unpacked(String(word.dropFirst(10).dropLast(2)))
      } else {
        out += (out.isEmpty ? "" : " ") + word
      }
    }
    return out
  }

  private func unpacked(_ base64: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bits, count, bytes) = (0, 0, [UInt8]())
    for byte in base64.utf8 {
      guard let value = digits.firstIndex(of: byte) else { continue }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 0xFF))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
