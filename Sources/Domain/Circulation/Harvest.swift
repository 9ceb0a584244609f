/// Where a harvest stands: opaque to all but the adapter, kept with the page it came from in one
/// transaction, so that a restart goes on where it stopped.
package struct HarvestCursor: Sendable, Hashable {
  package let value: String

  package init(_ value: String) { self.value = value }
}

/// One page of a catalogue.
package struct HarvestPage: Sendable, Hashable {
  package var changes: [Change]
  package var progress: Progress
  /// How many the provider says there are in all.
  package var total: Int?
  package var scope: Scope
  /// What of the page could not be read, or not as a whole; a sentence each.
  package var warnings: [String]
  /// Whether more was listed than was taken: what is missed from then on has not left.
  package var isCut: Bool

  package init(changes: [Change], progress: Progress, total: Int? = nil) {
    (self.changes, self.progress, self.total) = (changes, progress, total)
    (scope, warnings, isCut) = (.asAsked, [], false)
  }

  package enum Scope: Sendable, Hashable {
    case asAsked
    /// The provider has a new catalogue in the place of the one that was being read, and this is
    /// its first page. What it does not list any more is missing from now on.
    case startsOver
  }

  package enum Change: Sendable, Hashable {
    case listed(Edition)
    case availability(ItemID, Availability)
    /// The provider itself says that the title left. Absence alone never says so.
    case removed(ItemID)
  }

  package enum Progress: Sendable, Hashable {
    case more(HarvestCursor)
    /// Done for now; the cursor is where the next look for changes starts.
    case done(next: HarvestCursor?)
  }

  package var editions: [Edition] {
    changes.compactMap { if case .listed(let edition) = $0 { edition } else { nil } }
  }
}
