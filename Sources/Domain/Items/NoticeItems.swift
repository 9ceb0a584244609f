package import JSON

/// One way to tell a reader something.
package struct ChannelItem: Sendable, Hashable {
  package let name: String
  package let medium: String
  /// Where it leads, as far as that may be seen.
  package let to: String
  package let kinds: [String]
  /// `22:00-07:00`
  package let quiet: String?
  package let digest: String?
  package let zone: String?
  package let tellsTitles: Bool
  package let madeAt: String
  /// Why it is switched off.
  package let offBecause: String?
  /// Whether its patron typed the code that was sent there, where one is needed.
  package let isConfirmed: Bool

  package init(
    name: String, medium: String, to: String, kinds: [String], quiet: String?, digest: String?,
    zone: String?, tellsTitles: Bool, madeAt: String, offBecause: String?, isConfirmed: Bool
  ) {
    (self.name, self.medium, self.to, self.kinds) = (name, medium, to, kinds)
    (self.quiet, self.digest, self.zone) = (quiet, digest, zone)
    (self.tellsTitles, self.madeAt, self.offBecause) = (tellsTitles, madeAt, offBecause)
    self.isConfirmed = isConfirmed
  }

  package var json: JSONValue {
    [
      "name": .string(name), "channel": .string(medium), "to": .string(to),
      "kinds": .array(kinds.map(JSONValue.string)), "quiet": JSONValue(quiet),
      "digest": JSONValue(digest), "zone": JSONValue(zone), "titles": .bool(tellsTitles),
      "made_at": .string(madeAt),
      "state": .string(offBecause != nil ? "off" : isConfirmed ? "on" : "unconfirmed"),
      "reason": JSONValue(offBecause),
    ]
  }
}

/// A notice in the inbox.
package struct NoticeItem: Sendable, Hashable {
  package let kind: String
  package let title: String
  package let body: String
  package let toldAt: String
  package let until: String?
  package let isRead: Bool

  package init(
    kind: String, title: String, body: String, toldAt: String, until: String?, isRead: Bool
  ) {
    (self.kind, self.title, self.body) = (kind, title, body)
    (self.toldAt, self.until, self.isRead) = (toldAt, until, isRead)
  }

  package var json: JSONValue {
    [
      "kind": .string(kind), "title": .string(title), "body": .string(body),
      "told_at": .string(toldAt), "until": JSONValue(until), "read": .bool(isRead),
    ]
  }
}

/// How a channel did in a test.
package struct ChannelTrialItem: Sendable, Hashable {
  package let name: String
  package let medium: String
  package let trouble: String?

  package init(name: String, medium: String, trouble: String?) {
    (self.name, self.medium, self.trouble) = (name, medium, trouble)
  }

  package var json: JSONValue {
    [
      "name": .string(name), "channel": .string(medium),
      "result": .string(trouble == nil ? "sent" : "failed"), "reason": JSONValue(trouble),
    ]
  }
}

/// A line of the delivery log.
package struct SendingItem: Sendable, Hashable {
  package let channel: String
  package let kind: String
  package let state: String
  package let tries: Int
  package let at: String
  package let note: String?

  package init(
    channel: String, kind: String, state: String, tries: Int, at: String, note: String?
  ) {
    (self.channel, self.kind, self.state) = (channel, kind, state)
    (self.tries, self.at, self.note) = (tries, at, note)
  }

  package var json: JSONValue {
    [
      "name": .string(channel), "kind": .string(kind), "state": .string(state),
      "tries": .integer(tries), "at": .string(at), "reason": JSONValue(note),
    ]
  }
}
