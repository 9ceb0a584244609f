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

extension CompressionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged: "it is damaged"
    case .truncated: "it ends in the middle"
    case .trailingBytes: "bytes follow behind its end"
    case .tooLarge(let limit): "it unpacks to more than \(limit) bytes"
    case .outOfMemory: "there is not enough memory"
    case .unreadable(let why): why
    }
  }
}
