import Catalog
import Synchronization

/// What a harvest last told of itself: one that fails says no more than why, and what it had stored
/// before is there all the same.
final class HeardTally: Sendable {
  private let tally = Mutex(HarvestTally())

  var last: HarvestTally { tally.withLock { $0 } }

  func note(_ tally: HarvestTally) { self.tally.withLock { $0 = tally } }
}
