import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// Which rows lie where on a database of several machines: the schema, `admin plan` and the guide say
/// the same of every table.
@Suite(.timeLimit(.minutes(3))) struct `A database of several machines` {
  private static let guide = Result {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/scale.md"), encoding: .utf8)
    let start = try #require(text.range(of: "## Citus"))
    let end = try #require(text.range(of: "\n## ", range: start.upperBound..<text.endIndex))
    return String(text[start.upperBound..<end.lowerBound])
  }

  /// Each table's place as the guide tells it: "patron account", "everywhere", "one".
  private static func told() throws -> [String: String] {
    var told: [String: String] = [:]
    for line in try guide.get().split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 3)
      let place =
        switch cells[1] {
        case "parted": "patron " + cells[2].replacing("`", with: "")
        case "one machine": "one"
        default: "everywhere"
        }
      for name in names(in: cells[0]) {
        #expect(told.updateValue(place, forKey: name) == nil, "\(name) stands there twice")
      }
    }
    return told
  }

  private static func names(in text: String) -> [String] {
    text.matches(of: /`([a-z_]+)`/).map { String($0.1) }
  }

  private func planned(_ stage: Stage) async throws -> [String: String] {
    let plan = try await stage.json("admin", "plan")
    var planned: [String: String] = [:]
    for part in plan.item["tables"]?.array ?? [] {
      let place = try #require(part["place"]?.string)
      for table in part["of"]?.array ?? [] {
        let words = try #require(table.string).split(separator: ".").map(String.init)
        #expect((words.count == 2) == (place == "patron"), "\(words)")
        #expect(planned[words[0]] == nil, "\(words[0]) stands there twice")
        planned[words[0]] = ([place] + words.dropFirst()).joined(separator: " ")
      }
    }
    return planned
  }

  @Test func `A database of several machines has a place for every table, and the guide tells it`()
    async throws
  {
    try await Stage.play(.postgres) { stage in
      try await stage.json("list", "ls")
      let planned = try await planned(stage)
      let tables = Set(try await stage.tables())
      let (unnamed, unknown) = (
        tables.subtracting(planned.keys).sorted(), Set(planned.keys).subtracting(tables).sorted()
      )
      #expect(unnamed == [], "say in GrowthPlan and docs/scale.md where these lie")
      #expect(unknown == [])
      #expect(try Self.told() == planned)
      for (table, place) in planned.sorted(by: { $0.key < $1.key }) {
        guard let column = place.split(separator: " ").dropFirst().first else { continue }
        let found = try await stage.rows(
          """
          SELECT count(*) FROM information_schema.columns
          WHERE table_name = '\(table)' AND column_name = '\(column)'
          """)
        #expect(found == [["1"]], "\(table) has no column \(column)")
      }
    }
  }

  /// Citus takes no unique index without the column that a table is parted by.
  @Test func `the scaling guide names each unique index that lacks its table's partition column`()
    async throws
  {
    try await Stage.play(.postgres) { stage in
      try await stage.json("list", "ls")
      let planned = try await planned(stage)
      let indexes = try await stage.rows(
        """
        SELECT t.relname, string_agg(a.attname, ', ' ORDER BY k.place)
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
          JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
          CROSS JOIN unnest(i.indkey) WITH ORDINALITY k (number, place)
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
        WHERE i.indisunique GROUP BY i.indexrelid, t.relname ORDER BY 1, 2
        """)
      let without = indexes.filter { row in
        let words = (planned[row[0]] ?? "").split(separator: " ")
        guard words.first == "patron", let column = words.last else { return false }
        return !row[1].split(separator: ", ").contains(column)
      }.map { "`\($0[0])` (\($0[1]))" }
      let guide = try Self.guide.get().split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let told = guide.matches(of: /`[a-z_]+` \([a-z_, ]+\)/).map { String($0.0) }
      #expect(Set(without) == Set(told))
    }
  }
}
