import Database
import Matching

extension Kin {
  /// Gathers anew whatever hangs together with these editions, and gives each work its number.
  func gather(_ editions: Set<Int64>) throws(DatabaseError) {
    guard !editions.isEmpty else { return }
    let rulings = try Rulings(in: tx)
    let family = try Family(of: editions, rulings, in: tx)
    let members = family.members.keys.sorted()
    guard try tx.unmatched(among: members).isEmpty else {
      // Half of a family says nothing of the whole: it is gathered once all of it is matched.
      try tx.enqueue(members, at: .gathering)
      return
    }
    var works: [[Int64]] = []
    var crowds: [(Crowd, [Int64])] = []
    for group in family.groups() {
      if group.count == 1 {
        works.append(group)
      } else {
        crowds.append((Crowd(group, of: family), group))
      }
    }
    // A pair has nobody to contradict it; of larger crowds every pair counts.
    let dossiers = try dossiers(
      of: crowds.filter { $0.0.needsJudgement }.flatMap(\.1))
    for (crowd, _) in crowds { works += crowd.works(dossiers, rulings) }
    try tx.number(works, family.members)
  }
}

/// An edition with what orders it among its like and with the work it is in.
struct KinMember: Sendable, Hashable, Comparable {
  let number: Int64
  let name: ItemName
  let work: Int64

  /// By name, which is the same in whatever order the editions came.
  static func < (one: KinMember, other: KinMember) -> Bool { one.name < other.name }
}

/// All that hangs together with some editions: by kin, by a person's word, or in one work so far.
struct Family {
  private(set) var members: [Int64: KinMember] = [:]
  private(set) var ties: [Int64: [KinTie]] = [:]
  private var words: [(Int64, Int64)] = []

  init(of editions: Set<Int64>, _ rulings: Rulings, in snapshot: Snapshot) throws(DatabaseError) {
    var frontier = editions
    while !frontier.isEmpty {
      let fresh = try snapshot.members(frontier.sorted())
      for member in fresh { members[member.number] = member }
      let found = try snapshot.kin(of: frontier.sorted())
      ties.merge(found, uniquingKeysWith: { first, _ in first })
      var next = Set(found.values.joined().map(\.other))
      for pair in try rulings.joins(of: fresh, in: snapshot) {
        words.append(pair)
        next.formUnion([pair.0, pair.1])
      }
      next.formUnion(try snapshot.editions(ofWorks: Set(fresh.map(\.work)).sorted()))
      frontier = next.subtracting(members.keys)
    }
  }

  func ties(of edition: Int64) -> [KinTie] { ties[edition] ?? [] }

  /// Those that may come together at all; being in one work so far is no reason to stay so.
  func groups() -> [[Int64]] {
    var home = Dictionary(uniqueKeysWithValues: members.keys.map { ($0, $0) })
    func root(_ edition: Int64) -> Int64 {
      var edition = edition
      while let next = home[edition], next != edition { edition = next }
      return edition
    }
    let pairs = ties.flatMap { one, ties in ties.map { (one, $0.other) } } + words
    for (one, two) in pairs {
      let (a, b) = (root(one), root(two))
      if a != b { home[max(a, b)] = min(a, b) }
    }
    return Dictionary(grouping: members.keys, by: root).values.map { $0.sorted() }
  }
}

/// One of those groups, as the matcher gathers it.
struct Crowd {
  /// In the order of their names.
  let row: [KinMember]
  private let likenesses: [Likeness]
  private let known: Set<Pair>

  private struct Pair: Hashable {
    let one: Int
    let two: Int
  }

  init(_ group: [Int64], of family: Family) {
    row = group.compactMap { family.members[$0] }.sorted()
    let places = Dictionary(uniqueKeysWithValues: row.enumerated().map { ($1.number, $0) })
    var likenesses: [Likeness] = []
    for (place, member) in row.enumerated() {
      for tie in family.ties(of: member.number) {
        guard let other = places[tie.other], place < other else { continue }
        likenesses.append(Likeness(place, other, tie.score))
      }
    }
    self.likenesses = likenesses
    known = Set(likenesses.map { Pair(one: $0.one, two: $0.two) })
  }

  var needsJudgement: Bool { known.count < row.count * (row.count - 1) / 2 }

  func works(_ dossiers: [Int64: Dossier], _ rulings: Rulings) -> [[Int64]] {
    let names = row.map(\.name)
    let gathering = Gathering(row.count, likenesses) { one, two in
      if rulings.forbid(names[one], names[two]) { return true }
      guard !known.contains(Pair(one: min(one, two), two: max(one, two))),
        let mine = dossiers[row[one].number], let theirs = dossiers[row[two].number]
      else { return false }
      return Matcher.verdict(mine, theirs).verdict == .different
    }
    return rulings.united(gathering.groups, names).map { $0.map { row[$0].number } }
  }
}

extension Snapshot {
  func members(_ editions: [Int64]) throws(DatabaseError) -> [KinMember] {
    guard !editions.isEmpty else { return [] }
    return try rows(
      """
      SELECT e.id, l.name, e.item, e.work FROM catalog_edition e
      JOIN catalog_library l ON l.id = e.library WHERE e.id \(.among(editions))
      """
    ) { row throws(DatabaseError) in
      KinMember(
        number: try row[0], name: ItemName(library: try row[1], item: try row[2]), work: try row[3])
    }
  }

  fileprivate func editions(ofWorks works: [Int64]) throws(DatabaseError) -> [Int64] {
    guard !works.isEmpty else { return [] }
    return try rows("SELECT id FROM catalog_edition WHERE work \(.among(works))") {
      row throws(DatabaseError) in try row[0]
    }
  }
}
