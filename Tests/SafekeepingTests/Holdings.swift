import Database
import Safekeeping
import Secrets
import StoreSupport
import TestSupport

/// A small house: a table of every kind, one that refers to it, and a trigger that would tell of
/// whatever is put back.
enum Holdings {
  static let migrations = MigrationList(
    "holdings",
    [
      Migration(
        "first",
        [
          """
          CREATE TABLE thing (
            id \(.countedKey), word \(.text), number \(.real), bytes \(.blob),
            flag \(.boolean) NOT NULL)\(.strictTable)
          """,
          """
          CREATE TABLE belonging (
            thing \(.integer) NOT NULL REFERENCES thing (id), label \(.text) NOT NULL,
            PRIMARY KEY (thing, label))\(.strictTable)
          """,
          "CREATE TABLE told (times \(.integer) NOT NULL)\(.strictTable)",
          "INSERT INTO told (times) VALUES (0)",
          .either(
            sqlite: """
              CREATE TRIGGER thing_told AFTER INSERT ON thing
              BEGIN UPDATE told SET times = times + 1; END
              """,
            postgres: """
              CREATE FUNCTION thing_told() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN UPDATE told SET times = times + 1; RETURN NULL; END $$
              """),
          .either(
            sqlite: "SELECT 1",
            postgres: """
              CREATE TRIGGER thing_told AFTER INSERT ON thing
              FOR EACH ROW EXECUTE FUNCTION thing_told()
              """),
        ])
    ])

  static let more = Migration(
    "second", ["ALTER TABLE thing ADD COLUMN note \(.text) NOT NULL DEFAULT 'none'"])

  static let scope = Safekeeping.Scope(migrations: [migrations], leftOut: []) {
    _ throws(DatabaseError) in
  }

  static let newer = Safekeeping.Scope(
    migrations: [MigrationList("holdings", migrations.migrations + [more])], leftOut: []
  ) { _ throws(DatabaseError) in }

  static func add(_ count: Int, to store: Store, from start: Int = 0) async throws {
    for number in start..<(start + count) {
      try await store.write { tx throws(DatabaseError) in
        let id: Int64 = try tx.value(
          """
          INSERT INTO thing (word, number, bytes, flag) VALUES (\(word(number)),
            \(number % 7 == 0 ? nil : Double(number) / 3), \([UInt8(number % 256), 0, 255]),
            \(number % 2 == 0)) RETURNING id
          """)
        try tx.execute("INSERT INTO belonging (thing, label) VALUES (\(id), \(word(number)))")
      }
    }
  }

  private static func word(_ number: Int) -> String { "wörd\t\"\(number)\"\n\\ 漢字 \u{1F600}" }

  /// All there is, as one text.
  static func told(_ store: Store) async throws -> [String] {
    try await store.read { tx throws(DatabaseError) in
      let things = try tx.rows("SELECT id, word, number, bytes, flag FROM thing ORDER BY id") {
        row throws(DatabaseError) -> String in
        let (id, word, number): (Int64, String?, Double?) = (try row[0], try row[1], try row[2])
        let (bytes, flag): ([UInt8]?, Bool) = (try row[3], try row[4])
        return "\(id) \(word ?? "-") \(number ?? -1) \(bytes ?? []) \(flag)"
      }
      let belongings = try tx.rows(
        "SELECT thing, label FROM belonging ORDER BY thing, label\(.bytewise)"
      ) { row throws(DatabaseError) -> String in
        let (thing, label): (Int64, String) = (try row[0], try row[1])
        return "\(thing) \(label)"
      }
      let times: Int64 = try tx.value("SELECT times FROM told")
      return things + belongings + ["told \(times)"]
    }
  }
}

extension Safekeeping {
  func copy(
    of store: Store, at path: String, passphrase: Secret? = nil, keys: [UInt8]? = nil,
    books: [KeptFile]? = nil
  ) async throws -> BackupManifest {
    let known: @Sendable (Snapshot) throws(BackupError) -> [UInt8]? = {
      _ throws(BackupError) in keys
    }
    var files: (@Sendable (Snapshot) throws(DatabaseError) -> [KeptFile])?
    if let books { files = { _ throws(DatabaseError) in books } }
    return try await backUp(
      store,
      BackupOrder(
        path: path, passphrase: passphrase, madeAt: "2026-11-22T16:00:00Z", madeBy: "test",
        keys: known, books: files))
  }

  func put(
    _ path: String, into store: Store, passphrase: Secret? = nil, _ manifest: BackupManifest? = nil
  ) async throws {
    let manifest = try manifest ?? Self.verify(path, passphrase: passphrase)
    try await fill(
      store, from: path, passphrase: passphrase, manifest, unlessHeld: 4711, at: 0
    ) { _, _ throws(DatabaseError) in }
  }
}
