package import Circulation
package import Database

/// How a reader likes pages to be: names with a value each, as lines. Every reading program knows its
/// own names and leaves the others alone, so that one record serves the terminal and the web.
package struct ReadingTaste: Sendable, Hashable {
  private var lines: [(name: String, value: String)] = []

  private static let most = 64
  private static let longest = 200

  package init() {}

  package init(text: String) {
    for line in text.split(separator: "\n") {
      let name = line.prefix { $0 != " " }
      self[String(name)] = String(line.dropFirst(name.count + 1))
    }
  }

  package var text: String { lines.map { "\($0.name) \($0.value)\n" }.joined() }

  /// Nothing is kept that is no single short line.
  package subscript(name: String) -> String? {
    get { lines.first { $0.name == name }?.value }
    set {
      lines.removeAll { $0.name == name }
      guard let newValue, lines.count < Self.most, !name.isEmpty,
        name.utf8.count + newValue.utf8.count <= Self.longest, !name.contains(" "),
        !(name + newValue).unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control
        })
      else { return }
      lines.append((name, newValue))
    }
  }

  /// With what another program says of the names that it knows.
  package func saying(_ other: ReadingTaste) -> ReadingTaste {
    other.lines.reduce(into: self) { taste, line in taste[line.name] = line.value }
  }

  package static func == (one: ReadingTaste, other: ReadingTaste) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The taste of each reader, kept with all else of theirs: the same at every device.
package struct Tastes: Sendable {
  private let store: Store
  private let now: @Sendable () -> Int64

  package init(store: Store, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  package static var migrations: MigrationList {
    MigrationList(
      "reading-taste",
      [
        Migration(
          "tastes",
          [
            """
            CREATE TABLE reading_taste (
              patron \(.text) PRIMARY KEY,
              lines \(.text) NOT NULL,
              changed_at \(.integer) NOT NULL)\(.strictTable)
            """
          ])
      ])
  }

  package func taste(of patron: PatronID) async throws(DatabaseError) -> ReadingTaste {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.taste(of: patron) }
  }

  /// Says it of the names that are given; the others stay as they are.
  package func keep(_ taste: ReadingTaste, of patron: PatronID) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      let whole = try tx.taste(of: patron).saying(taste).text
      _ = try tx.execute(
        """
        INSERT INTO reading_taste (patron, lines, changed_at)
        VALUES (\(patron.rawValue), \(whole), \(now))
        ON CONFLICT (patron) DO UPDATE SET lines = excluded.lines,
          changed_at = excluded.changed_at
        """)
    }
  }
}

extension Snapshot {
  fileprivate func taste(of patron: PatronID) throws(DatabaseError) -> ReadingTaste {
    let lines = try first("SELECT lines FROM reading_taste WHERE patron = \(patron.rawValue)") {
      row throws(DatabaseError) -> String in try row[0]
    }
    return ReadingTaste(text: lines ?? "")
  }
}
