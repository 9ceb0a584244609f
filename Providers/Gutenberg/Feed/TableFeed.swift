import CSV

/// The table, some rows at a time.
actor TableFeed {
  struct Rows: Sendable, Hashable {
    var records: [Record] = []
    var warnings: [String] = []
    var offset = 0
    var isLast = false
  }

  private let beginning: CSVTable
  private var table: CSVTable
  private var offset = 0

  init(_ table: CSVTable) { (beginning, self.table) = (table, table) }

  func rows(from start: Int, atMost count: Int) -> Rows {
    if start < offset { (table, offset) = (beginning, 0) }
    while offset < start, step() != nil {}
    var rows = Rows()
    while rows.records.count + rows.warnings.count < count {
      guard let row = step() else {
        rows.isLast = true
        break
      }
      switch row {
      case .success(let row):
        if let record = TableReading.record(row) {
          rows.records.append(record)
        } else {
          rows.warnings.append("line \(row.line): no number of a book")
        }
      case .failure(let fault): rows.warnings.append("\(fault)")
      }
    }
    rows.offset = offset
    return rows
  }

  /// Bad rows cost only themselves.
  private func step() -> Result<CSVTable.Row, CSVError>? {
    do throws(CSVError) {
      guard let row = try table.next() else { return nil }
      offset += 1
      return .success(row)
    } catch {
      offset += 1
      return .failure(error)
    }
  }
}
