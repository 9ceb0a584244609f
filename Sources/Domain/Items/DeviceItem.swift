package import JSON

/// An app or a machine that has a password of its own.
package struct DeviceItem: Sendable, Hashable {
  package let name: String
  package let scopes: [String]
  /// The reader it belongs to, and the name it signs in with.
  package let reader: String
  package let madeAt: String
  package let lastUsed: String?

  package init(
    name: String, scopes: [String], reader: String, madeAt: String, lastUsed: String?
  ) {
    (self.name, self.scopes, self.reader) = (name, scopes, reader)
    (self.madeAt, self.lastUsed) = (madeAt, lastUsed)
  }

  package var json: JSONValue {
    [
      "name": .string(name), "scopes": .array(scopes.map(JSONValue.string)),
      "reader": .string(reader), "made_at": .string(madeAt), "last_used": JSONValue(lastUsed),
    ]
  }
}
