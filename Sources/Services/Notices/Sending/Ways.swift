package import HTTP
package import HTTPClient
import Phrasebook
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
    case post(Address, over: Transport, body: String, authorization: Secret?)
  }

  /// For addresses that patrons give.
  package var patrons: Transport
  /// The hosts to which patrons may have something sent over plain http.
  package var unencrypted: AddressGate
  package var mail: Mail?
  package var shortMessages: Gateway?
  /// Where readers find the gateway.
  package var site: String?
  /// Who answers for what is pushed: a mailto or https address.
  package var contact: String

  package init(patrons: Transport, unencrypted: AddressGate, contact: String) {
    (self.patrons, self.unencrypted, self.contact) = (patrons, unencrypted, contact)
  }

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

/// How one try ended.
enum TryEnd: Sendable, Hashable {
  case taken
  /// It may work later; after this span at the earliest, where the other side said so.
  case later(after: Duration?, Failure)
  case refused(Failure)
  /// The address is given up for good.
  case gone(Failure)

  /// Why nothing came of a try. It holds no address.
  struct Failure: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// For the operator.
    let note: String
    /// The patron gave the address and got no answer from it. Why is not told to patrons: they would learn
    /// of the operator's network from it.
    let isSilence: Bool
    /// Nothing was sent, because so much was sent before.
    let isLimit: Bool

    init(stringLiteral note: String) { self.init(note) }

    init(_ note: String, isSilence: Bool = false, isLimit: Bool = false) {
      (self.note, self.isSilence, self.isLimit) = (note, isSilence, isLimit)
    }

    /// For patrons.
    var told: String {
      isSilence ? phrase("no usable answer came from this address") : note
    }
  }
}
