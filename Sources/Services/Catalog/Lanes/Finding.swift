/// What stands in a lane, and what each choice would leave of it.
struct Finding: Sendable {
  /// Before they are narrowed.
  fileprivate(set) var editions: Bits
  fileprivate(set) var works: Bits
  fileprivate(set) var count: Int
  /// By the marks that a group of facets is narrowed by, which are those of all other groups: for
  /// each mark, how many works have an edition with it.
  fileprivate var tallies: [Set<String>: [Int]]
  private let chosen: [FacetGroup.Name: String]

  init(_ editions: Bits, narrowedBy chosen: [FacetGroup.Name: String], _ list: ShelfList) {
    (self.editions, self.chosen, tallies) = (editions, chosen, [:])
    works = list.works(of: list.editions(editions, narrowedBy: Set(chosen.values)))
    count = works.count
    for name in FacetGroup.Name.allCases {
      let marks = Self.narrowing(name, chosen)
      if tallies[marks] != nil { continue }
      tallies[marks] = list.tally(list.editions(editions, narrowedBy: marks))
    }
  }

  func facets(_ list: ShelfList, in scope: ShelfScope) -> [FacetGroup] {
    FacetGroup.Name.allCases.map { name in
      let counts = tallies[Self.narrowing(name, chosen)] ?? []
      return FacetGroup(
        name: name, choices: list.choices(of: name, counts, chosen[name], scope))
    }
  }

  fileprivate var narrowing: Set<String> { Set(chosen.values) }

  private static func narrowing(
    _ name: FacetGroup.Name, _ chosen: [FacetGroup.Name: String]
  ) -> Set<String> {
    Set(chosen.filter { $0.key != name }.values)
  }
}

extension ShelfList {
  /// Makes of what was found once what would be found now. Only the works of editions that have
  /// changed are looked at: what they counted for then is taken off, and what they count for now is
  /// added.
  func mend(
    _ finding: inout Finding, after changed: [Int: ShelfJournal.Former],
    where isMet: (Int) -> Bool
  ) {
    var then: [Int: [Int]] = [:]
    for (place, former) in changed {
      then[Int(works[place]), default: []] += []
      if former.work != Self.none { then[Int(former.work), default: []].append(place) }
    }
    for work in then.keys {
      byWork.forEach(of: work) { if changed[$0] == nil { then[work]?.append($0) } }
    }
    for editions in then.values {
      let marks = editions.filter(finding.editions.contains).map { place in
        markSets[Int(changed[place]?.marks ?? sets[place])]
      }
      for narrowing in finding.tallies.keys {
        for mark in facetMarks(of: marks, narrowedBy: narrowing) {
          finding.tallies[narrowing]?[mark] -= 1
        }
      }
    }
    for place in changed.keys { finding.editions.remove(place) }
    for work in then.keys { count(work, in: &finding, where: isMet) }
  }

  /// As it is now.
  private func count(_ work: Int, in finding: inout Finding, where isMet: (Int) -> Bool) {
    var marks: [[Int]] = []
    byWork.forEach(of: work) { place in
      finding.editions.remove(place)
      guard isMet(place) else { return }
      finding.editions.insert(place)
      marks.append(markSets[Int(sets[place])])
    }
    for narrowing in finding.tallies.keys {
      for mark in facetMarks(of: marks, narrowedBy: narrowing) {
        finding.tallies[narrowing]?.count(mark)
      }
    }
    if finding.works.contains(work) { finding.count -= 1 }
    finding.works.remove(work)
    if marks.contains(where: { isAmong($0, finding.narrowing) }) {
      finding.works.insert(work)
      finding.count += 1
    }
  }

  /// What the editions of one work count for in facets.
  private func facetMarks(of sets: [[Int]], narrowedBy narrowing: Set<String>) -> Set<Int> {
    Set(sets.filter { isAmong($0, narrowing) }.joined().filter { isFacet(marks[$0]) })
  }

  private func isAmong(_ set: [Int], _ narrowing: Set<String>) -> Bool {
    narrowing.allSatisfy { mark in set.contains { marks[$0] == mark } }
  }
}

extension [Int] {
  fileprivate mutating func count(_ mark: Int) {
    // Marks that are newer than the count.
    while mark >= count { append(0) }
    self[mark] += 1
  }
}
