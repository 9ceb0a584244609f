import Circulation
import Database
import FoundationEssentials

extension Transaction {
  /// Answers of a page, or of a question on many items. Most are the first ones on their items, and
  /// then need no looking for what they would replace.
  func note(_ answers: [(ItemID, Availability)], at library: Int64) throws(DatabaseError) {
    var rest = answers[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Intake.batch)
      rest = rest.dropFirst(Intake.batch)
      try note(batch: Array(batch), at: library)
    }
  }

  private func note(
    batch: [(ItemID, Availability)], at library: Int64
  ) throws(DatabaseError) {
    let items = batch.map(\.0.rawValue).filter(\.isStorable)
    let told = Set(
      try rows(
        """
        SELECT item FROM catalog_availability WHERE library = \(library) AND item \(.among(items))
        """
      ) { row throws(DatabaseError) -> String in try row[0] })
    var first: [ItemID: Availability] = [:]
    for (item, answer) in batch where item.rawValue.isStorable {
      let before = first.removeValue(forKey: item)
      if let before { try note(before, on: item, at: library) }
      if before != nil || told.contains(item.rawValue) || answer.copies != nil {
        try note(answer, on: item, at: library)
      } else {
        first[item] = answer
      }
    }
    try insert(
      into: "catalog_availability", columns: ["library", "item", "status", "as_of"],
      rows: first.sorted { $0.key < $1.key }
    ) { pair, row throws(DatabaseError) in
      try row.append(library)
      try row.append(pair.key.rawValue)
      try row.append(pair.value.word)
      try row.append(pair.value.asOf.millisecondsOrBeginning)
    }
  }

  private func note(
    _ answer: Availability, on item: ItemID, at library: Int64
  ) throws(DatabaseError) {
    guard item.rawValue.isStorable else { return }
    let copies = answer.copies
    try execute(
      """
      INSERT INTO catalog_availability
        (library, item, status, total, available, holds, as_of)
      VALUES (\(library), \(item.rawValue), \(answer.word), \(copies?.total),
        \(copies?.available), \(copies?.holds), \(answer.asOf.millisecondsOrBeginning))
      ON CONFLICT (library, item) DO UPDATE SET status = excluded.status,
        total = excluded.total, available = excluded.available, holds = excluded.holds,
        as_of = excluded.as_of
      WHERE excluded.as_of >= catalog_availability.as_of
      """)
    try watch(copies, of: item, at: library, asOf: answer.asOf.millisecondsOrBeginning)
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
    self.init(status, asOf: Date(milliseconds: asOf))
  }

  /// What `canBeHadNow` says, for a statement.
  static let wordsOfNow = ["available", "open_access"]
}

extension Date {
  /// A date that no calendar reaches is as good as the beginning: anything is newer.
  fileprivate var millisecondsOrBeginning: Int64 {
    Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0
  }
}
