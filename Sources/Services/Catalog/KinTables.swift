import Database

extension Catalog {
  /// Which editions are one work, by the matcher's word and by people's.
  static var kinTables: [SQL] {
    [
      // Where a work went whose editions are all somewhere else now.
      "ALTER TABLE catalog_work ADD COLUMN merged_into \(.integer)",
      // Editions that share a key are worth comparing. A key is a sum of its text: two texts with
      // the same sum cost one comparison.
      """
      CREATE TABLE catalog_key (
        key \(.integer) NOT NULL, edition \(.integer) NOT NULL, PRIMARY KEY (key, edition)
      )\(.strictRowless)
      """,
      // Each pair both ways round, so that one index leads from either side.
      """
      CREATE TABLE catalog_kin (
        one \(.integer) NOT NULL, two \(.integer) NOT NULL, score \(.real) NOT NULL,
        PRIMARY KEY (one, two))\(.strictRowless)
      """,
      // Which rules the keys and the kin were made by; 0 for none yet.
      "CREATE TABLE catalog_matching (version \(.integer) NOT NULL)\(.strictTable)",
      "INSERT INTO catalog_matching (version) VALUES (0)",
      // Editions that are yet to be matched, and how far that has come.
      """
      CREATE TABLE catalog_unmatched (
        edition \(.integer) NOT NULL PRIMARY KEY, stage \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX catalog_unmatched_stage ON catalog_unmatched (stage, edition)",
      // By the names that libraries give them, which outlive every row of ours.
      """
      CREATE TABLE catalog_ruling (
        id \(.countedKey), kind TEXT NOT NULL, made \(.integer) NOT NULL)\(.strictTable)
      """,
      """
      CREATE TABLE catalog_ruling_side (
        ruling \(.integer) NOT NULL REFERENCES catalog_ruling (id), side \(.integer) NOT NULL,
        library TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (ruling, library, item)
      )\(.strictTable)
      """,
      "CREATE INDEX catalog_ruling_side_item ON catalog_ruling_side (library, item)",
      // How queues moved: of each item the last few answers that differ.
      """
      CREATE TABLE catalog_movement (
        library \(.integer) NOT NULL REFERENCES catalog_library (id), item TEXT NOT NULL,
        as_of \(.integer) NOT NULL, total \(.integer), available \(.integer),
        holds \(.integer) NOT NULL, PRIMARY KEY (library, item, as_of))\(.strictTable)
      """,
    ]
  }
}

extension SQL {
  /// Ends the table of a narrow relation: its rows then live in the index alone.
  static var strictRowless: SQL { .either(sqlite: " STRICT, WITHOUT ROWID", postgres: "") }
}
