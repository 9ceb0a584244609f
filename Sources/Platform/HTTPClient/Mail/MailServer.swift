package import HTTP

/// The mail server an operator has named, and how to talk to it. It is not asked of the address
/// gate: a relay on the same machine is the rule, and no reader can name another.
package struct MailServer: Sendable {
  package enum Security: String, Sendable, CaseIterable {
    /// TLS from the first byte, as on port 465.
    case implicit
    /// STARTTLS, or no mail at all.
    case required
    /// STARTTLS where it is offered. With a login this means `required`: whoever sits on the line
    /// could take the offer out, and a secret must not go in the clear at somebody else's choice.
    case opportunistic
    case none
  }

  package struct Login: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
  {
    package enum Mechanism: String, Sendable {
      case plain = "PLAIN"
      case login = "LOGIN"
    }

    let user: String
    let secret: String
    let mechanisms: [Mechanism]

    /// Without mechanisms: whichever of the two the server offers.
    package init(user: String, secret: String, mechanisms: [Mechanism] = [.plain, .login]) {
      self.user = user
      self.secret = secret
      self.mechanisms = mechanisms
    }

    package var description: String { "•••" }
    package var debugDescription: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: []) }
  }

  package var host: Address.Host
  package var port: Int
  package var security: Security
  package var login: Login?
  /// What we call ourselves in EHLO.
  package var clientName: String
  package var trust: ClientConfiguration.Trust = .system
  package var connectTimeout: Duration = .seconds(15)
  /// The longest wait for the answer to one command.
  package var replyTimeout: Duration = .seconds(30)
  /// For deliveries that name no deadline.
  package var timeout: Duration = .seconds(60)

  package init(
    host: Address.Host, port: Int, security: Security, login: Login? = nil, clientName: String
  ) {
    self.host = host
    self.port = port
    self.security = security
    self.login = login
    self.clientName = clientName
  }
}
