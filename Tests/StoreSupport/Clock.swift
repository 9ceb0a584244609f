import Synchronization

/// Stands still until it is moved. In milliseconds since 1970.
package final class Clock: Sendable {
  private let moment: Mutex<Int64>

  package init(at moment: Int64 = 1_000_000) { self.moment = Mutex(moment) }

  package var now: Int64 { moment.withLock { $0 } }
  package func advance(by span: Int64) { moment.withLock { $0 += span } }
}
