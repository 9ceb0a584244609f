import Crypto
import Database

/// Names one session without being good for signing in: the beginning of the mark that is stored of it.
/// What is bound to it ends with the session.
package struct SessionReference: Sendable, Hashable {
  private static let length = 16

  let prefix: [UInt8]

  init(mark: [UInt8]) { prefix = Array(mark.prefix(Self.length)) }

  /// Nil for text that `text` did not make.
  package init?(_ text: String) {
    guard let bytes = try? Hex.decode(text), bytes.count == Self.length else { return nil }
    prefix = bytes
  }

  package var text: String { Hex.encode(prefix) }

  /// The row `w` whose mark begins so; a step in the index of marks on both engines.
  var condition: SQL {
    let last = prefix + [UInt8](repeating: 0xFF, count: 32 - Self.length)
    return "w.mark >= \(prefix) AND w.mark <= \(last)"
  }
}
