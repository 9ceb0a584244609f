/// One row of an answer, lent for the length of a closure: it cannot be kept, because its bytes belong
/// to the engine. Columns are asked for by position or by name and decoded by the type asked for:
/// `let title: String? = try row["title"]`.
package struct Row: ~Copyable {
  private let cells: any Cells

  init(_ cells: any Cells) {
    self.cells = cells
  }

  package var count: Int { cells.count }

  package subscript<V: Storable>(_ index: Int) -> V {
    get throws(DatabaseError) { try decode(index) }
  }

  package subscript<V: Storable>(_ name: String) -> V {
    get throws(DatabaseError) { try decode(try index(of: name)) }
  }

  /// Lends the bytes of a blob or of a text without copying them; NULL is lent as nil.
  package func withBytes<R, E: Error>(
    _ index: Int, _ body: (RawSpan?) throws(E) -> R
  ) throws(E) -> R {
    try cells.withBytes(at: index, body)
  }

  /// Whatever stands there, for whoever carries rows and knows none of them.
  package func value(at index: Int) throws(DatabaseError) -> Value {
    guard index >= 0, index < cells.count else {
      throw DatabaseError(.column(.missing("\(index)")))
    }
    return try cells.value(at: index)
  }

  package func index(of name: String) throws(DatabaseError) -> Int {
    guard let index = cells.index(of: name) else {
      throw DatabaseError(.column(.missing(name)))
    }
    return index
  }

  private func decode<V: Storable>(_ index: Int) throws(DatabaseError) -> V {
    guard index >= 0, index < cells.count else {
      throw DatabaseError(.column(.missing("\(index)")))
    }
    let value = try cells.value(at: index)
    if let restored = V.restored(from: value) { return restored }
    let name = cells.name(at: index)
    if case .null = value { throw DatabaseError(.column(.null(name))) }
    throw DatabaseError(.column(.mismatch(name, wanted: V.kind, found: value.kindName)))
  }
}

/// Where an engine keeps the row it stands on.
protocol Cells: AnyObject {
  var count: Int { get }
  func name(at index: Int) -> String
  func index(of name: String) -> Int?
  func value(at index: Int) throws(DatabaseError) -> Value
  func withBytes<R, E: Error>(at index: Int, _ body: (RawSpan?) throws(E) -> R) throws(E) -> R
}
