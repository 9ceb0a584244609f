/// Follows the conversation with a mail server: which command was sent last, and what the server
/// said to it. libcurl itself only tells that some command failed.
struct MailDialogue {
  private(set) var stage = MailError.Stage.greeting
  private(set) var last: MailError.ServerReply?
  private(set) var hasLoggedIn = false
  /// By the place of the recipient on the envelope.
  private(set) var rejected: [(place: Int, reply: MailError.ServerReply)] = []
  private var recipient = -1
  private var isOver = false
  private var pending = ""

  mutating func sent(_ command: some Collection<UInt8>) {
    let verb = String(decoding: command.prefix(10), as: UTF8.self).uppercased()
    let stages: [(String, MailError.Stage)] = [
      ("EHLO", .hello), ("HELO", .hello), ("STARTTLS", .encryption), ("AUTH", .login),
      ("MAIL FROM:", .sender), ("RCPT TO:", .recipient), ("DATA", .content), ("QUIT", .farewell),
    ]
    // Anything else is the continuation of a login.
    guard let stage = stages.first(where: { verb.hasPrefix($0.0) })?.1 else { return }
    // libcurl says goodbye before it reports; what counts was said before.
    isOver = stage == .farewell
    guard !isOver else { return }
    self.stage = stage
    last = nil
    if stage == .recipient { recipient += 1 }
  }

  mutating func received(_ line: some Collection<UInt8>) {
    let digits = Array(line.prefix(3))
    guard !isOver, digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return
    }
    let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let text = MailDialogue.legible(line.dropFirst(4))
    pending += pending.isEmpty ? text : " \(text)"
    // A hyphen behind the code says that more lines follow.
    guard line.dropFirst(3).first != UInt8(ascii: "-") else {
      pending = String(pending.prefix(300))
      return
    }
    let reply = MailError.ServerReply(code: code, text: String(pending.prefix(300)))
    pending = ""
    last = reply
    if stage == .login, code == 235 { hasLoggedIn = true }
    if stage == .recipient, code / 100 != 2 { rejected.append((recipient, reply)) }
  }

  private static func legible(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(300), as: UTF8.self)
    let clean = text.unicodeScalars.map { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar
    }
    let joined = String(String.UnicodeScalarView(clean))
    return joined.split(separator: " ").joined(separator: " ")
  }
}
