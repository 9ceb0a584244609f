package import Circulation
package import Database

/// What readers tell of themselves: a picture, the genres they like, and what they think of it all.
package struct Profiles: Sendable {
  let store: Store
  let now: @Sendable () -> Int64

  /// `now` is in milliseconds since 1970.
  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  // MARK: - Picture

  /// Wide and high, in pixels.
  package static let side = 256

  /// `picture` is a square JPEG, with nothing else of the file that was sent: no place, no camera, no day.
  package func keep(picture: [UInt8], of patron: PatronID) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      _ = try tx.execute(
        """
        INSERT INTO profile_picture (patron, jpeg, changed_at)
        VALUES (\(patron.rawValue), \(picture), \(now))
        ON CONFLICT (patron) DO UPDATE SET jpeg = excluded.jpeg, changed_at = excluded.changed_at
        """)
    }
  }

  package func dropPicture(of patron: PatronID) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      _ = try tx.execute("DELETE FROM profile_picture WHERE patron = \(patron.rawValue)")
    }
  }

  package func picture(of patron: PatronID) async throws(DatabaseError) -> [UInt8]? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first("SELECT jpeg FROM profile_picture WHERE patron = \(patron.rawValue)") {
        row throws(DatabaseError) -> [UInt8] in try row[0]
      }
    }
  }

  /// When it was changed last; nil where there is none.
  package func pictureChanged(of patron: PatronID) async throws(DatabaseError) -> Int64? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first(
        "SELECT changed_at FROM profile_picture WHERE patron = \(patron.rawValue)"
      ) { row throws(DatabaseError) -> Int64 in try row[0] }
    }
  }

  // MARK: - Genres

  /// In the order of their names.
  package func genres(of patron: PatronID) async throws(DatabaseError) -> [String] {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.genres(of: patron) }
  }

  /// These and no others.
  package func keep(genres: [String], of patron: PatronID) async throws(DatabaseError) {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute("DELETE FROM profile_genre WHERE patron = \(patron.rawValue)")
      for genre in Set(genres).sorted().prefix(Self.mostGenres) {
        try tx.execute(
          "INSERT INTO profile_genre (patron, genre) VALUES (\(patron.rawValue), \(genre))")
      }
    }
  }

  private static let mostGenres = 200

  package static var migrations: MigrationList {
    MigrationList(
      "profiles",
      [
        Migration(
          "profiles",
          [
            """
            CREATE TABLE profile_picture (
              patron \(.text) PRIMARY KEY,
              jpeg \(.blob) NOT NULL,
              changed_at \(.integer) NOT NULL)\(.strictTable)
            """,
            """
            CREATE TABLE profile_genre (
              patron \(.text) NOT NULL,
              genre \(.text) NOT NULL,
              PRIMARY KEY (patron, genre))\(.strictTable)
            """,
            """
            CREATE TABLE profile_feedback (
              number \(.countedKey),
              patron \(.text) NOT NULL,
              said \(.text) NOT NULL,
              answer_to \(.text),
              at \(.integer) NOT NULL,
              mailed \(.boolean) NOT NULL)\(.strictTable)
            """,
          ]),
        Migration(
          "tongues",
          [
            """
            CREATE TABLE profile_tongue (
              patron \(.text) PRIMARY KEY,
              tongue \(.text) NOT NULL)\(.strictTable)
            """
          ]),
      ])
  }
}

extension Snapshot {
  /// In the order of their names.
  package func genres(of patron: PatronID) throws(DatabaseError) -> [String] {
    try rows(
      "SELECT genre FROM profile_genre WHERE patron = \(patron.rawValue) ORDER BY genre\(.bytewise)"
    ) { row throws(DatabaseError) in try row[0] }
  }
}
