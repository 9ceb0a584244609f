package import JSON

/// A browser that is signed in.
package struct SessionItem: Sendable, Hashable {
  package let id: String
  package let patron: String
  /// `card`, `app-password` or `link`.
  package let signedInWith: String
  package let agent: String?
  package let madeAt: String
  package let lastSeen: String?
  package let until: String

  package init(
    id: String, patron: String, signedInWith: String, agent: String?, madeAt: String,
    lastSeen: String?, until: String
  ) {
    (self.id, self.patron, self.signedInWith, self.agent) = (id, patron, signedInWith, agent)
    (self.madeAt, self.lastSeen, self.until) = (madeAt, lastSeen, until)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "patron": .string(patron), "signed_in_with": .string(signedInWith),
      "agent": JSONValue(agent), "made_at": .string(madeAt), "last_seen": JSONValue(lastSeen),
      "until": .string(until),
    ]
  }
}
