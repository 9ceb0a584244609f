package import JSON

/// The address of a reader's calendar feed. It can be told once, when it is made.
package struct CalendarItem: Sendable, Hashable {
  package let reader: String
  package let madeAt: String
  package let lastUsed: String?

  package init(reader: String, madeAt: String, lastUsed: String?) {
    (self.reader, self.madeAt, self.lastUsed) = (reader, madeAt, lastUsed)
  }

  package var json: JSONValue {
    [
      "reader": .string(reader), "made_at": .string(madeAt), "last_used": JSONValue(lastUsed),
    ]
  }
}
