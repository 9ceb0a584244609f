extension Array where Element: Hashable {
  /// Each once, in the order of the first appearance. Made anew for each kind of element, for a
  /// catalogue that is read asks for it a dozen times a book; a few are compared sooner than hashed.
  @inlinable package var distinct: [Element] {
    guard count > 1 else { return self }
    var kept: [Element] = []
    kept.reserveCapacity(count)
    if count <= 12 {
      for element in self where !kept.contains(element) { kept.append(element) }
      return kept
    }
    var seen = Set<Element>(minimumCapacity: count)
    for element in self where seen.insert(element).inserted { kept.append(element) }
    return kept
  }
}
