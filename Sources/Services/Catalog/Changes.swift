package import Circulation
package import Database

/// A work as it stands at some libraries: what was made from one version need not be made again.
package struct WorkVersion: Sendable, Hashable {
  package let work: WorkID
  /// Of everything that is known of its editions there.
  package let version: UInt64
  /// When something that readers would notice changed last, in milliseconds since 1970.
  package let changed: Int64
}

extension Catalog {
  static var changeColumns: [SQL] {
    [
      "ALTER TABLE catalog_edition ADD COLUMN changed \(.integer) NOT NULL DEFAULT 0",
      """
      UPDATE catalog_edition SET changed = COALESCE(
        (SELECT l.started FROM catalog_library l WHERE l.id = catalog_edition.library), 0)
      """,
      "CREATE INDEX catalog_edition_changed ON catalog_edition (changed, id)",
      "ALTER TABLE catalog_pulse ADD COLUMN told \(.integer) NOT NULL DEFAULT 0",
    ] + changeTriggers
  }

  /// Counts of copies come and go all day; only whether one can be had is a change for readers.
  private static var changeTriggers: [SQL] {
    let told: SQL = """
      UPDATE catalog_edition
      SET changed = CASE WHEN changed < NEW.as_of THEN NEW.as_of ELSE changed + 1 END
      WHERE library = NEW.library AND item = NEW.item;
      """
    let open: SQL = .either(
      sqlite: "CREATE TRIGGER catalog_change_told AFTER INSERT ON catalog_availability BEGIN ",
      postgres: """
        CREATE FUNCTION catalog_change_told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        """)
    let close: SQL = .either(sqlite: " END", postgres: " RETURN NULL; END $$")
    return [
      "\(open) \(told)\(close)",
      .either(
        sqlite: "SELECT 1",
        postgres: """
          CREATE TRIGGER catalog_change_told AFTER INSERT ON catalog_availability
          FOR EACH ROW EXECUTE FUNCTION catalog_change_told()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER catalog_change_turned AFTER UPDATE OF status ON catalog_availability
          WHEN OLD.status <> NEW.status BEGIN
            UPDATE catalog_edition
            SET changed = CASE WHEN changed < NEW.as_of THEN NEW.as_of ELSE changed + 1 END
            WHERE library = NEW.library AND item = NEW.item;
          END
          """,
        postgres: """
          CREATE TRIGGER catalog_change_turned AFTER UPDATE OF status ON catalog_availability
          FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION catalog_change_told()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER catalog_counts_moved
          AFTER UPDATE OF total, available, holds ON catalog_availability
          WHEN OLD.total IS NOT NEW.total OR OLD.available IS NOT NEW.available
            OR OLD.holds IS NOT NEW.holds
          BEGIN UPDATE catalog_pulse SET told = told + 1; END
          """,
        postgres: "SELECT 1"),
      .either(
        sqlite: """
          CREATE TRIGGER catalog_record_told AFTER UPDATE ON catalog_record
          BEGIN UPDATE catalog_pulse SET told = told + 1; END
          """,
        postgres: "SELECT 1"),
    ]
  }
}

extension Catalog {
  /// A text that is another one after every change of what is here. On PostgreSQL also after changes
  /// of other things: what it costs to look again is little.
  package func pulse() async throws(DatabaseError) -> String {
    try await store.readAside { snapshot throws(DatabaseError) in
      switch snapshot.dialect {
      case .sqlite:
        try snapshot.one("SELECT stamp, told FROM catalog_pulse") { row throws(DatabaseError) in
          let (stamp, told): (Int64, Int64) = (try row[0], try row[1])
          return "\(stamp).\(told)"
        }
      case .postgres:
        try snapshot.value("SELECT CAST(txid_current_snapshot() AS TEXT)")
      }
    }
  }

  /// Works with their editions at these libraries, in the order given; what is not there any more is
  /// left out.
  package func entries(
    of works: [WorkID], at libraries: [LibraryID]
  ) async throws(DatabaseError) -> [CatalogEntry] {
    let numbers = works.compactMap(\.number)
    guard !numbers.isEmpty else { return [] }
    return try await store.readAside { snapshot throws(DatabaseError) in
      try snapshot.entries(of: numbers, at: try snapshot.libraryKeys(of: libraries))
    }
  }

  /// How works stand at these libraries, in the order given.
  package func versions(
    of works: [WorkID], at libraries: [LibraryID]
  ) async throws(DatabaseError) -> [WorkVersion] {
    let numbers = works.compactMap(\.number)
    return try await store.readAside { snapshot throws(DatabaseError) in
      try snapshot.versions(of: numbers, at: try snapshot.libraryKeys(of: libraries))
    }
  }

  /// When the newest of these libraries' harvests came to an end.
  package func lastHarvest(of libraries: [LibraryID]) async throws(DatabaseError) -> Int64? {
    let names = libraries.map(\.rawValue).filter(\.isStorable)
    return try await store.readAside { snapshot throws(DatabaseError) in
      try snapshot.value("SELECT max(ended) FROM catalog_library WHERE name IN (\(names))")
    }
  }

  /// All works, the one that changed last first, from behind a place on: for whoever reads the whole
  /// catalogue page by page, while it changes.
  package func changes(
    at libraries: [LibraryID], after place: ChangePlace?, limit: Int
  ) async throws(DatabaseError) -> ChangePage {
    try await store.readAside { snapshot throws(DatabaseError) in
      try snapshot.changes(
        at: try snapshot.libraryKeys(of: libraries), after: place, limit: limit)
    }
  }
}

/// Between two editions in the order of their changes.
package struct ChangePlace: Sendable, Hashable {
  package let changed: Int64
  package let edition: Int64

  package init(changed: Int64, edition: Int64) {
    (self.changed, self.edition) = (changed, edition)
  }
}

package struct ChangePage: Sendable, Hashable {
  package var versions: [WorkVersion] = []
  /// Nil at the end.
  package var next: ChangePlace?
}

extension Snapshot {
  fileprivate func changes(
    at libraries: [Int64], after place: ChangePlace?, limit: Int
  ) throws(DatabaseError) -> ChangePage {
    guard !libraries.isEmpty, limit > 0 else { return ChangePage() }
    let start = place ?? ChangePlace(changed: .max, edition: .max)
    var works: [Int64] = []
    var places: [ChangePlace] = []
    // A work stands where the last of its editions changed.
    try forEach(
      """
      SELECT e.work, e.changed, e.id FROM catalog_edition e
      WHERE (e.changed < \(start.changed)
          OR (e.changed = \(start.changed) AND e.id < \(start.edition)))
        AND e.library IN (\(libraries)) AND e.state <> \(EditionState.gone)
        AND NOT EXISTS (SELECT 1 FROM catalog_edition o
          WHERE o.work = e.work AND o.library IN (\(libraries))
            AND o.state <> \(EditionState.gone)
            AND (o.changed > e.changed OR (o.changed = e.changed AND o.id > e.id)))
      ORDER BY e.changed DESC, e.id DESC LIMIT \(limit + 1)
      """
    ) { row throws(DatabaseError) in
      works.append(try row[0])
      places.append(ChangePlace(changed: try row[1], edition: try row[2]))
      return .next
    }
    var page = ChangePage()
    if works.count > limit { page.next = places[limit - 1] }
    page.versions = try versions(of: Array(works.prefix(limit)), at: libraries)
    return page
  }

  /// In the order given, without opening a record.
  func versions(
    of works: [Int64], at libraries: [Int64]
  ) throws(DatabaseError) -> [WorkVersion] {
    guard !works.isEmpty else { return [] }
    var sums: [Int64: (sum: Sum, changed: Int64)] = [:]
    try forEach(
      """
      SELECT e.work, e.id, e.changed, e.place, e.library, a.status, a.total, a.available, a.holds
      FROM catalog_edition e
      LEFT JOIN catalog_availability a ON a.library = e.library AND a.item = e.item
      WHERE e.work IN (\(works)) AND +e.library IN (\(libraries))
        AND e.state <> \(EditionState.gone)
      ORDER BY e.id
      """
    ) { row throws(DatabaseError) in
      let (work, changed): (Int64, Int64) = (try row[0], try row[2])
      var known = sums[work] ?? (Sum(), 0)
      known.sum.add(try row[1])
      known.sum.add(changed)
      known.sum.add(try row[3])
      known.sum.add(try row[4])
      let status: String? = try row[5]
      for byte in (status ?? "").utf8 { known.sum.add(Int64(byte)) }
      for column in 6...8 {
        let count: Int64? = try row[column]
        known.sum.add(count ?? -1)
      }
      known.changed = max(known.changed, changed)
      sums[work] = known
      return .next
    }
    return works.compactMap { work in
      sums[work].map {
        WorkVersion(work: WorkID(number: work), version: $0.sum.value, changed: $0.changed)
      }
    }
  }
}

/// FNV-1a over numbers: the same in every process.
private struct Sum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ number: Int64) {
    var rest = UInt64(bitPattern: number)
    for _ in 0..<8 {
      value = (value ^ (rest & 0xFF)) &* 0x100_0000_01B3
      rest >>= 8
    }
  }
}
