/// A feed to be looked at.
package enum FeedOrder: Sendable, Hashable {
  case address(String)
  /// What a file holds.
  case body([UInt8])
}
