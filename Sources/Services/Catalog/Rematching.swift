package import Database
import Matching

/// How far the matching of an edition that waits for it has come. All reach a stage before the first
/// goes on to the next: kin are looked for among keys, and works are gathered from kin.
enum MatchStage: Int, Storable {
  case keys = 0
  case kin = 1
  case gathering = 2
}

/// What is being made anew, and how much is left of it.
package enum CatalogRenewal: Sendable, Hashable {
  /// In editions.
  case indexing(left: Int)
  /// In steps: three for each edition.
  case matching(left: Int)
}

extension Catalog {
  /// Brings a catalogue that an older program has left to what this one would have made of it.
  package func catchUp(
    progress: @Sendable (CatalogRenewal) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await indexWaiting { progress(.indexing(left: $0)) }
    try await matchWaiting { progress(.matching(left: $0)) }
  }

  /// Matches the editions that wait for it: those of a catalogue that is older than the matcher, and
  /// all of them after its rules have changed. Works stay as they were until their turn comes. It
  /// may be stopped at any time, and goes on where it was. Tells how many steps are left.
  package func matchWaiting(
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws(DatabaseError) {
    let isWaiting = try await store.read { snapshot throws(DatabaseError) in
      if try snapshot.isMatchedByOldRules() { return true }
      return try snapshot.first("SELECT edition FROM catalog_unmatched LIMIT 1") {
        row throws(DatabaseError) -> Int64 in try row[0]
      } != nil
    }
    guard isWaiting else { return }
    defer { known.forget() }
    try await store.write(by: .now + .seconds(600)) { tx throws(DatabaseError) in
      try tx.renewMatching()
    }
    while !Task.isCancelled {
      let left = try await matching(by: .now + .seconds(600)) { kin throws(DatabaseError) in
        try kin.matchSome()
      }
      guard left > 0 else { return }
      progress(left)
    }
  }
}

extension Snapshot {
  fileprivate func isMatchedByOldRules() throws(DatabaseError) -> Bool {
    let version: Int = try value("SELECT version FROM catalog_matching")
    return version != Matcher.version
  }
}

extension Transaction {
  /// Other rules make other keys and other kin: what was found by the old ones goes, and every
  /// edition waits to be matched again.
  func renewMatching() throws(DatabaseError) {
    guard try isMatchedByOldRules() else { return }
    try execute("DELETE FROM catalog_key")
    try execute("DELETE FROM catalog_kin")
    try execute("DELETE FROM catalog_unmatched")
    try execute(
      """
      INSERT INTO catalog_unmatched (edition, stage)
      SELECT id, \(MatchStage.keys) FROM catalog_edition
      """)
    try execute("UPDATE catalog_matching SET version = \(Matcher.version)")
  }

  func enqueue(_ editions: [Int64], at stage: MatchStage) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO catalog_unmatched (edition, stage)
      SELECT id, \(stage) FROM catalog_edition WHERE id \(.among(editions))
      ON CONFLICT (edition) DO NOTHING
      """)
  }

}

extension Kin {
  /// A batch of those that have come the least far. Returns how many steps are left.
  fileprivate func matchSome() throws(DatabaseError) -> Int {
    for stage in [MatchStage.keys, .kin, .gathering] {
      let batch = try tx.rows(
        """
        SELECT edition FROM catalog_unmatched WHERE stage = \(stage)
        ORDER BY edition LIMIT \(Intake.batch)
        """
      ) { row throws(DatabaseError) -> Int64 in try row[0] }
      guard !batch.isEmpty else { continue }
      switch stage {
      case .keys: try tx.keep(keysOf: try tx.subjects(batch))
      case .kin: _ = try relate(try tx.subjects(batch))
      case .gathering: try gather(Set(batch))
      }
      if let next = MatchStage(rawValue: stage.rawValue + 1) {
        try tx.execute(
          "UPDATE catalog_unmatched SET stage = \(next) WHERE edition \(.among(batch))")
      } else {
        try tx.execute("DELETE FROM catalog_unmatched WHERE edition \(.among(batch))")
      }
      return try tx.value("SELECT COALESCE(SUM(3 - stage), 0) FROM catalog_unmatched")
    }
    return 0
  }
}
