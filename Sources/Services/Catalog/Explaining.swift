package import Circulation
package import Database
package import Matching

/// Why the editions of a work are one.
package struct WorkExplanation: Sendable, Hashable {
  /// An edition, and what brought it in.
  package struct Member: Sendable, Hashable {
    package let name: ItemName
    package let edition: Edition
    package let because: Bond
  }

  package enum Bond: Sendable, Hashable {
    /// The others came to this one.
    case first
    /// It is the same as another one, the one it is most surely the same as.
    case same(as: ItemName, Verdict)
    /// A person said so.
    case ruling(Ruling)
  }

  /// An edition that is nearly of the work.
  package struct Near: Sendable, Hashable {
    package let name: ItemName
    package let work: WorkID
    package let edition: Edition
    /// The one of ours it is closest to.
    package let to: ItemName
    package let verdict: Verdict
    /// It is the same as that one, but contradicts this one of us.
    package let against: Contradiction?
  }

  package struct Contradiction: Sendable, Hashable {
    package let name: ItemName
    /// In words.
    package let why: String
  }

  package let work: WorkID
  package let members: [Member]
  package let rulings: [Ruling]
  /// The closest first.
  package let near: [Near]
}

extension Catalog {
  /// Compares the editions of a work anew, with each other and with what comes close. Nil for a work
  /// that there is not.
  package func explain(_ work: WorkID) async throws(DatabaseError) -> WorkExplanation? {
    guard let number = work.number else { return nil }
    return try await store.read { snapshot throws(DatabaseError) in
      let current = try snapshot.current(number)
      let members = try snapshot.editions(of: current)
      guard !members.isEmpty else { return nil }
      return try Explainer(current, members, snapshot).explanation()
    }
  }
}

private struct Explainer {
  let work: Int64
  let members: [KinMember]
  let snapshot: Snapshot
  let rulings: [Ruling]
  private let subjects: [Int64: (edition: Edition, subject: KinSubject)]

  /// Works of hundreds of editions exist; beyond this many nobody reads on.
  private static let mostNear = 20

  init(_ work: Int64, _ members: [KinMember], _ snapshot: Snapshot) throws(DatabaseError) {
    (self.work, self.members, self.snapshot) = (work, members, snapshot)
    let names = Set(members.map(\.name))
    rulings = try snapshot.rulings().filter { ruling in
      !names.isDisjoint(with: ruling.one + ruling.two)
    }
    subjects = try Self.read(members.map(\.number), snapshot)
  }

  private static func read(
    _ editions: [Int64], _ snapshot: Snapshot
  ) throws(DatabaseError) -> [Int64: (edition: Edition, subject: KinSubject)] {
    Dictionary(
      try snapshot.records(of: editions).map { ($0.0, ($0.1, KinSubject($0.0, $0.1))) },
      uniquingKeysWith: { first, _ in first })
  }

  func explanation() throws(DatabaseError) -> WorkExplanation {
    WorkExplanation(
      work: WorkID(number: work), members: try bonds(), rulings: rulings, near: try near())
  }

  /// The likeliest kin first, each time of one that is in to one that is not.
  private func bonds() throws(DatabaseError) -> [WorkExplanation.Member] {
    let kin = try snapshot.kin(of: members.map(\.number))
    let byNumber = Dictionary(uniqueKeysWithValues: members.map { ($0.number, $0) })
    var told: [WorkExplanation.Member] = []
    var inside: Set<Int64> = []
    let add = { (member: KinMember, bond: WorkExplanation.Bond) in
      inside.insert(member.number)
      guard let edition = subjects[member.number]?.edition else { return }
      told.append(WorkExplanation.Member(name: member.name, edition: edition, because: bond))
    }
    // The one that has the most in common with the others is where the telling starts.
    let ordered = members.sorted { one, two in
      (kin[two.number]?.count ?? 0, one.name) < (kin[one.number]?.count ?? 0, two.name)
    }
    for start in ordered where !inside.contains(start.number) {
      add(start, told.isEmpty ? .first : bond(ofPiece: start))
      while let best = closest(inside, kin, byNumber) {
        let verdict = verdict(best.0, best.1)
        add(best.0, verdict.map { .same(as: best.1.name, $0) } ?? .first)
      }
    }
    return told
  }

  private func closest(
    _ inside: Set<Int64>, _ kin: [Int64: [KinTie]], _ byNumber: [Int64: KinMember]
  ) -> (KinMember, KinMember)? {
    var best: (score: Double, fresh: KinMember, old: KinMember)?
    for member in members where inside.contains(member.number) {
      for tie in kin[member.number] ?? [] where !inside.contains(tie.other) {
        guard let fresh = byNumber[tie.other] else { continue }
        let isBetter =
          best.map {
            (tie.score, $0.fresh.name, $0.old.name) > ($0.score, fresh.name, member.name)
          } ?? true
        if isBetter { best = (tie.score, fresh, member) }
      }
    }
    return best.map { ($0.fresh, $0.old) }
  }

  /// What nothing else ties to the rest a person brought in.
  private func bond(ofPiece member: KinMember) -> WorkExplanation.Bond {
    let ruling = rulings.last { ruling in
      ruling.kind == .join && (ruling.one + ruling.two).contains(member.name)
    }
    return ruling.map { .ruling($0) } ?? .first
  }

  private func verdict(_ one: KinMember, _ two: KinMember) -> Verdict? {
    guard let mine = subjects[one.number]?.subject.dossier,
      let theirs = subjects[two.number]?.subject.dossier
    else { return nil }
    return Matcher.verdict(mine, theirs)
  }

  private func contradiction(
    of stranger: KinSubject, _ name: ItemName
  ) -> WorkExplanation.Contradiction? {
    for member in members {
      if rulings.contains(where: { $0.isSplit(member.name, name) }) {
        return WorkExplanation.Contradiction(name: member.name, why: "a reader took them apart")
      }
      guard let mine = subjects[member.number]?.subject.dossier else { continue }
      let verdict = Matcher.verdict(mine, stranger.dossier)
      if verdict.verdict == .different {
        return WorkExplanation.Contradiction(
          name: member.name, why: verdict.why.joined(separator: ", "))
      }
    }
    return nil
  }

  private func near() throws(DatabaseError) -> [WorkExplanation.Near] {
    let own = Set(members.map(\.number))
    let rivals = try snapshot.rivals(of: subjects.values.map(\.subject))
    let others = Set(rivals.values.joined()).subtracting(own)
    let strangers = try Self.read(others.sorted(), snapshot)
    var near: [WorkExplanation.Near] = []
    for stranger in try snapshot.members(others.sorted()).sorted() {
      guard let (edition, theirs) = strangers[stranger.number] else { continue }
      var closest: (KinMember, Verdict)?
      for member in members where rivals[member.number]?.contains(stranger.number) == true {
        guard let mine = subjects[member.number]?.subject.dossier else { continue }
        let verdict = Matcher.verdict(mine, theirs.dossier)
        if verdict.verdict != .different, verdict.score > closest?.1.score ?? 0 {
          closest = (member, verdict)
        }
      }
      guard let (member, verdict) = closest else { continue }
      near.append(
        WorkExplanation.Near(
          name: stranger.name, work: WorkID(number: stranger.work), edition: edition,
          to: member.name, verdict: verdict,
          against: verdict.verdict == .same ? contradiction(of: theirs, stranger.name) : nil))
    }
    near.sort { ($1.verdict.score, $0.name) < ($0.verdict.score, $1.name) }
    return Array(near.prefix(Self.mostNear))
  }
}
