package import Database
import Shelving
import Synchronization

/// Keeps the shelf list of one catalog up to date, for as long as the program runs.
final class ShelfKeeper: Sendable {
  private let list = Mutex(ShelfList())
  private let described = Mutex(false)
  private let isReadingOn = Mutex(false)

  /// Changes that a page waits for. What else changed, as by a harvest of a large catalog, is read
  /// aside, and the page is made of what was read before.
  private let most: Int

  init(most: Int = 3_000) { self.most = most }

  /// Whether every edition is known to have a face of this program's making.
  var areDescribed: Bool { described.withLock { $0 } }
  func noteDescribed() { described.withLock { $0 = true } }

  /// The list as the snapshot has it, but for what is read aside, with these orders made. Others who
  /// want it meanwhile wait: they would have to read the same.
  func current(
    in snapshot: Snapshot, ordered orders: [LaneOrder]
  ) throws(DatabaseError) -> ShelfList {
    try list.withLock { list throws(DatabaseError) in
      try list.refresh(in: snapshot, most: most)
      for order in orders { list.prepare(order) }
      return list
    }
  }

  // MARK: - Aside

  /// Whether somebody has to read on; true for one of those who ask, until `endReadingOn`.
  func beginReadingOn() -> Bool {
    guard list.withLock({ $0.isBehind || $0.isMostlyGone }) else { return false }
    return isReadingOn.withLock { was in
      defer { was = true }
      return !was
    }
  }

  func endReadingOn() { isReadingOn.withLock { $0 = false } }

  /// One step; false when there is no more to read.
  func readOn(in snapshot: Snapshot) throws(DatabaseError) -> Bool {
    if list.withLock({ $0.isMostlyGone }) {
      // Beside the list that is shown meanwhile.
      var fresh = ShelfList()
      try fresh.refresh(in: snapshot, most: most)
      for order in LaneOrder.allCases { fresh.prepare(order) }
      let renewed = fresh
      list.withLock { list in
        if renewed.stamp >= list.stamp { list = renewed.succeeding(list) }
      }
    }
    return try list.withLock { list throws(DatabaseError) in
      if list.isBehind { try list.refresh(in: snapshot, most: most) }
      return list.isBehind
    }
  }
}

extension Catalog {
  /// Reads what a page did not wait for, in steps that leave time for the pages of others.
  func readShelvesAside() {
    guard shelves.beginReadingOn() else { return }
    Task {
      defer { shelves.endReadingOn() }
      do throws(DatabaseError) {
        while try await readOn() {}
      } catch {
        // The next page finds out what is wrong with the database.
      }
    }
  }

  /// All that a page does not wait for.
  package func readAllShelves() async throws(DatabaseError) {
    while try await readOn() {}
  }

  private func readOn() async throws(DatabaseError) -> Bool {
    try await yielding { () throws(DatabaseError) in
      try await store.readAside { snapshot throws(DatabaseError) in
        try shelves.readOn(in: snapshot)
      }
    }
  }
}

extension ShelfList {
  /// Reads what has changed, `most` rows of it; all in an empty list.
  fileprivate mutating func refresh(in snapshot: Snapshot, most: Int) throws(DatabaseError) {
    let (now, purged) = try snapshot.pulse()
    if pass == nil, snapshot.dialect == .sqlite, now == stamp { return }
    // A snapshot that is older than the list, because another reader was quicker: the list knows
    // more, and nothing of it is taken back.
    if now < pass?.until ?? stamp { return }
    // What left the search and was deleted since can no longer be read.
    if stamp > 0, snapshot.dialect == .sqlite ? purged > stamp : purged >= stamp {
      self = ShelfList().succeeding(self)
    }
    var pass =
      self.pass ?? Pass(until: now, stamp: stamp, edition: snapshot.dialect == .sqlite ? .max : 0)
    try nameLibraries(in: snapshot)
    let isWhole = stamp == 0
    let part: SQL =
      isWhole
      ? "ORDER BY f.edition"
      : """
      WHERE (f.stamp, f.edition) > (\(pass.stamp), \(pass.edition))
      ORDER BY f.stamp, f.edition LIMIT \(most)
      """
    var count = 0
    try snapshot.forEach(
      """
      SELECT f.edition, e.work, e.place, e.state, e.library, e.provider, a.status, f.title,
        f.author, f.series, f.added, f.published, f.marks, f.stamp
      FROM catalog_face f JOIN catalog_edition e ON e.id = f.edition
      LEFT JOIN catalog_availability a ON a.library = e.library AND a.item = e.item
      \(part)
      """
    ) { row throws(DatabaseError) in
      count += 1
      (pass.stamp, pass.edition) = (try row.number(13), try row.number(0))
      take(
        Volume(
          edition: try row.number(0), work: try row.number(1), liking: try row.number(2),
          title: try row.text(7), author: try row.text(8), series: try row.text(9),
          added: try row.numberIfAny(10), published: try row.numberIfAny(11),
          marks: try Self.marks(row)))
      return .next
    }
    if isWhole || count < most {
      (stamp, self.pass) = (pass.until, nil)
    } else {
      self.pass = pass
    }
  }

  /// Their names never change.
  private mutating func nameLibraries(in snapshot: Snapshot) throws(DatabaseError) {
    // Numbers that are drawn at the same time may be committed in another order.
    let known = (libraryNames.keys.max() ?? 0) - 200
    name(
      try snapshot.rows("SELECT id, name FROM catalog_library WHERE id > \(known)") {
        row throws(DatabaseError) in (try row[0], try row[1])
      })
  }

  private static func marks(_ row: borrowing Row) throws(DatabaseError) -> Volume.Marks? {
    guard try row.number(3) != Int64(EditionState.gone.rawValue) else { return nil }
    let standing: String? =
      switch try row.value(at: 6) {
      case .text("available"), .text("open_access"): ShelfMark.now
      case .text("queued"): ShelfMark.queued
      default: nil
      }
    return Volume.Marks(
      face: try row.text(12), library: try row.number(4), provider: try row.text(5),
      standing: standing)
  }
}

/// A million rows are read here at once, and asking for a column by its type looks the type up each
/// time.
extension Row {
  fileprivate func number(_ index: Int) throws(DatabaseError) -> Int64 {
    if case .integer(let number) = try value(at: index) { return number }
    return try self[index]
  }

  fileprivate func numberIfAny(_ index: Int) throws(DatabaseError) -> Int64? {
    if case .null = try value(at: index) { return nil }
    return try number(index)
  }

  fileprivate func text(_ index: Int) throws(DatabaseError) -> String {
    if case .text(let text) = try value(at: index) { return text }
    return try self[index]
  }
}

/// Marks that are not of an edition itself but of where and whether it can be had.
enum ShelfMark {
  static let now = "snow"
  static let queued = "squeued"

  static func library(_ key: Int64) -> String { "L\(key)" }
  static func provider(_ name: String) -> String {
    "P" + name.map { $0 == " " ? "_" : String($0) }.joined()
  }
}

extension Snapshot {
  /// Up to where all changes of faces can be seen, and the last of those that were deleted.
  fileprivate func pulse() throws(DatabaseError) -> (now: Int64, purged: Int64) {
    // All that was written before the oldest transaction that still runs has been seen.
    try one(
      """
      SELECT \(.either(
        sqlite: "stamp", postgres: "txid_snapshot_xmin(txid_current_snapshot())")), purged_to
      FROM catalog_pulse
      """
    ) { row throws(DatabaseError) -> (now: Int64, purged: Int64) in (try row[0], try row[1]) }
  }
}
