package import JSON

/// A reader who signs in at the pages with codes from an app.
package struct CodesItem: Sendable, Hashable {
  package let reader: String
  /// Nil where nothing counts: only begun, or ended.
  package let since: String?
  /// Recovery codes that were not used.
  package let spares: Int
  /// Whether the command changed anything.
  package let changed: Bool

  package init(reader: String, since: String?, spares: Int, changed: Bool) {
    (self.reader, self.since, self.spares, self.changed) = (reader, since, spares, changed)
  }

  package var json: JSONValue {
    [
      "reader": .string(reader), "since": since.map(JSONValue.string) ?? .null,
      "recovery_codes": .integer(spares), "changed": .bool(changed),
    ]
  }
}
