package import Circulation
package import Database

/// The last place of each device in each document of each reader, so that one device can go on where
/// another stopped, and none loses its own.
package struct Positions: Sendable {
  package struct Settings: Sendable {
    /// How many documents of one reader; the ones that were not opened for longest go first.
    package var mostDocuments = PatronLimits.standard.documents
    /// How many devices in one document.
    package var mostDevices = PatronLimits.standard.devicesOfDocument
    /// How many positions of one reader, of all devices in all documents.
    package var mostPositions = PatronLimits.standard.positions

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
    let (now, settings) = (now(), settings)
    let newer = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) -> Position? in
        if let kept = try tx.position(in: new.document, of: patron), isNewer(kept) { return kept }
        try tx.keep(new, of: patron, now: now, settings)
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
  /// The newest word of any device.
  fileprivate func position(
    in document: String, of patron: PatronID
  ) throws(DatabaseError) -> Position? {
    try positions(in: [document], of: patron).first
  }

  /// What each device said last, the newest first.
  func positions(
    in documents: [String], of patron: PatronID
  ) throws(DatabaseError) -> [Position] {
    try rows(
      """
      SELECT document, progress, place, device, device_id, title, at FROM reading_place
      WHERE patron = \(patron.rawValue) AND document IN (\(documents))
      ORDER BY at DESC, kept_at DESC, device_id
      """
    ) { row throws(DatabaseError) in
      Position(
        document: try row[0], progress: try row[1], place: try row[2], device: try row[3],
        deviceID: try row[4], title: try row[5], at: try row[6])
    }
  }
}

extension Transaction {
  func keep(
    _ position: Position, of patron: PatronID, now: Int64, _ settings: Positions.Settings
  ) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO reading_place
        (patron, document, device_id, device, progress, place, title, at, kept_at)
      VALUES (\(patron.rawValue), \(position.document), \(position.deviceID), \(position.device),
        \(position.progress), \(position.place), \(position.title), \(position.at), \(now))
      ON CONFLICT (patron, document, device_id) DO UPDATE SET progress = excluded.progress,
        place = excluded.place, device = excluded.device,
        title = COALESCE(excluded.title, reading_place.title), at = excluded.at,
        kept_at = excluded.kept_at
      """)
    try forgetDevices(in: position.document, of: patron, keeping: settings.mostDevices)
    try forgetOldest(of: patron, settings)
  }

  private func forgetDevices(
    in document: String, of patron: PatronID, keeping most: Int
  ) throws(DatabaseError) {
    try execute(
      """
      DELETE FROM reading_place WHERE patron = \(patron.rawValue) AND document = \(document)
        AND device_id NOT IN (
          SELECT device_id FROM reading_place
          WHERE patron = \(patron.rawValue) AND document = \(document)
          ORDER BY at DESC, kept_at DESC, device_id LIMIT \(most))
      """)
  }

  /// What KOReader sent for files goes before what was read here and what is known of works: a flood
  /// from one app must not push those out.
  private func forgetOldest(
    of patron: PatronID, _ settings: Positions.Settings
  ) throws(DatabaseError) {
    let isOwn: SQL = "CASE WHEN document LIKE 'koreader:%' THEN 0 ELSE 1 END"
    let documents = try value(
      "SELECT count(DISTINCT document) FROM reading_place WHERE patron = \(patron.rawValue)",
      as: Int.self)
    if documents > settings.mostDocuments {
      try execute(
        """
        DELETE FROM reading_place WHERE patron = \(patron.rawValue) AND document IN (
          SELECT document FROM reading_place WHERE patron = \(patron.rawValue)
          GROUP BY document ORDER BY \(isOwn), max(at), document
          LIMIT \(documents - settings.mostDocuments))
        """)
    }
    let all = try value(
      "SELECT count(*) FROM reading_place WHERE patron = \(patron.rawValue)", as: Int.self)
    guard all > settings.mostPositions else { return }
    try execute(
      """
      DELETE FROM reading_place
      WHERE patron = \(patron.rawValue) AND (document, device_id) IN (
        SELECT document, device_id FROM reading_place WHERE patron = \(patron.rawValue)
        ORDER BY \(isOwn), at, document, device_id LIMIT \(all - settings.mostPositions))
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
      Migration(
        "devices",
        [
          """
          CREATE TABLE reading_place (
            patron \(.text) NOT NULL, document \(.text) NOT NULL, device_id \(.text) NOT NULL,
            device \(.text) NOT NULL, progress \(.real) NOT NULL, place \(.text) NOT NULL,
            title \(.text), at \(.integer) NOT NULL, kept_at \(.integer) NOT NULL,
            PRIMARY KEY (patron, document, device_id)
          )\(.strictTable)
          """,
          """
          INSERT INTO reading_place
            (patron, document, device_id, device, progress, place, title, at, kept_at)
          SELECT patron, document, device_id, device, progress, place, title, at, at
          FROM reading_position
          """,
          "DROP TABLE reading_position",
        ]),
    ])
}
