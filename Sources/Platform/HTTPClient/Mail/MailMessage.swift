import Glibc
package import HTTP

/// A message as its parts, and how it becomes the bytes of RFC 5322. Time and identity are given,
/// so that the same message is always the same bytes.
package struct MailMessage: Sendable, Hashable {
  package var from: MailAddress
  package var to: [MailAddress]
  package var cc: [MailAddress] = []
  package var replyTo: MailAddress?
  package var subject: String
  package var text: String
  /// The same in HTML, for those who prefer it.
  package var html: String?
  /// Seconds since 1970.
  package var date: Int64
  /// Unique for this message: the part of its `Message-ID` before the at-sign.
  package var id: String
  package var unsubscribe: [Unsubscribe] = []
  /// Further headers, such as `Auto-Submitted`.
  package var headers: Headers = [:]

  package init(
    from: MailAddress, to: [MailAddress], subject: String, text: String, html: String? = nil,
    date: Int64, id: String
  ) {
    self.from = from
    self.to = to
    self.subject = subject
    self.text = text
    self.html = html
    self.date = date
    self.id = id
  }

  /// A way out of further mail (RFC 2369).
  package enum Unsubscribe: Sendable, Hashable {
    case mail(MailAddress)
    /// Over https it also works with one click (RFC 8058).
    case link(Address)
  }

  package static let longest = 10 << 20

  private static let own = [
    "From", "To", "Cc", "Bcc", "Reply-To", "Sender", "Subject", "Date", "Message-ID",
    "MIME-Version", "Return-Path", "Received", "List-Unsubscribe", "List-Unsubscribe-Post",
  ]

  package func encoded() throws(MailFault) -> [UInt8] {
    guard !to.isEmpty || !cc.isEmpty else { throw .noRecipient }
    guard text.utf8.count + (html?.utf8.count ?? 0) <= MailMessage.longest else {
      throw .tooLarge(most: MailMessage.longest)
    }
    var out = try head()
    let plain = MailBody(text, type: "text/plain")
    if let html {
      // Neither encoding can write this pair, so it stands in no part.
      let boundary = "=_carrel_="
      out += "Content-Type: multipart/alternative; boundary=\"\(boundary)\"\r\n\r\n"
      for body in [plain, MailBody(html, type: "text/html")] {
        out += "--\(boundary)\r\n\(body.part)"
      }
      out += "--\(boundary)--\r\n"
    } else {
      out += plain.part
    }
    return Array(out.utf8)
  }

  private func head() throws(MailFault) -> String {
    guard MailText.isOneLine(subject), subject.utf8.count <= 2000 else { throw .header("Subject") }
    let isToken = id.utf8.allSatisfy { MailText.isAtomByte($0) || $0 == UInt8(ascii: ".") }
    guard isToken, (1...128).contains(id.utf8.count) else { throw .header("Message-ID") }
    let domain = from.mailbox.split(separator: "@").last ?? ""
    var out = "Date: \(dateText)\r\n"
    out += MailText.addresses("From", [from])
    if !to.isEmpty { out += MailText.addresses("To", to) }
    if !cc.isEmpty { out += MailText.addresses("Cc", cc) }
    if let replyTo { out += MailText.addresses("Reply-To", [replyTo]) }
    out += MailText.unstructured("Subject", subject)
    out += "Message-ID: <\(id)@\(domain)>\r\n"
    out += unsubscribeHeaders
    for field in headers.fields { out += try MailMessage.line(field) }
    return out + "MIME-Version: 1.0\r\n"
  }

  private static func line(_ field: Headers.Field) throws(MailFault) -> String {
    let isName = field.name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3A }
    guard isName, (1...60).contains(field.name.utf8.count) else { throw .header("") }
    guard MailText.isOneLine(field.value), field.value.utf8.count <= 2000,
      !own.contains(where: { Headers.same($0, field.name) }),
      !field.name.lowercased().hasPrefix("content-")
    else { throw .header(field.name) }
    return MailText.unstructured(field.name, field.value)
  }

  private var unsubscribeHeaders: String {
    guard !unsubscribe.isEmpty else { return "" }
    var isOneClick = false
    let ways = unsubscribe.map { way in
      switch way {
      case .mail(let address): return "<mailto:\(address.mailbox.replacing("%", with: "%25"))>"
      case .link(let address):
        if address.isSecure { isOneClick = true }
        return "<\(address.text)>"
      }
    }
    let listed = ways.enumerated().map {
      $0.offset < ways.count - 1 ? "\($0.element)," : $0.element
    }
    let post = isOneClick ? "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" : ""
    return MailText.folded("List-Unsubscribe", listed) + post
  }

  /// `Sat, 21 Nov 2026 10:15:00 +0000`, free of the locale.
  private var dateText: String {
    var moment = time_t(date)
    var parts = unsafe tm()
    unsafe gmtime_r(&moment, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
    let clock = unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    let day = unsafe "\(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(1900 + Int(parts.tm_year))"
    return unsafe "\(days[Int(parts.tm_wday)]), \(day) \(clock) +0000"
  }
}
