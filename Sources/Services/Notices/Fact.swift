package import Circulation

/// What a reader may want to be told.
package enum NoticeKind: String, Sendable, Hashable, CaseIterable {
  case wishAvailable = "wish_available"
  case holdReady = "hold_ready"
  case holdExpiring = "hold_expiring"
  case loanDue = "loan_due"
  case syncBroken = "sync_broken"
  /// Of the notices themselves: told in the inbox and by every channel that still works.
  case channelOff = "channel_off"
  /// Asked for by the reader, to see whether a channel works; it stands in no inbox.
  case test

  /// What one chooses from.
  package static let choosable: [NoticeKind] = [
    .wishAvailable, .holdReady, .holdExpiring, .loanDue, .syncBroken,
  ]

  /// As programs are told it: `hold.ready`.
  var event: String { rawValue.replacing("_", with: ".") }

  /// How long it is tried to tell it. An offer is worth more patience than the rest.
  var patience: Duration { self == .holdReady ? .seconds(72 * 3600) : .seconds(24 * 3600) }
}

/// Something that is so, for one reader. The same change of the same subject is one fact, however
/// often and by whomever it is reported.
package struct Fact: Sendable, Hashable {
  package let patron: PatronID
  package let kind: NoticeKind
  /// What it is about: a hold, a loan, a card. Never shown.
  package let subject: String
  /// What is new about it: another end of the same loan is another change.
  package let change: String
  package let matter: Matter
  /// When it is too late to be told, in milliseconds since 1970.
  package let until: Int64?

  package init(
    _ kind: NoticeKind, for patron: PatronID, about subject: String, change: String,
    _ matter: Matter, until: Int64? = nil
  ) {
    (self.kind, self.patron, self.subject) = (kind, patron, subject)
    (self.change, self.matter, self.until) = (change, matter, until)
  }
}

/// What a fact is about, as far as words are made of it.
package struct Matter: Sendable, Hashable {
  package var title: String?
  package var library: String?
  /// The reader's own name for the card.
  package var card: String?
  package var format: String?
  /// The branch where a paper copy waits.
  package var pickup: String?
  /// The name of a channel, for what is told of one, and why.
  package var channel: String?
  package var reason: String?
  /// What was done for the reader: `borrowed` or `held`.
  package var deed: String?

  package init(
    title: String? = nil, library: String? = nil, card: String? = nil, format: String? = nil,
    pickup: String? = nil
  ) {
    (self.title, self.library, self.card) = (title, library, card)
    (self.format, self.pickup) = (format, pickup)
  }
}

/// A fact as it is kept.
package struct KeptFact: Sendable, Hashable {
  package let id: Int64
  package let fact: Fact
  /// Milliseconds since 1970, here and below.
  package let toldAt: Int64
  package let readAt: Int64?
}
