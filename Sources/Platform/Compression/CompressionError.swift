/// Why bytes could not be unpacked.
package enum CompressionError: Error, Sendable, Hashable {
  /// Not this format, or a checksum that does not fit.
  case damaged
  /// The input ended in the middle.
  case truncated
  /// Bytes follow where the stream has ended.
  case trailingBytes
  /// The text is larger than the caller allows.
  case tooLarge(limit: Int)
  case outOfMemory
  /// Whoever gives the bytes could not go on, for the reason told.
  case unreadable(String)
}
