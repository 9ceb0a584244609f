import Circulation
import Database
import FoundationEssentials

extension Transaction {
  func note(
    _ answer: Availability, on item: ItemID, at library: Int64
  ) throws(DatabaseError) {
    guard item.rawValue.isStorable else { return }
    let copies = answer.copies
    try execute(
      """
      INSERT INTO catalog_availability
        (library, item, status, total, available, holds, as_of)
      VALUES (\(library), \(item.rawValue), \(answer.word), \(copies?.total),
        \(copies?.available), \(copies?.holds), \(answer.asOf.milliseconds))
      ON CONFLICT (library, item) DO UPDATE SET status = excluded.status,
        total = excluded.total, available = excluded.available, holds = excluded.holds,
        as_of = excluded.as_of
      WHERE excluded.as_of >= catalog_availability.as_of
      """)
    try watch(copies, of: item, at: library, asOf: answer.asOf.milliseconds)
  }
}

extension Availability {
  /// From six columns in the order of the table, from `first` on; nil where they are NULL.
  init?(_ row: borrowing Row, from first: Int) throws(DatabaseError) {
    guard let word: String = try row[first], let asOf: Int64 = try row[first + 4] else {
      return nil
    }
    let copies = Copies(
      total: try row[first + 1], available: try row[first + 2], holds: try row[first + 3])
    let status: Status =
      switch word {
      case "open_access": .openAccess
      case "available": .available(copies)
      case "queued": .queued(copies)
      case "unavailable": .unavailable(copies)
      default: .unknownToProvider
      }
    self.init(status, asOf: Date(timeIntervalSince1970: Double(asOf) / 1000))
  }

  /// What `canBeHadNow` says, for a statement.
  static let wordsOfNow = ["available", "open_access"]
}

extension Date {
  /// A date that no calendar reaches is as good as the beginning: anything is newer.
  fileprivate var milliseconds: Int64 {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0
  }
}
