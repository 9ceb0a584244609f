import Database
import Shelving
import Synchronization

/// Keeps the shelf list of one catalog up to date, for as long as the program runs.
final class ShelfKeeper: Sendable {
  private let list = Mutex(ShelfList())
  private let described = Mutex(false)

  /// Whether every edition is known to have a face of this program's making.
  var areDescribed: Bool { described.withLock { $0 } }
  func noteDescribed() { described.withLock { $0 = true } }

  /// The list as the snapshot has it, with these orders made. Others who want it meanwhile wait:
  /// they would have to read the same.
  func current(
    in snapshot: Snapshot, ordered orders: [LaneOrder]
  ) throws(DatabaseError) -> ShelfList {
    try list.withLock { list throws(DatabaseError) in
      try list.refresh(in: snapshot)
      for order in orders { list.prepare(order) }
      return list
    }
  }
}

extension ShelfList {
  fileprivate mutating func refresh(in snapshot: Snapshot) throws(DatabaseError) {
    let now: Int64
    switch snapshot.dialect {
    case .sqlite: now = try snapshot.value("SELECT stamp FROM catalog_pulse")
    // All that was written before the oldest transaction that still runs has been seen.
    case .postgres:
      now = try snapshot.value("SELECT txid_snapshot_xmin(txid_current_snapshot())")
    }
    if snapshot.dialect == .sqlite, now == stamp { return }
    // A snapshot that is older than the list, because another reader was quicker: the list knows
    // more, and nothing of it is taken back.
    if now < stamp { return }
    name(
      try snapshot.rows("SELECT id, name FROM catalog_library") { row throws(DatabaseError) in
        (try row[0], try row[1])
      })
    let since: SQL =
      snapshot.dialect == .sqlite ? "f.stamp > \(stamp)" : "f.stamp >= \(stamp)"
    // The sign keeps SQLite from walking along all editions, for the sake of their order, to find
    // the few that have changed.
    let order: SQL = stamp == 0 ? "f.edition" : .either(sqlite: "+f.edition", postgres: "f.edition")
    try snapshot.forEach(
      """
      SELECT f.edition, e.work, e.place, e.state, e.library, e.provider, a.status, f.title,
        f.author, f.series, f.added, f.published, f.marks
      FROM catalog_face f JOIN catalog_edition e ON e.id = f.edition
      LEFT JOIN catalog_availability a ON a.library = e.library AND a.item = e.item
      WHERE \(since) ORDER BY \(order)
      """
    ) { row throws(DatabaseError) in
      take(
        Volume(
          edition: try row.number(0), work: try row.number(1), liking: try row.number(2),
          title: try row.text(7), author: try row.text(8), series: try row.text(9),
          added: try row.numberIfAny(10), published: try row.numberIfAny(11),
          marks: try Self.marks(row)))
      return .next
    }
    stamp = now
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
