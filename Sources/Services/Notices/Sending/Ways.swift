package import HTTP
package import HTTPClient
package import Secrets

/// How this gateway can reach people. What is nil it cannot do.
package struct Ways: Sendable {
  package struct Mail: Sendable {
    package let sender: MailAddress
    package let send: @Sendable (MailMessage) async throws(MailError) -> MailReceipt

    package init(
      sender: MailAddress,
      send: @escaping @Sendable (MailMessage) async throws(MailError) -> MailReceipt
    ) {
      (self.sender, self.send) = (sender, send)
    }
  }

  /// What turns a post or a mail into a short message, as the operator describes it.
  package enum Gateway: Sendable {
    /// `{number}` stands for the digits.
    case mail(template: String)
    /// `{to}`, `{text}` and `{id}` stand in the body: JSON where it begins with a brace, else a form.
    case post(Address, body: String, authorization: Secret?)
  }

  /// Goes through the gate: its addresses are given by readers.
  package var http: Transport
  package var mail: Mail?
  package var shortMessages: Gateway?
  /// Where readers find the gateway.
  package var site: String?
  /// Who answers for what is pushed: a mailto or https address.
  package var contact: String

  package init(http: Transport, contact: String) { (self.http, self.contact) = (http, contact) }

  /// Whether anybody can be reached by it from here.
  package func has(_ medium: Carrier) -> Bool {
    switch medium {
    case .email: mail != nil
    case .sms:
      switch shortMessages {
      case .mail: mail != nil
      case .post: true
      case nil: false
      }
    case .ntfy, .push, .webhook: true
    }
  }
}

/// How one try ended. Its note is for the log and for the reader, and holds no address.
enum TryEnd: Sendable, Hashable {
  case taken
  /// It may work later; after this span at the earliest, where the other side said so.
  case later(after: Duration?, String)
  case refused(String)
  /// Nobody is there any more.
  case gone(String)
}
