/// Candidates gathered into works. Likeness does not carry on from one to the next: two groups come
/// together only when nothing in one contradicts anything in the other.
package struct Clusters: Sendable {
  /// Positions of the candidates, each group in order, groups by their first member.
  package let groups: [[Int]]
  /// Pairs that would belong together but for a contradiction elsewhere in their groups.
  package let torn: [(Int, Int)]

  /// A key that more share than this says nothing, and costs the square of it.
  static let largestBucket = 200
  /// So many members of a group are held against a newcomer.
  static let mostChecks = 64

  package init(_ candidates: [Candidate]) {
    let dossiers = candidates.map(Dossier.init)
    var edges: [(one: Int, two: Int, score: Double)] = []
    for (one, two) in Self.pairs(dossiers) {
      let verdict = Matcher.verdict(dossiers[one], dossiers[two])
      if verdict.verdict == .same { edges.append((one, two, verdict.score)) }
    }
    // The surest first; the order of the candidates settles what is equally sure.
    edges.sort { ($1.score, $0.one, $0.two) < ($0.score, $1.one, $1.two) }
    var home = Array(candidates.indices)
    var members = candidates.indices.map { [$0] }
    var torn: [(Int, Int)] = []
    for edge in edges {
      let (a, b) = (home[edge.one], home[edge.two])
      guard a != b else { continue }
      guard !Self.contradict(members[a], members[b], dossiers) else {
        torn.append((edge.one, edge.two))
        continue
      }
      let (large, small) = members[a].count >= members[b].count ? (a, b) : (b, a)
      for member in members[small] { home[member] = large }
      members[large] += members[small]
      members[small] = []
    }
    groups = members.filter { !$0.isEmpty }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    self.torn = torn
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

  private static func contradict(_ one: [Int], _ two: [Int], _ dossiers: [Dossier]) -> Bool {
    let limit = max(1, mostChecks / max(1, min(one.count, two.count)))
    let (some, others) = one.count < two.count ? (one, two) : (two, one)
    return some.prefix(mostChecks).contains { a in
      others.prefix(max(limit, 8)).contains { b in
        let verdict = Matcher.verdict(dossiers[a], dossiers[b])
        return verdict.isVeto || verdict.verdict == .different
      }
    }
  }
}
