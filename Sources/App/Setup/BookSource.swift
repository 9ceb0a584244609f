/// A book to be looked at.
package enum BookSource: Sendable, Hashable {
  case file(String)
  /// What came from a pipe.
  case bytes([UInt8])
}
