package import JSON

/// A piece of work that was due, and how it ended.
package struct DueItem: Sendable, Hashable {
  package let kind: String
  /// The reader or the library it was for, or `house`.
  package let subject: String
  /// done, failed or over.
  package let outcome: String
  package let note: String?

  package init(kind: String, subject: String, outcome: String, note: String?) {
    (self.kind, self.subject, self.outcome, self.note) = (kind, subject, outcome, note)
  }

  package var json: JSONValue {
    [
      "kind": .string(kind), "subject": .string(subject), "outcome": .string(outcome),
      "note": JSONValue(note),
    ]
  }
}
