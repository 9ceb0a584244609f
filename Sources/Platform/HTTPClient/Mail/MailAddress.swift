import HTTP

/// A mailbox and the name shown with it. Checked where it is made: an address with a line break or
/// a bracket in it would be a command to the mail server.
package struct MailAddress: Sendable, Hashable {
  package let mailbox: String
  package let name: String

  /// `reader@library.example`. The domain may be international; what stands before the at-sign is
  /// ASCII, for not every server on the way takes more.
  package init(_ mailbox: String, name: String = "") throws(MailFault) {
    let parts = mailbox.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, MailAddress.isLocalPart(parts[0]),
      let domain = MailAddress.asciiDomain(String(Substring(parts[1])))
    else { throw .address }
    let whole = "\(String(Substring(parts[0])))@\(domain)"
    guard whole.utf8.count <= 254 else { throw .address }
    guard MailText.isOneLine(name), name.utf8.count <= 320 else { throw .header("name") }
    self.mailbox = whole
    self.name = name
  }

  /// A dot-atom (RFC 5321 §4.1.2); the quoted form is in nobody's address book.
  private static func isLocalPart(_ text: some Collection<UInt8>) -> Bool {
    guard (1...64).contains(text.count) else { return false }
    let atoms = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(MailText.isAtomByte) }
  }

  private static func asciiDomain(_ text: String) -> String? {
    guard let host = try? Address.Host(text),
      let address = try? Address("any://\(host.text)/").withASCIIHost(),
      case .name(let name) = address.host, name.utf8.last != UInt8(ascii: "."),
      !name.utf8.contains(UInt8(ascii: "_"))
    else { return nil }
    return name
  }
}

/// Why a message cannot be written.
package enum MailFault: Error, Sendable, Hashable {
  case address
  /// A line break or another control in this header, or a header that is not the caller's.
  case header(String)
  case noRecipient
  case tooManyRecipients(most: Int)
  case tooLarge(most: Int)
}
