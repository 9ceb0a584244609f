package import Circulation
import Phrasebook
package import Secrets

/// What a notice goes out by.
package enum Carrier: String, Sendable, Hashable, CaseIterable {
  case email, sms, ntfy, push, webhook

  /// Whether it reaches a person, who may be a stranger: nothing but a code is sent there until the
  /// patron has typed the code.
  package var needsConfirmation: Bool { self == .email || self == .sms }
}

/// One way to tell a reader something, with what is told by it and when. Where it leads is sealed.
package struct Channel: Sendable, Hashable {
  package let id: Int64
  package let patron: PatronID
  package let name: String
  package let medium: Carrier
  /// Where it leads, as far as others may see it.
  package let shown: String
  package let kinds: Set<NoticeKind>
  package let hours: Hours
  /// Whether titles may leave the house by it.
  package let tellsTitles: Bool
  package let madeAt: Int64
  /// Why it is switched off; nil while it is on.
  package let offBecause: String?
  /// Whether its patron has shown that what is sent there arrives with the patron.
  package let isConfirmed: Bool

  /// That another channel does not work any more is told by all that do.
  func wants(_ kind: NoticeKind) -> Bool { kind == .channelOff || kinds.contains(kind) }
}

package struct ChannelOrder: Sendable {
  package let name: String?
  package let medium: Carrier
  /// By the names of `Carrier.fields`.
  package let fields: [String: Secret]
  package var kinds: Set<NoticeKind> = Set(NoticeKind.choosable)
  package var hours = Hours()
  package var tellsTitles = false
  /// Of a browser's push channel: the session that it ends with.
  package var session: String?

  package init(name: String?, medium: Carrier, fields: [String: Secret]) {
    (self.name, self.medium, self.fields) = (name, medium, fields)
  }
}

extension Carrier {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let label: String
    package let isSecret: Bool
    package let isRequired: Bool
  }

  /// What has to be known to reach somebody by it.
  package var fields: [Field] {
    switch self {
    case .email: [field("address", phrase("E-mail address"), isSecret: false)]
    case .sms:
      [field("number", phrase("Mobile number with country code, as +4930123456"), isSecret: false)]
    case .ntfy:
      [
        field("server", phrase("Address of the ntfy server"), isSecret: false),
        field("topic", phrase("Topic"), isSecret: true),
        field(
          "token", phrase("Access token, if the topic is guarded"), isSecret: true,
          isRequired: false),
      ]
    case .push:
      [
        field("endpoint", phrase("Endpoint of the subscription"), isSecret: true),
        field("p256dh", phrase("Its key p256dh"), isSecret: true),
        field("auth", phrase("Its key auth"), isSecret: true),
      ]
    case .webhook:
      [
        field("address", phrase("Address to post to"), isSecret: true),
        field(
          "key", phrase("Key for signatures (whsec_…); empty for a new one"), isSecret: true,
          isRequired: false),
      ]
    }
  }

  private func field(
    _ name: String, _ label: String, isSecret: Bool, isRequired: Bool = true
  ) -> Field {
    Field(name: name, label: label, isSecret: isSecret, isRequired: isRequired)
  }
}
