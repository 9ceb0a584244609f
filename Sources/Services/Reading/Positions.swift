package import Circulation
package import Database

/// The last place in each document of each reader, so that one device goes on where another stopped.
package struct Positions: Sendable {
  package struct Settings: Sendable {
    /// How many documents of one reader; the ones that were not opened for longest go first.
    package var mostDocuments = 5_000

    package init() {}
  }

  let store: Store
  let settings: Settings
  let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(
    store: Store, settings: Settings = Settings(), now: @escaping @Sendable () -> Int64
  ) {
    (self.store, self.settings, self.now) = (store, settings, now)
  }

  package func position(
    in document: String, of patron: PatronID
  ) async throws(PositionError) -> Position? {
    guard !document.utf8.contains(0) else { throw .unsound }
    return try await database { () throws(DatabaseError) in
      try await store.read { snapshot throws(DatabaseError) in
        try snapshot.position(in: document, of: patron)
      }
    }
  }

  /// For apps that name no time of their own: what comes last holds.
  package func keep(
    _ position: Position, of patron: PatronID
  ) async throws(PositionError) -> Position {
    try await keep(position, of: patron, at: now()) { _ in false }
  }

  /// For apps that tell when they were there: an older word than the kept one is refused with that.
  package func keepNewer(
    _ position: Position, of patron: PatronID
  ) async throws(PositionError) -> Position {
    // A clock that is ahead must not win over every other device for as long as it is.
    let at = min(position.at, now())
    return try await keep(position, of: patron, at: at) { $0.at > at }
  }

  private func keep(
    _ position: Position, of patron: PatronID, at moment: Int64,
    unless isNewer: @escaping @Sendable (Position) -> Bool
  ) async throws(PositionError) -> Position {
    guard position.isSound else { throw .unsound }
    let new = Position(
      document: position.document, progress: position.progress, place: position.place,
      device: position.device, deviceID: position.deviceID, title: position.title, at: moment)
    let most = settings.mostDocuments
    let newer = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) -> Position? in
        if let kept = try tx.position(in: new.document, of: patron), isNewer(kept) { return kept }
        try tx.keep(new, of: patron)
        try tx.forgetOldest(of: patron, keeping: most)
        return nil
      }
    }
    if let newer { throw .older(than: newer) }
    return new
  }

  func database<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(PositionError) -> T {
    do throws(DatabaseError) { return try await body() } catch { throw .database(error) }
  }
}

extension Snapshot {
  fileprivate func position(
    in document: String, of patron: PatronID
  ) throws(DatabaseError) -> Position? {
    try first(
      """
      SELECT document, progress, place, device, device_id, title, at FROM reading_position
      WHERE patron = \(patron.rawValue) AND document = \(document)
      """
    ) { row throws(DatabaseError) in
      Position(
        document: try row[0], progress: try row[1], place: try row[2], device: try row[3],
        deviceID: try row[4], title: try row[5], at: try row[6])
    }
  }
}

extension Transaction {
  fileprivate func keep(_ position: Position, of patron: PatronID) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO reading_position
        (patron, document, progress, place, device, device_id, title, at)
      VALUES (\(patron.rawValue), \(position.document), \(position.progress), \(position.place),
        \(position.device), \(position.deviceID), \(position.title), \(position.at))
      ON CONFLICT (patron, document) DO UPDATE SET progress = excluded.progress,
        place = excluded.place, device = excluded.device, device_id = excluded.device_id,
        title = COALESCE(excluded.title, reading_position.title), at = excluded.at
      """)
  }

  fileprivate func forgetOldest(of patron: PatronID, keeping most: Int) throws(DatabaseError) {
    let count = try value(
      "SELECT count(*) FROM reading_position WHERE patron = \(patron.rawValue)", as: Int.self)
    guard count > most else { return }
    try execute(
      """
      DELETE FROM reading_position WHERE patron = \(patron.rawValue) AND document IN (
        SELECT document FROM reading_position WHERE patron = \(patron.rawValue)
        ORDER BY at, document LIMIT \(count - most))
      """)
  }
}

extension Positions {
  package static let migrations = MigrationList(
    "reading",
    [
      Migration(
        "positions",
        [
          """
          CREATE TABLE reading_position (
            patron \(.text) NOT NULL, document \(.text) NOT NULL, progress \(.real) NOT NULL,
            place \(.text) NOT NULL, device \(.text) NOT NULL, device_id \(.text) NOT NULL,
            title \(.text), at \(.integer) NOT NULL, PRIMARY KEY (patron, document)
          )\(.strictTable)
          """
        ]),
      Annotations.tables,
      Migration(
        "documents",
        [
          """
          CREATE TABLE reading_document (
            patron \(.text) NOT NULL, digest \(.text) NOT NULL, work \(.text) NOT NULL,
            noted_at \(.integer) NOT NULL, PRIMARY KEY (patron, digest)
          )\(.strictTable)
          """
        ]),
      Tastes.tables,
    ])
}
