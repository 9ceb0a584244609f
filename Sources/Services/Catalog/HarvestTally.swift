package import Circulation
package import Database

/// What a harvest has done so far, in this run.
package struct HarvestTally: Sendable, Hashable {
  package var pages = 0
  package var added = 0
  package var changed = 0
  package var unchanged = 0
  /// The provider said that they left.
  package var removed = 0
  /// Answers about copies.
  package var availabilities = 0
  /// Listed under an id that no row can have.
  package var refused = 0
  /// Met by no page of a complete harvest for the first time; still to be found.
  package var missing = 0
  /// Missed for the second time, and taken out of the search.
  package var dropped = 0
  /// Should have been dropped, but were too many at once to be believed.
  package var heldBack = 0
  /// How many titles the provider says there are.
  package var total: Int?
  /// Went on where an earlier run stopped.
  package var wasResumed = false
  /// Read the whole catalogue, not only what changed.
  package var isWhole = false
  package var isComplete = false
  /// What of the pages could not be read, as far as a person would read it.
  package var warnings: [String] = []
  package var warningCount = 0

  package init() {}

  mutating func warn(_ more: [String]) {
    warnings += more.prefix(max(0, 100 - warnings.count))
    warningCount += more.count
  }

  package var listed: Int { added + changed + unchanged }
}

/// Why a harvest stopped. What its pages brought so far is kept, and the next run goes on there.
package enum HarvestFailure: Error, Sendable, Hashable {
  case provider(CirculationError)
  case database(DatabaseError)
}
