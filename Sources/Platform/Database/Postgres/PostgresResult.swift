import CPostgres

/// An answer of the server, freed exactly once, standing on one of its rows.
@safe final class PostgresResult {
  private let handle: OpaquePointer
  private var names: [String: Int]?
  var row = 0

  init(owning handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit { unsafe PQclear(handle) }

  var status: ExecStatusType { unsafe PQresultStatus(handle) }
  var rowCount: Int { Int(unsafe PQntuples(handle)) }
  var rowsChanged: Int { Int(unsafe String(cString: PQcmdTuples(handle))) ?? 0 }
  /// The command that was really executed: `COMMIT` of a failed transaction says `ROLLBACK`.
  var command: String { unsafe String(cString: PQcmdStatus(handle)) }

  /// One field of an error report, by its letter in the protocol.
  func report(_ field: Unicode.Scalar) -> String? {
    unsafe PQresultErrorField(handle, Int32(field.value)).map { unsafe String(cString: $0) }
  }

  /// Nil when the server did what it was asked.
  func failure(during text: String, quoting: Bool) -> DatabaseError? {
    switch status {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: break
    default: return nil
    }
    // libpq reports a broken connection without a state of its own.
    guard let state = report("C") else { return DatabaseError(.connectionLost, statement: text) }
    let column = report("c").map { column in (report("t").map { $0 + "." } ?? "") + column }
    return DatabaseError(
      SQLState.reason(for: state, name: report("n") ?? column), code: .sqlState(state),
      statement: text, detail: quoting ? report("M") : nil)
  }
}

/// The types whose binary form is read here. Others have to be cast to one of them in the statement.
private enum TypeID {
  static let boolean: Oid = 16
  static let bytes: Oid = 17
  static let integer8: Oid = 20
  static let integer2: Oid = 21
  static let integer4: Oid = 23
  static let real4: Oid = 700
  static let real8: Oid = 701
  static let numeric: Oid = 1700
  /// `text`, `varchar`, `char`, `name`, `json`, and what the server has not given a type.
  static let texts: Set<Oid> = [25, 1043, 1042, 19, 114, 705]
}

extension PostgresResult: Cells {
  var count: Int { Int(unsafe PQnfields(handle)) }

  func name(at index: Int) -> String {
    unsafe PQfname(handle, Int32(index)).map { unsafe String(cString: $0) } ?? ""
  }

  func index(of name: String) -> Int? {
    if let names { return names[name] }
    let pairs = (0..<count).map { (self.name(at: $0), $0) }
    let names = Dictionary(pairs) { first, _ in first }
    self.names = names
    return names[name]
  }

  func value(at index: Int) throws(DatabaseError) -> Value {
    let type = unsafe PQftype(handle, Int32(index))
    return try withBytes(at: index) { bytes throws(DatabaseError) in
      guard let bytes else { return .null }
      let value: Value? =
        switch type {
        case TypeID.boolean: bytes.byteCount == 1 ? .boolean(bytes.integer(1) != 0) : nil
        case TypeID.integer8, TypeID.integer4, TypeID.integer2:
          .integer(bytes.integer(bytes.byteCount))
        case TypeID.real8: .real(Double(bitPattern: UInt64(bitPattern: bytes.integer(8))))
        case TypeID.real4:
          .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.integer(4)))))
        case TypeID.numeric: PostgresNumeric(bytes)?.value
        case TypeID.bytes: .blob(bytes.copied)
        case _ where TypeID.texts.contains(type): bytes.text.map { .text($0) }
        default: nil
        }
      guard let value else {
        throw DatabaseError(
          .column(.mismatch(name(at: index), wanted: .text, found: "server type \(type)")))
      }
      return value
    }
  }

  func withBytes<R, E: Error>(at index: Int, _ body: (RawSpan?) throws(E) -> R) throws(E) -> R {
    let (row, column) = (Int32(row), Int32(index))
    guard unsafe PQgetisnull(handle, row, column) == 0 else { return try body(nil) }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    return try body(unsafe bytes.bytes)
  }
}

extension RawSpan {
  /// A signed number of up to eight bytes, most significant first. Shorter data reads as zero.
  func integer(_ width: Int, from start: Int = 0) -> Int64 {
    guard width > 0, width <= 8, start + width <= byteCount else { return 0 }
    var bits: UInt64 = 0
    for index in start..<(start + width) {
      bits = bits << 8 | UInt64(unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    let unused = 64 - 8 * width
    return Int64(bitPattern: bits << unused) >> unused
  }

  var copied: [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }

  var text: String? {
    unsafe withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
  }
}
