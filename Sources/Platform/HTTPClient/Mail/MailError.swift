/// What can go wrong between a message and the server that takes it over.
package enum MailError: Error, Sendable, Hashable {
  case message(MailFault)
  /// Nobody on the envelope was accepted. Each says for itself whether to try again.
  case recipientsRejected([Rejection])
  case authenticationRefused(ServerReply)
  /// A login is configured and the server knows no way to use it.
  case authenticationNotOffered
  /// TLS is wanted and not to be had.
  case encryptionRefused
  /// 4yz: the same may work later.
  case temporary(Stage, ServerReply)
  /// 5yz: it will not.
  case permanent(Stage, ServerReply)
  case transport(TransportError)

  package enum Stage: String, Sendable, Hashable {
    case greeting, hello, encryption, login, sender, recipient, content, farewell
  }

  package struct Rejection: Sendable, Hashable {
    package let mailbox: String
    package let reply: ServerReply

    package init(mailbox: String, reply: ServerReply) {
      (self.mailbox, self.reply) = (mailbox, reply)
    }
  }

  /// Code and text as the server gave them; the text is cut, and freed of controls.
  package struct ServerReply: Sendable, Hashable {
    package let code: Int
    package let text: String

    package init(code: Int, text: String) { (self.code, self.text) = (code, text) }

    package var isTemporary: Bool { code / 100 == 4 }
  }

  /// Whether the same message should be tried again later.
  package var isTemporary: Bool {
    switch self {
    case .message, .authenticationRefused, .authenticationNotOffered, .encryptionRefused,
      .permanent:
      false
    case .temporary: true
    case .recipientsRejected(let rejections): rejections.contains(where: \.reply.isTemporary)
    case .transport(let error):
      switch error {
      case .cannotResolve, .cannotConnect, .timedOut, .deadlineExceeded, .connectionLost,
        .cancelled, .stopped:
        true
      default: false
      }
    }
  }
}

/// A message the server has taken over. Some of many recipients may have been refused.
package struct MailReceipt: Sendable, Hashable {
  package let rejected: [MailError.Rejection]

  package init(rejected: [MailError.Rejection]) { self.rejected = rejected }
}
