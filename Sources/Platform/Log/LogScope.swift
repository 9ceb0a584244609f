import Synchronization

/// For whose request something is done: every line that is written meanwhile, in whichever part of
/// the program, carries its name.
package final class LogScope: Sendable {
  @TaskLocal package static var current: LogScope?

  package let requestID: String
  private let hash: @Sendable (String) -> String
  private let reader = Mutex<String?>(nil)

  /// `hash` makes of a reader's name what may stand in a log: the same for the same reader, and
  /// nothing that leads back.
  package init(requestID: String, hash: @escaping @Sendable (String) -> String) {
    (self.requestID, self.hash) = (requestID, hash)
  }

  /// From here on it is known who asks.
  package func note(reader name: String) {
    let hashed = hash(name)
    reader.withLock { $0 = hashed }
  }

  package var patronHash: String? { reader.withLock { $0 } }

  /// What a line says already is not said twice.
  func pairs(besides given: [Pair]) -> [Pair] {
    var pairs: [Pair] = []
    let keys = given.map(\.key.description)
    if !keys.contains("request_id") { pairs.append(.pair("request_id", requestID)) }
    if let patronHash, !keys.contains("patron_hash") {
      pairs.append(.pair("patron_hash", patronHash))
    }
    return pairs
  }
}
