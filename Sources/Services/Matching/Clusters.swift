/// Candidates gathered into works. Likeness does not carry on from one to the next: two groups come
/// together only when nothing in one contradicts anything in the other.
package struct Clusters: Sendable {
  /// Positions of the candidates, each group in order, groups by their first member.
  package let groups: [[Int]]
  /// Pairs that would belong together but for a contradiction elsewhere in their groups.
  package let torn: [(Int, Int)]

  /// A key that more share than this says nothing, and costs the square of it.
  static let largestBucket = 200

  package init(_ candidates: [Candidate]) {
    let dossiers = candidates.map(Dossier.init)
    var likenesses: [Likeness] = []
    for (one, two) in Self.pairs(dossiers) {
      let verdict = Matcher.verdict(dossiers[one], dossiers[two])
      if verdict.verdict == .same { likenesses.append(Likeness(one, two, verdict.score)) }
    }
    let gathering = Gathering(dossiers.count, likenesses) { one, two in
      Matcher.verdict(dossiers[one], dossiers[two]).verdict == .different
    }
    groups = gathering.groups
    torn = gathering.torn.map { ($0.one, $0.two) }
  }

  private static func pairs(_ dossiers: [Dossier]) -> [(Int, Int)] {
    var buckets: [String: [Int]] = [:]
    for (index, dossier) in dossiers.enumerated() {
      for key in Matcher.keys(of: dossier) { buckets[key, default: []].append(index) }
    }
    var seen: Set<[Int]> = []
    for bucket in buckets.values where bucket.count > 1 && bucket.count <= largestBucket {
      for (place, one) in bucket.enumerated() {
        for two in bucket[(place + 1)...] { seen.insert([one, two]) }
      }
    }
    return seen.map { ($0[0], $0[1]) }.sorted { $0 < $1 }
  }
}
