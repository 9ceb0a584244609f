package import Circulation
package import Database

/// The length of a queue as it was told once.
package struct QueueReading: Sendable, Hashable {
  /// Seconds since 1970.
  package let second: Double
  package let holds: Int

  package init(second: Double, holds: Int) { (self.second, self.holds) = (second, holds) }
}

extension Catalog {
  /// What was heard of the queues of these items lately, the oldest first.
  package func queues(
    of items: [ItemName]
  ) async throws(DatabaseError) -> [ItemName: [QueueReading]] {
    let wanted = Dictionary(grouping: items.distinct, by: \.library)
    guard !wanted.isEmpty else { return [:] }
    return try await store.read { snapshot throws(DatabaseError) in
      var queues: [ItemName: [QueueReading]] = [:]
      for (library, names) in wanted {
        try snapshot.forEach(
          """
          SELECT m.item, m.as_of, m.holds FROM catalog_movement m
          JOIN catalog_library l ON l.id = m.library
          WHERE l.name = \(library) AND m.item IN (\(names.map(\.item))) ORDER BY m.as_of
          """
        ) { row throws(DatabaseError) in
          let (milliseconds, holds): (Int64, Int) = (try row[1], try row[2])
          queues[ItemName(library: library, item: try row[0]), default: []].append(
            QueueReading(second: Double(milliseconds) / 1000, holds: holds))
          return .next
        }
      }
      return queues
    }
  }
}

extension Transaction {
  /// Readings kept of an item, and how far apart they are at least: a month of a daily harvest, and
  /// no more of somebody who looks every minute.
  private static var mostReadings: Int { 30 }
  private static var readingSpan: Int64 { 20 * 3_600_000 }

  func watch(
    _ copies: Availability.Copies?, of item: ItemID, at library: Int64, asOf: Int64
  ) throws(DatabaseError) {
    guard let holds = copies?.holds, holds > 0 else { return }
    let last = try first(
      """
      SELECT MAX(as_of) FROM catalog_movement
      WHERE library = \(library) AND item = \(item.rawValue)
      """
    ) { row throws(DatabaseError) -> Int64? in try row[0] }
    if let last, let time = last, asOf < time + Self.readingSpan { return }
    try execute(
      """
      INSERT INTO catalog_movement (library, item, as_of, total, available, holds)
      VALUES (\(library), \(item.rawValue), \(asOf), \(copies?.total), \(copies?.available),
        \(holds))
      """)
    try execute(
      """
      DELETE FROM catalog_movement WHERE library = \(library) AND item = \(item.rawValue)
        AND as_of <= (SELECT as_of FROM catalog_movement
          WHERE library = \(library) AND item = \(item.rawValue)
          ORDER BY as_of DESC LIMIT 1 OFFSET \(Self.mostReadings))
      """)
  }
}
