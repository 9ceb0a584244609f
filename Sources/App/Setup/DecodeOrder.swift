package import JSON

/// What an answer was decoded to: its items, and what else belongs to the document.
package struct DecodedItem: Sendable, Hashable {
  package let items: [JSONValue]
  package let members: [JSONObject.Member]

  package init(items: [JSONValue], members: [JSONObject.Member] = []) {
    (self.items, self.members) = (items, members)
  }
}

package struct DecodeOrder: Sendable, Hashable {
  package let provider: String
  package let kind: String
  package let status: Int
  package let during: String?
  package let body: [UInt8]

  package init(provider: String, kind: String, status: Int, during: String?, body: [UInt8]) {
    (self.provider, self.kind, self.status) = (provider, kind, status)
    (self.during, self.body) = (during, body)
  }
}
