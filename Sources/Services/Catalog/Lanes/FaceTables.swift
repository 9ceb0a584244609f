import Circulation
import Database
import Shelving

extension Catalog {
  /// Beside every edition its face, and a stamp on each that moves on with every change, so that a
  /// shelf list in memory reads no more than what is new. The database keeps the stamps itself:
  /// whoever moves an edition to another work, or takes it away, need not think of shelf lists.
  static var faceTables: [SQL] {
    [
      """
      CREATE TABLE catalog_face (
        edition \(.integer) NOT NULL PRIMARY KEY REFERENCES catalog_edition (id),
        stamp \(.integer) NOT NULL, title TEXT NOT NULL, author TEXT NOT NULL,
        series TEXT NOT NULL, added \(.integer), published \(.integer),
        marks TEXT NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX catalog_face_stamp ON catalog_face (stamp)",
      // `described_by` is the revision of the table of genres that all faces were made with; below
      // zero while there is none.
      """
      CREATE TABLE catalog_pulse (
        stamp \(.integer) NOT NULL, described_by \(.integer) NOT NULL)\(.strictTable)
      """,
      """
      INSERT INTO catalog_pulse (stamp, described_by)
      SELECT 1, CASE WHEN EXISTS (SELECT 1 FROM catalog_edition) THEN 0 ELSE -1 END
      """,
    ] + triggers
  }

  /// By which rules the words were made, below zero while there are none; then, while they and the
  /// faces are made anew, by which rules, and for which editions that is done.
  static var renewingColumns: [SQL] {
    [
      "ALTER TABLE catalog_pulse ADD COLUMN indexed_by \(.integer) NOT NULL DEFAULT -1",
      "ALTER TABLE catalog_pulse ADD COLUMN renewing \(.integer) NOT NULL DEFAULT 0",
      "ALTER TABLE catalog_pulse ADD COLUMN renewed_to \(.integer) NOT NULL DEFAULT 0",
      """
      UPDATE catalog_pulse SET indexed_by = 0 WHERE EXISTS (SELECT 1 FROM catalog_edition)
      """,
    ]
  }

  /// Copies are as a rule told of before their edition is kept, and then no face changes.
  static var hushedTriggers: [SQL] {
    [
      .either(sqlite: "DROP TRIGGER catalog_availability_told", postgres: "SELECT 1"),
      .either(
        sqlite: """
          CREATE TRIGGER catalog_availability_told AFTER INSERT ON catalog_availability
          WHEN EXISTS (SELECT 1 FROM catalog_edition
            WHERE library = NEW.library AND item = NEW.item)
          BEGIN
            UPDATE catalog_pulse SET stamp = stamp + 1;
            UPDATE catalog_face SET stamp = (SELECT stamp FROM catalog_pulse)
            WHERE edition = (SELECT id FROM catalog_edition
              WHERE library = NEW.library AND item = NEW.item);
          END
          """,
        postgres: "SELECT 1"),
    ]
  }

  private static var triggers: [SQL] {
    [
      .either(
        sqlite: """
          CREATE TRIGGER catalog_edition_moved
          AFTER UPDATE OF work, state, place, provider ON catalog_edition
          WHEN OLD.work <> NEW.work OR OLD.state <> NEW.state OR OLD.place <> NEW.place
            OR OLD.provider <> NEW.provider
          BEGIN
            UPDATE catalog_pulse SET stamp = stamp + 1;
            UPDATE catalog_face SET stamp = (SELECT stamp FROM catalog_pulse)
            WHERE edition = NEW.id;
          END
          """,
        postgres: """
          CREATE FUNCTION catalog_edition_moved() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            UPDATE catalog_face SET stamp = txid_current() WHERE edition = NEW.id;
            RETURN NULL;
          END $$
          """),
      .either(
        sqlite: "SELECT 1",
        postgres: """
          CREATE TRIGGER catalog_edition_moved
          AFTER UPDATE OF work, state, place, provider ON catalog_edition FOR EACH ROW
          WHEN (OLD.work <> NEW.work OR OLD.state <> NEW.state OR OLD.place <> NEW.place
            OR OLD.provider <> NEW.provider)
          EXECUTE FUNCTION catalog_edition_moved()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER catalog_availability_told AFTER INSERT ON catalog_availability
          BEGIN
            UPDATE catalog_pulse SET stamp = stamp + 1;
            UPDATE catalog_face SET stamp = (SELECT stamp FROM catalog_pulse)
            WHERE edition = (SELECT id FROM catalog_edition
              WHERE library = NEW.library AND item = NEW.item);
          END
          """,
        postgres: """
          CREATE FUNCTION catalog_availability_told() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            UPDATE catalog_face SET stamp = txid_current()
            WHERE edition = (SELECT id FROM catalog_edition
              WHERE library = NEW.library AND item = NEW.item);
            RETURN NULL;
          END $$
          """),
      .either(
        sqlite: """
          CREATE TRIGGER catalog_availability_changed
          AFTER UPDATE OF status ON catalog_availability WHEN OLD.status <> NEW.status
          BEGIN
            UPDATE catalog_pulse SET stamp = stamp + 1;
            UPDATE catalog_face SET stamp = (SELECT stamp FROM catalog_pulse)
            WHERE edition = (SELECT id FROM catalog_edition
              WHERE library = NEW.library AND item = NEW.item);
          END
          """,
        postgres: """
          CREATE TRIGGER catalog_availability_told AFTER INSERT ON catalog_availability
          FOR EACH ROW EXECUTE FUNCTION catalog_availability_told()
          """),
      .either(
        sqlite: "SELECT 1",
        postgres: """
          CREATE TRIGGER catalog_availability_changed
          AFTER UPDATE OF status ON catalog_availability FOR EACH ROW
          WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION catalog_availability_told()
          """),
    ]
  }
}

extension Transaction {
  /// The faces of editions that are being indexed.
  func keepFaces(
    _ faces: [(edition: Int64, face: Face)], arrived: Int64?
  ) throws(DatabaseError) {
    guard !faces.isEmpty else { return }
    let numbers = faces.map(\.edition)
    let former = try rows(
      "SELECT edition, added FROM catalog_face WHERE edition \(.among(numbers))"
    ) { row throws(DatabaseError) in
      let (edition, added): (Int64, Int64?) = (try row[0], try row[1])
      return (edition, added)
    }
    let known = Dictionary(former, uniquingKeysWith: { $1 })
    if !known.isEmpty {
      try execute("DELETE FROM catalog_face WHERE edition \(.among(Array(known.keys)))")
    }
    let stamp = try nextStamp()
    try execute(
      "UPDATE catalog_pulse SET described_by = \(Genre.revision) WHERE described_by < 0")
    try insert(
      into: "catalog_face",
      columns: ["edition", "stamp", "title", "author", "series", "added", "published", "marks"],
      rows: faces
    ) { pair, row throws(DatabaseError) in
      let face = pair.face
      try row.append(pair.edition)
      try row.append(stamp)
      try row.append(face.title)
      try row.append(face.author)
      try row.append(face.series)
      // A day that was once told stays, where the library tells none itself.
      try row.append(face.added ?? known[pair.edition] ?? arrived)
      try row.append(face.published)
      try row.append(face.marks.joined(separator: " "))
    }
  }

  private func nextStamp() throws(DatabaseError) -> Int64 {
    switch dialect {
    case .sqlite: try value("UPDATE catalog_pulse SET stamp = stamp + 1 RETURNING stamp")
    case .postgres: try value("SELECT txid_current()")
    }
  }
}
