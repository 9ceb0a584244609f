extension Array where Element: Hashable {
  /// Each once, in the order of the first appearance.
  package var distinct: [Element] {
    guard count > 1 else { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
