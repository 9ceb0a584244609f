/// One row on its way into a table: values are appended in the order of the columns.
package struct RowWriter: ~Copyable {
  private let sink: any RowSink
  private(set) var count = 0
  let expected: Int

  init(_ sink: any RowSink, expecting expected: Int) {
    self.sink = sink
    self.expected = expected
  }

  package mutating func append<V: Storable>(_ value: V) throws(DatabaseError) {
    try append(value: value.stored)
  }

  package mutating func append(value: Value) throws(DatabaseError) {
    try value.checkStorable()
    try checkRoom()
    try sink.put(value, at: count)
    count += 1
  }

  /// A text whose bytes lie elsewhere, without making a string of it first.
  package mutating func append(utf8 bytes: Span<UInt8>) throws(DatabaseError) {
    try checkRoom()
    for index in bytes.indices where bytes[index] == 0 {
      throw DatabaseError(.unstorable(.zeroByteInText))
    }
    guard (try? UTF8Span(validating: bytes)) != nil else {
      throw DatabaseError(.unstorable(.notUTF8))
    }
    try sink.put(text: bytes, at: count)
    count += 1
  }

  mutating func finish() throws(DatabaseError) {
    guard count == expected else {
      throw DatabaseError(.misuse("a row of \(count) values for \(expected) columns"))
    }
    count = 0
  }

  private func checkRoom() throws(DatabaseError) {
    guard count < expected else {
      throw DatabaseError(.misuse("more values in a row than its \(expected) columns"))
    }
  }
}

/// Where an engine takes the values of a row.
protocol RowSink: AnyObject {
  func put(_ value: Value, at index: Int) throws(DatabaseError)
  func put(text: Span<UInt8>, at index: Int) throws(DatabaseError)
}
