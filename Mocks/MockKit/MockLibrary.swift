package import JSON

/// One library as one vendor serves it: what it lends, and how that vendor has set it up.
package struct MockLibrary: Sendable {
  /// The vendor's own number or word for it.
  package let id: String
  package let provider: String
  package var name: String
  package var lending: LendingLibrary
  /// Where readers keep lists; empty at a library that only lends.
  package var reading: ReadingRoom
  /// In the vendor's own terms; the dialect knows which.
  package var settings: JSONObject
  /// What a client has to be told to reach it, printed in the ready line.
  package var endpoints: @Sendable (_ base: String) -> JSONObject

  package init(
    id: String, provider: String, name: String, lending: LendingLibrary,
    reading: ReadingRoom = ReadingRoom(), settings: JSONObject = [:],
    endpoints: @escaping @Sendable (_ base: String) -> JSONObject = { ["base": .string($0)] }
  ) {
    (self.id, self.provider, self.name) = (id, provider, name)
    (self.lending, self.reading) = (lending, reading)
    (self.settings, self.endpoints) = (settings, endpoints)
  }
}
