import Circulation
package import Database
import Shelving

/// What is beside an edition's record only to find it by.
struct IndexLayers: OptionSet, Sendable {
  let rawValue: Int

  /// What lanes, sorting and facets are made of.
  static let faces = IndexLayers(rawValue: 1)
  static let words = IndexLayers(rawValue: 2)
}

extension Catalog {
  /// Makes anew what editions are found by where an older program made it, so that what a newer one
  /// looks for is there. It may be stopped at any time, and goes on where it was; the search works
  /// meanwhile, as well as it did before. Tells how many editions are left.
  package func indexWaiting(
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws(DatabaseError) {
    let isBehind = try await store.read { snapshot throws(DatabaseError) in
      try !snapshot.indexStanding().stale.isEmpty
    }
    guard isBehind else { return }
    while !Task.isCancelled {
      let left = try await store.write(by: .now + .seconds(600)) { tx throws(DatabaseError) in
        try tx.renewSome()
      }
      guard left > 0 else { return }
      progress(left)
    }
  }
}

/// By which rules the index was made, and how far it has come on its way to others.
struct IndexStanding: Sendable {
  /// Below zero there is nothing yet that could be old.
  let described: Int
  let indexed: Int
  /// The rules that it is on its way to, and the last edition that has arrived.
  let aim: Int
  let reached: Int64

  var stale: IndexLayers {
    var layers: IndexLayers = []
    if described >= 0, described < Genre.revision { layers.insert(.faces) }
    if indexed >= 0, indexed < IndexedWords.revision { layers.insert(.words) }
    return layers
  }

  /// Both revisions in one: where either moves on during the work, it begins again.
  static var ownAim: Int { IndexedWords.revision * 100_000 + Genre.revision }
}

extension Snapshot {
  func indexStanding() throws(DatabaseError) -> IndexStanding {
    try one("SELECT described_by, indexed_by, renewing, renewed_to FROM catalog_pulse") {
      row throws(DatabaseError) in
      IndexStanding(
        described: try row[0], indexed: try row[1], aim: try row[2], reached: try row[3])
    }
  }
}

extension Transaction {
  /// The next batch. Returns how many editions are left.
  fileprivate func renewSome() throws(DatabaseError) -> Int {
    // Two who do it at once take turns.
    try execute("UPDATE catalog_pulse SET renewing = renewing")
    let standing = try indexStanding()
    guard !standing.stale.isEmpty else { return 0 }
    let start = standing.aim == IndexStanding.ownAim ? standing.reached : 0
    guard let last = try renew(standing.stale, after: start) else {
      try noteRenewed()
      return 0
    }
    try execute(
      "UPDATE catalog_pulse SET renewing = \(IndexStanding.ownAim), renewed_to = \(last)")
    let left: Int = try value("SELECT count(*) FROM catalog_edition WHERE id > \(last)")
    if left == 0 { try noteRenewed() }
    return left
  }

  private func noteRenewed() throws(DatabaseError) {
    try execute(
      """
      UPDATE catalog_pulse SET described_by = \(Genre.revision),
        indexed_by = \(IndexedWords.revision), renewing = 0, renewed_to = 0
      """)
  }

  /// Makes these layers anew for some editions after this one. Returns the last of them; nil at the
  /// end.
  func renew(_ layers: IndexLayers, after edition: Int64) throws(DatabaseError) -> Int64? {
    let rows = try rows(
      """
      SELECT e.id, e.place, e.state, e.library, e.provider, e.item, r.content
      FROM catalog_edition e JOIN catalog_record r ON r.edition = e.id
      WHERE e.id > \(edition) ORDER BY e.id LIMIT \(Intake.batch)
      """
    ) { row throws(DatabaseError) in
      let provider: String = try row[4]
      return Indexed(
        number: try row[0], place: try row[1], state: try row[2], library: try row[3],
        provider: ProviderID(provider),
        edition: EditionRecord.edition(ItemID(try row[5]), from: try row[6]))
    }
    if layers.contains(.faces) {
      try keepFaces(rows.map { (edition: $0.number, face: Face($0.edition)) }, arrived: nil)
    }
    if layers.contains(.words) { try renewWords(of: rows) }
    return rows.last?.number
  }

  private struct Indexed {
    let number: Int64
    let place: Int64
    let state: EditionState
    let library: Int64
    let provider: ProviderID
    let edition: Edition
  }

  private func renewWords(of rows: [Indexed]) throws(DatabaseError) {
    try forget(places: rows.map(\.place))
    var words: [(place: Int64, words: IndexedWords)] = []
    for row in rows {
      let place = Place.of(row.edition, number: row.number)
      if place != row.place {
        try execute("UPDATE catalog_edition SET place = \(place) WHERE id = \(row.number)")
      }
      guard row.state != .gone else { continue }
      words.append((place, IndexedWords(row.edition, at: row.library, from: row.provider)))
    }
    try keepWords(words)
  }
}
