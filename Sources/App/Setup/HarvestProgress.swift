package import Items

/// What a harvest is at, for whoever waits for it.
package enum HarvestProgress: Sendable, Hashable {
  /// What an older program left is being indexed by the rules of this one; editions left.
  case indexing(left: Int)
  /// The same for which editions are one work; steps left.
  case matching(left: Int)
  /// So far.
  case reading(HarvestItem)
}
