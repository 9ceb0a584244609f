import CSQLite

/// A prepared statement: finalized exactly once, reset after every use, its values forgotten then.
@safe final class SQLiteStatement {
  let text: String
  private let handle: OpaquePointer
  private var names: [String]?

  /// Nil for a text without a statement in it. `tail` tells how much of the text was left over.
  init?(_ text: String, on connection: OpaquePointer, kept: Bool, leaving tail: inout Substring)
    throws(DatabaseError)
  {
    var handle: OpaquePointer?
    var consumed = 0
    var copy = text
    let flags = kept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = copy.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        var end: UnsafePointer<CChar>?
        let code = unsafe sqlite3_prepare_v3(
          connection, characters.baseAddress, Int32(clamping: characters.count), flags, &handle,
          &end)
        if let end = unsafe end, let start = characters.baseAddress {
          consumed = unsafe end - start
        }
        return code
      }
    }
    guard code == SQLITE_OK else {
      throw unsafe DatabaseError(sqlite: connection, code, preparing: text)
    }
    tail = text[text.utf8.index(text.startIndex, offsetBy: consumed)...]
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
    self.text = text
  }

  deinit { unsafe sqlite3_finalize(handle) }

  var placeholders: Int { Int(unsafe sqlite3_bind_parameter_count(handle)) }

  func bind(_ value: Value, at index: Int) -> Int32 {
    let index = Int32(index + 1)
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
    case .boolean(let flag): return unsafe sqlite3_bind_int64(handle, index, flag ? 1 : 0)
    case .real(let number): return unsafe sqlite3_bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe carrel_sqlite_bind_text(
            handle, index, characters.baseAddress, sqlite3_uint64(characters.count))
        }
      }
    case .blob(let bytes):
      return unsafe bytes.withUnsafeBytes { bytes in
        unsafe carrel_sqlite_bind_blob(
          handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count))
      }
    }
  }

  func bind(text: Span<UInt8>, at index: Int) -> Int32 {
    unsafe text.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe carrel_sqlite_bind_text(
          handle, Int32(index + 1), characters.baseAddress, sqlite3_uint64(characters.count))
      }
    }
  }

  func step() -> Int32 { unsafe sqlite3_step(handle) }

  func rewind() { unsafe sqlite3_reset(handle) }

  /// Ready for the next use, holding nothing of the last one.
  func finish() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
    // `SELECT *` may have other columns next time.
    names = nil
  }
}

extension SQLiteStatement: Cells {
  var count: Int { Int(unsafe sqlite3_column_count(handle)) }

  func name(at index: Int) -> String {
    columnNames()[index]
  }

  func index(of name: String) -> Int? {
    columnNames().firstIndex(of: name)
  }

  func value(at index: Int) throws(DatabaseError) -> Value {
    let column = Int32(index)
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let bytes = unsafe UnsafeBufferPointer(
        start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column))
      )
      guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
        throw DatabaseError(.column(.notUTF8(name(at: index))))
      }
      return .text(text)
    case SQLITE_BLOB:
      let bytes = unsafe UnsafeRawBufferPointer(
        start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column))
      )
      return .blob(unsafe [UInt8](bytes))
    default: return .null
    }
  }

  func withBytes<R, E: Error>(at index: Int, _ body: (RawSpan?) throws(E) -> R) throws(E) -> R {
    let column = Int32(index)
    guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return try body(nil) }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    return try body(unsafe bytes.bytes)
  }

  private func columnNames() -> [String] {
    if let names { return names }
    let names = (0..<count).map { column in
      unsafe sqlite3_column_name(handle, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }
    self.names = names
    return names
  }
}
