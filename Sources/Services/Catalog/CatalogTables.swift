package import Database

extension Catalog {
  package static let migrations = MigrationList(
    "catalog",
    [
      Migration("make-tables", libraryTables + editionTables + wordTables),
      Migration("gather-works", kinTables),
      Migration("make-faces", faceTables),
      Migration("renew-index", renewingColumns),
      // Slips are mended on both engines by the same walk, so nothing reads the trigrams any more,
      // and every harvest paid for them.
      Migration(
        "drop-trigrams",
        [.either(sqlite: SQLiteWords.nothing, postgres: PostgresWords.withoutTermIndex)]),
      Migration("hush-availability", hushedTriggers),
      Migration("tell-changes", changeColumns),
      Migration(
        "gather-words",
        SQLiteWords.tuning.map { .either(sqlite: $0, postgres: SQLiteWords.nothing) }),
      Migration("bound-named-catalogs", namedCatalogColumns),
    ])

  private static var libraryTables: [SQL] {
    [
      // `round` counts the harvests of the whole catalogue. `under_way` says whether the cursor is
      // the next page of a harvest, or, when it is NULL, where the next look for changes starts.
      """
      CREATE TABLE catalog_library (
        id \(.countedKey), name TEXT NOT NULL UNIQUE, round \(.integer) NOT NULL, under_way TEXT,
        cursor TEXT, listed \(.integer) NOT NULL, started \(.integer), ended \(.integer),
        completed \(.integer))\(.strictTable)
      """,
      // Rows are copied in by the hundred, so their numbers are drawn by the hundred.
      """
      CREATE TABLE catalog_counter (
        next_edition \(.integer) NOT NULL, next_work \(.integer) NOT NULL)\(.strictTable)
      """,
      "INSERT INTO catalog_counter (next_edition, next_work) VALUES (1, 1)",
    ]
  }

  private static var editionTables: [SQL] {
    [
      "CREATE TABLE catalog_work (id \(.integer) NOT NULL PRIMARY KEY)\(.strictTable)",
      // Narrow: a harvest that finds nothing new touches every row, and a filter reads many.
      """
      CREATE TABLE catalog_edition (
        id \(.integer) NOT NULL PRIMARY KEY,
        library \(.integer) NOT NULL REFERENCES catalog_library (id),
        item TEXT NOT NULL, provider TEXT NOT NULL,
        work \(.integer) NOT NULL REFERENCES catalog_work (id),
        place \(.integer) NOT NULL, state \(.integer) NOT NULL, seen \(.integer) NOT NULL,
        UNIQUE (library, item))\(.strictTable)
      """,
      "CREATE INDEX catalog_edition_work ON catalog_edition (work)",
      "CREATE INDEX catalog_edition_state ON catalog_edition (library, state)",
      """
      CREATE TABLE catalog_record (
        edition \(.integer) NOT NULL PRIMARY KEY REFERENCES catalog_edition (id),
        content TEXT NOT NULL)\(.strictTable)
      """,
      // By item and not by edition: copies may be told of before the title is.
      """
      CREATE TABLE catalog_availability (
        library \(.integer) NOT NULL REFERENCES catalog_library (id), item TEXT NOT NULL,
        status TEXT NOT NULL, total \(.integer), available \(.integer), holds \(.integer),
        as_of \(.integer) NOT NULL, PRIMARY KEY (library, item))\(.strictTable)
      """,
    ]
  }

  private static var wordTables: [SQL] {
    [
      .either(sqlite: SQLiteWords.table, postgres: PostgresWords.table),
      .either(sqlite: SQLiteWords.nothing, postgres: PostgresWords.index),
      // Every word of a title or a name, for guessing what a misspelt one was meant to be.
      """
      CREATE TABLE catalog_term (word TEXT\(.bytewise) NOT NULL PRIMARY KEY)\(.strictTable)
      """,
      .either(sqlite: SQLiteWords.nothing, postgres: PostgresWords.extension),
      .either(sqlite: SQLiteWords.nothing, postgres: PostgresWords.termIndex),
    ]
  }

  /// For catalogs that patrons named; and shelf lists read what changed in the order of its stamps,
  /// which the index of SQLite has as it is.
  private static var namedCatalogColumns: [SQL] {
    [
      "ALTER TABLE catalog_library ADD COLUMN room \(.integer)",
      "ALTER TABLE catalog_library ADD COLUMN cut_short \(.integer) NOT NULL DEFAULT 0",
      "ALTER TABLE catalog_pulse ADD COLUMN purged_to \(.integer) NOT NULL DEFAULT 0",
      .either(sqlite: "SELECT 1", postgres: "DROP INDEX catalog_face_stamp"),
      .either(
        sqlite: "SELECT 1",
        postgres: "CREATE INDEX catalog_face_stamp ON catalog_face (stamp, edition)"),
    ]
  }
}
