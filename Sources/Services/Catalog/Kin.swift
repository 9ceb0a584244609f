import Circulation
import Database
import Matching

/// Finds out which editions are one work, inside the transaction that changes them.
///
/// The matcher compares editions two by two, and those that it calls the same are kept as kin. What
/// hangs together by kin, or by a person's word, is then gathered into works as a whole: the outcome
/// depends on what the editions are and not on the order in which they came.
final class Kin {
  let tx: Transaction
  private let known: KnownDossiers?
  /// What was read here that is not known yet.
  private(set) var read: [Int64: KnownDossiers.Entry] = [:]

  /// Of a key that more editions share, not every one is compared.
  static let largestBucket = 64

  init(in tx: Transaction, _ known: KnownDossiers? = nil) { (self.tx, self.known) = (tx, known) }

  /// An edition that was written: as it is now, and as it was if it was there before.
  struct Written {
    let number: Int64
    let reading: KinReading
    var former: Edition?

    fileprivate var subject: KinSubject { KinSubject(number, reading) }
  }

  /// What is new, and what changed for the matcher.
  func match(_ changed: [Written]) throws(DatabaseError) {
    guard !changed.isEmpty else { return }
    let waiting = try tx.unmatched(among: changed.filter { $0.former != nil }.map(\.number))
    if !waiting.isEmpty { try startAnew(changed.filter { waiting.contains($0.number) }) }
    let ready = changed.filter { !waiting.contains($0.number) }
    let old = ready.compactMap { one in one.former.map { KinSubject(one.number, $0) } }
    let bereft = try part(old.map(\.number))
    try tx.dropKeys(of: old)
    let subjects = ready.map(\.subject)
    try tx.keep(keysOf: subjects)
    let lost = try tx.lone(among: bereft)
    let found = try relate(subjects + tx.subjects(lost))
    try gather(found.union(bereft).union(old.map(\.number)))
  }

  /// Before editions are deleted: what was kin by them alone finds its works without them. Their own
  /// rows are left in whatever work they are in.
  func leave(_ editions: [Int64]) throws(DatabaseError) {
    try tx.dropKeys(of: tx.subjects(editions))
    let bereft = try part(editions)
    try gather(relate(tx.subjects(tx.lone(among: bereft))).union(bereft))
  }

  /// Compares each with its rivals and keeps those that are the same. Returns who has kin now.
  func relate(_ subjects: [KinSubject]) throws(DatabaseError) -> Set<Int64> {
    let rivals = try tx.rivals(of: subjects)
    let own = Set(subjects.map(\.number))
    let strangers = Set(rivals.values.joined()).subtracting(own)
    var dossiers = try dossiers(of: strangers.sorted())
    for subject in subjects { dossiers[subject.number] = subject.dossier }
    var kin: [(Int64, Int64, Double)] = []
    let known = try tx.kin(of: subjects.map(\.number))
    let crowded = try tx.crowded(
      for: subjects.map(\.number), among: Set(rivals.values.joined()).sorted())
    for subject in subjects {
      let ties = known[subject.number] ?? []
      for other in rivals[subject.number, default: []].sorted() {
        // Of two subjects that meet, the lower one asks; but only if it sees the other at all.
        if own.contains(other), other < subject.number,
          rivals[other, default: []].contains(subject.number)
        {
          continue
        }
        guard let theirs = dossiers[other], !ties.contains(where: { $0.other == other }),
          crowded[subject.number]?.contains(other) != true
        else { continue }
        if let score = Matcher.likeness(subject.dossier, theirs) {
          kin.append((subject.number, other, score))
        }
      }
    }
    let both = kin + kin.map { ($0.1, $0.0, $0.2) }
    try tx.insert(
      into: "catalog_kin", columns: ["one", "two", "score"],
      rows: both.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    ) { pair, row throws(DatabaseError) in
      try row.append(pair.0)
      try row.append(pair.1)
      try row.append(pair.2)
    }
    return Set(both.map(\.0)).union(known.keys)
  }

  /// Editions as the matcher reads them.
  func dossiers(of editions: [Int64]) throws(DatabaseError) -> [Int64: Dossier] {
    guard !editions.isEmpty else { return [:] }
    let times = try tx.rows(
      "SELECT id, changed FROM catalog_edition WHERE id \(.among(editions))"
    ) { row throws(DatabaseError) -> (number: Int64, changed: Int64) in (try row[0], try row[1]) }
    var dossiers = known?.dossiers(of: times) ?? [:]
    var missing: [Int64: Int64] = [:]
    for edition in times where dossiers[edition.number] == nil {
      if let entry = read[edition.number], entry.changed == edition.changed {
        dossiers[edition.number] = entry.dossier
      } else {
        missing[edition.number] = edition.changed
      }
    }
    for (number, edition) in try tx.records(of: missing.keys.sorted()) {
      let dossier = Dossier(Candidate(edition))
      dossiers[number] = dossier
      if let changed = missing[number] { know(dossier, of: number, changed: changed) }
    }
    return dossiers
  }

  /// Tells how an edition reads that was just written.
  func know(_ dossier: Dossier, of edition: Int64, changed: Int64) {
    read[edition] = KnownDossiers.Entry(changed: changed, dossier: dossier)
  }

  /// Takes editions away from their kin, and returns those.
  private func part(_ editions: [Int64]) throws(DatabaseError) -> Set<Int64> {
    guard !editions.isEmpty else { return [] }
    let kin = try tx.rows(
      "DELETE FROM catalog_kin WHERE one \(.among(editions)) RETURNING two"
    ) { row throws(DatabaseError) -> Int64 in try row[0] }
    let others = Set(kin).subtracting(editions)
    guard !others.isEmpty else { return [] }
    try tx.execute(
      "DELETE FROM catalog_kin WHERE one \(.among(others.sorted())) AND two \(.among(editions))")
    return others
  }

  /// Those that wait to be matched again have their keys made anew, too.
  private func startAnew(_ written: [Written]) throws(DatabaseError) {
    let numbers = written.map(\.number)
    try tx.dropKeys(of: written.compactMap { one in one.former.map { KinSubject(one.number, $0) } })
    _ = try part(numbers)
    try tx.execute("UPDATE catalog_unmatched SET stage = 0 WHERE edition \(.among(numbers))")
  }
}

/// One end of a kept likeness.
struct KinTie: Sendable, Hashable {
  let other: Int64
  let score: Double
}

extension Snapshot {
  func kin(of editions: [Int64]) throws(DatabaseError) -> [Int64: [KinTie]] {
    guard !editions.isEmpty else { return [:] }
    var ties: [Int64: [KinTie]] = [:]
    try forEach("SELECT one, two, score FROM catalog_kin WHERE one \(.among(editions))") {
      row throws(DatabaseError) in
      ties[try row[0], default: []].append(KinTie(other: try row[1], score: try row[2]))
      return .next
    }
    return ties
  }

  /// Those whose kin are not all known yet.
  func unmatched(among editions: [Int64]) throws(DatabaseError) -> Set<Int64> {
    guard !editions.isEmpty else { return [] }
    return Set(
      try rows(
        """
        SELECT edition FROM catalog_unmatched
        WHERE stage < \(MatchStage.gathering) AND edition \(.among(editions))
        """
      ) { row throws(DatabaseError) in try row[0] })
  }

  /// Those that have nobody left.
  fileprivate func lone(among editions: Set<Int64>) throws(DatabaseError) -> [Int64] {
    guard !editions.isEmpty else { return [] }
    let kept = try rows(
      "SELECT DISTINCT one FROM catalog_kin WHERE one \(.among(editions.sorted()))"
    ) { row throws(DatabaseError) -> Int64 in try row[0] }
    return editions.subtracting(kept).sorted()
  }

  func subjects(_ editions: [Int64]) throws(DatabaseError) -> [KinSubject] {
    try records(of: editions).map { KinSubject($0.0, $0.1) }
  }

  func records(of editions: [Int64]) throws(DatabaseError) -> [(Int64, Edition)] {
    guard !editions.isEmpty else { return [] }
    return try rows(
      """
      SELECT e.id, e.item, r.content FROM catalog_edition e
      JOIN catalog_record r ON r.edition = e.id WHERE e.id \(.among(editions))
      """
    ) { row throws(DatabaseError) in
      (try row[0], EditionRecord.edition(ItemID(try row[1]), from: try row[2]))
    }
  }
}
