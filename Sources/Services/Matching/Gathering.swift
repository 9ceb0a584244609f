/// How likely two of a row are one work, as it was found or kept.
package struct Likeness: Sendable, Hashable {
  /// Positions in the row.
  package let one: Int
  package let two: Int
  package let score: Double

  package init(_ one: Int, _ two: Int, _ score: Double) {
    (self.one, self.two, self.score) = (one, two, score)
  }
}

/// The row gathered into groups by likeness. Likeness does not carry on from one to the next: two
/// groups come together only when nothing in one contradicts anything in the other.
///
/// The outcome depends on the row and its order alone, not on the order in which the likenesses
/// were found.
package struct Gathering: Sendable {
  /// Positions, each group in order, groups by their first member.
  package let groups: [[Int]]
  /// Likenesses that came to nothing because of a contradiction elsewhere in their groups.
  package let torn: [Likeness]

  /// Groups whose members are held against each other one by one; of larger ones only some are.
  private static let mostChecks = 1024

  package init(
    _ count: Int, _ likenesses: [Likeness], contradict: (Int, Int) -> Bool
  ) {
    // The surest first; the order of the row settles what is equally sure.
    let ordered = likenesses.sorted { ($1.score, $0.one, $0.two) < ($0.score, $1.one, $1.two) }
    var home = Array(0..<count)
    var members = (0..<count).map { [$0] }
    var torn: [Likeness] = []
    for likeness in ordered {
      let (a, b) = (home[likeness.one], home[likeness.two])
      guard a != b else { continue }
      if Self.contradict(members[a], members[b], contradict) {
        torn.append(likeness)
        continue
      }
      let (large, small) = members[a].count >= members[b].count ? (a, b) : (b, a)
      for member in members[small] { home[member] = large }
      members[large] = (members[large] + members[small]).sorted()
      members[small] = []
    }
    groups = members.filter { !$0.isEmpty }.sorted { $0[0] < $1[0] }
    self.torn = torn
  }

  private static func contradict(
    _ one: [Int], _ two: [Int], _ contradict: (Int, Int) -> Bool
  ) -> Bool {
    let (few, many) = one.count < two.count ? (one, two) : (two, one)
    let some = few.prefix(32)
    let others = many.prefix(max(8, mostChecks / some.count))
    return some.contains { a in others.contains { b in contradict(a, b) } }
  }
}
