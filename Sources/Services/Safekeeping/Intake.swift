import Database
import JSON

/// Lines on their way into tables. Readers, cards and lists that are here by their names keep the
/// numbers they have here, and what comes along follows them.
struct Intake {
  var tally: TakingIn.Tally
  private(set) var tookCatalogue = false
  private let tables: [TableShape]
  private let parts: [Takeout.Part]
  private let catalogue: Set<String>
  private var hasCatalogue: Bool?
  /// What a number of theirs is here, by the column that names it.
  private var numbers: [String: [String: String]] = [:]

  init(
    tally: TakingIn.Tally, tables: [TableShape], parts: [Takeout.Part], catalogue: Set<String>
  ) {
    (self.tally, self.tables, self.parts) = (tally, tables, parts)
    self.catalogue = catalogue
  }

  mutating func take(
    _ lines: [UInt8], of kind: String, in tx: Transaction
  ) throws(BackupError) {
    var place = 0
    while place < lines.count {
      let end = lines[place...].firstIndex(of: UInt8(ascii: "\n")) ?? lines.count
      let line = Array(lines[place..<end])
      place = end + 1
      guard let json = try? JSONValue(parsing: line), let table = json["table"]?.string,
        let row = json["row"]?.object, let shape = tables.first(where: { $0.name == table }),
        let part = parts.first(where: { $0.table == table && $0.kind == kind })
      else { throw .damaged(member: "\(kind).jsonl") }
      let values = try values(row, shape, part, kind)
      try take(values, into: shape, kind, tx)
    }
  }

  private func values(
    _ row: JSONObject, _ shape: TableShape, _ part: Takeout.Part, _ kind: String
  ) throws(BackupError) -> [(column: String, value: Value)] {
    var values: [(column: String, value: Value)] = []
    for member in row.members where !part.leftOut.contains(member.name) {
      guard let column = shape.columns.first(where: { $0.name == member.name }),
        let value = RowLine.value(member.value, column.kind)
      else { throw .damaged(member: "\(kind).jsonl") }
      values.append((member.name, value))
    }
    return values
  }

  private mutating func take(
    _ values: [(column: String, value: Value)], into shape: TableShape, _ kind: String,
    _ tx: Transaction
  ) throws(BackupError) {
    if catalogue.contains(shape.name), try isThere(tx) {
      tally.unchanged += 1
      return
    }
    var values = translated(values)
    switch shape.name {
    case "patron":
      if try isKnown(values, "name", nil, as: "patron", tx) { return }
    case "account":
      if try isKnown(values, "folded_name", "patron", as: "account", tx) { return }
      // Its secrets stayed where it was.
      values = values.filter { $0.column != "status" } + [("status", .text("rejected"))]
    case "reading_list":
      if try isKnown(values, "folded_name", "patron", as: "list", tx) { return }
    default: break
    }
    let isNew = try reading { () throws(DatabaseError) in try tx.add(to: shape, values) }
    if isNew {
      tally.added[kind, default: 0] += 1
      if catalogue.contains(shape.name) { tookCatalogue = true }
    } else {
      tally.unchanged += 1
    }
  }

  private mutating func isThere(_ tx: Transaction) throws(BackupError) -> Bool {
    if let hasCatalogue { return hasCatalogue }
    let found = try reading { () throws(DatabaseError) in
      try tx.value("SELECT EXISTS (SELECT 1 FROM catalog_edition)", as: Bool.self)
    }
    hasCatalogue = found
    return found
  }

  private func translated(
    _ values: [(column: String, value: Value)]
  ) -> [(column: String, value: Value)] {
    values.map { column, value in
      guard case .text(let text) = value, let known = numbers[column]?[text] else {
        return (column, value)
      }
      return (column, .text(known))
    }
  }

  /// Whether one of that name is here; what names it by its number is told the number it has here.
  private mutating func isKnown(
    _ values: [(column: String, value: Value)], _ nameColumn: String, _ owner: String?,
    as reference: String, _ tx: Transaction
  ) throws(BackupError) -> Bool {
    func text(_ column: String) -> String {
      guard case .text(let text)? = values.first(where: { $0.column == column })?.value else {
        return ""
      }
      return text
    }
    let (id, name, holder) = (text("id"), text(nameColumn), text(owner ?? ""))
    let query: SQL =
      switch reference {
      case "patron": "SELECT id FROM patron WHERE name = \(name)"
      case "account":
        "SELECT id FROM account WHERE folded_name = \(name) AND patron = \(holder)"
      default: "SELECT id FROM reading_list WHERE folded_name = \(name) AND patron = \(holder)"
      }
    let known = try reading { () throws(DatabaseError) in
      try tx.first(query) { row throws(DatabaseError) -> String in try row[0] }
    }
    guard let known else { return false }
    numbers[reference, default: [:]][id] = known
    tally.unchanged += 1
    return true
  }
}
