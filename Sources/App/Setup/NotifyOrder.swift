package import Items
package import Secrets

/// A channel to tell the reader things by.
package struct NotifyOrder: Sendable {
  /// email, sms, ntfy, push or webhook.
  package let medium: String
  package let name: String?
  package let fields: [String: Secret]
  /// In the contract's words; empty for all.
  package var kinds: [String] = []
  /// Minutes of the day.
  package var quiet: (start: Int, end: Int)?
  package var digest: Int?
  package var zone: String?
  package var tellsTitles = false

  package init(medium: String, name: String?, fields: [String: Secret]) {
    (self.medium, self.name, self.fields) = (medium, name, fields)
  }
}

/// A channel that was added.
package struct ChannelKey: Sendable {
  package let item: ChannelItem
  /// For a webhook, the key that its signatures are checked with, where it was made here: shown this
  /// once.
  package let key: Secret?
  /// Why the code for the address could not be sent.
  package let codeTrouble: String?

  package init(item: ChannelItem, key: Secret?, codeTrouble: String?) {
    (self.item, self.key, self.codeTrouble) = (item, key, codeTrouble)
  }
}

/// Which notices of the inbox are wanted.
package enum InboxChoice: Sendable, Hashable {
  case all
  case unread
  /// The unread ones, which are read from then on.
  case readAll
}
