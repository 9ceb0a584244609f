import CSQLite

/// What SQLite's result codes mean to us.
enum SQLiteCode {
  static func name(of code: Int32) -> String {
    names[code] ?? names[code & 0xFF] ?? "SQLITE"
  }

  /// `message` is SQLite's sentence. It may quote a bound value (a full-text query, say), so only the
  /// names in it are ever taken over.
  static func reason(for code: Int32, message: String) -> DatabaseError.Reason {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_CONSTRAINT: .constraint(constraint(code), name: constraintName(in: message, code))
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_PERM, SQLITE_AUTH: .denied
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CANTOPEN: .unreachable
    case SQLITE_ERROR, SQLITE_RANGE: .syntax
    case SQLITE_MISMATCH, SQLITE_TOOBIG: .invalidValue
    case SQLITE_INTERRUPT: .cancelled
    // Another process has changed the tables meanwhile: the next attempt sees them.
    case SQLITE_SCHEMA: .conflict
    default: .other
    }
  }

  private static func constraint(_ code: Int32) -> DatabaseError.Constraint {
    switch code >> 8 {
    case 1: .check
    case 3: .foreignKey
    case 5: .notNull
    // A primary key and a row number are unique too, and PostgreSQL does not tell them apart.
    case 6, 8, 10: .unique
    case 7: .trigger
    case 12: .dataType
    default: .other
    }
  }

  /// "UNIQUE constraint failed: loan.patron, loan.title" and "cannot store TEXT value in INTEGER column
  /// loan.since" end with names that stand in the schema.
  private static func constraintName(in message: String, _ code: Int32) -> String? {
    let marker =
      switch code >> 8 {
      case 1, 5, 6, 8, 10: "constraint failed: "
      case 12: " column "
      default: ""
      }
    guard !marker.isEmpty, let found = message.firstRange(of: marker) else { return nil }
    return String(message[found.upperBound...])
  }
}
