import Database
import Log
import Synchronization

/// Writes slow statements down, and how often each has been slow: by its text, which comes from the
/// source and never holds what was asked for.
final class SlowLog: Sendable {
  /// Statements are many, but written in the source.
  private static let most = 1000

  private let counts = Mutex<[String: Int]>([:])
  private let logger: Logger
  private let meter: Meter?

  init(_ logger: Logger, _ meter: Meter?) { (self.logger, self.meter) = (logger, meter) }

  func note(_ statement: SlowStatement) {
    let count = counts.withLock { counts in
      guard counts.count < Self.most || counts[statement.text] != nil else { return 1 }
      counts[statement.text, default: 0] += 1
      return counts[statement.text] ?? 1
    }
    meter?.noteSlow()
    logger.info(
      "slow statement",
      [
        .pair("statement", statement.text), .pair("dur_ms", statement.took),
        .pair("count", count),
      ])
  }
}

extension StoreSettings {
  mutating func watch(after limit: Duration, _ log: SlowLog) {
    guard limit > .zero else { return }
    slowAfter = limit
    tellSlow = { log.note($0) }
  }
}
