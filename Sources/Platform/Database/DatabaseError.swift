/// Everything a database can do to its caller, closed so that a new reason must be answered before
/// the program compiles. It keeps the engine's own code for the log and the SQL text with its
/// placeholders; it has no room for a bound value, a row's content or a password.
package struct DatabaseError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Another process holds the lock, or the server has no room, for longer than our patience.
    case busy
    /// Concurrent transactions kept colliding; every retry was used up.
    case conflict
    case constraint(Constraint, name: String?)
    /// The connection broke, and nothing of this call has been kept.
    case connectionLost
    /// No connection could be made.
    case unreachable
    /// The connection broke while a commit was under way: the work may or may not be kept.
    case outcomeUnknown
    case corrupt
    case full
    case readOnly
    case denied
    /// The file system or the server failed while reading or writing.
    case inputOutput
    case migration(MigrationFault)
    /// The statement itself is wrong for this engine, or names what does not exist.
    case syntax
    /// The engine found a value out of range or of the wrong shape.
    case invalidValue
    /// A value that the common subset cannot keep, refused before it was sent.
    case unstorable(UnstorableValue)
    case column(ColumnFault)
    case rowCount(expected: Int, found: Int)
    /// An earlier statement of this transaction failed; only leaving it helps.
    case transactionFailed
    case badLocation(String)
    case unsupported(String)
    case misuse(String)
    case deadlineExceeded
    case cancelled
    case closed
    case other
  }

  package enum Constraint: String, Sendable, Hashable {
    case unique, foreignKey, notNull, check, dataType, trigger, other
  }

  package enum UnstorableValue: String, Sendable, Hashable {
    case zeroByteInText = "text with a zero byte"
    case notUTF8 = "text that is not UTF-8"
    case notANumber = "a real that is not a number"
    case tooManyBindings = "more bound values than the engine takes"
  }

  /// The engine's own word for the failure.
  package enum EngineCode: Sendable, Hashable {
    case sqlite(Int32)
    case sqlState(String)
  }

  package let reason: Reason
  package let code: EngineCode?
  /// The text of the statement, with `$1` where the values were.
  package let statement: String?
  /// The engine's sentence, kept only where it was said before any value had been sent.
  package let detail: String?

  init(
    _ reason: Reason, code: EngineCode? = nil, statement: String? = nil, detail: String? = nil
  ) {
    self.reason = reason
    self.code = code
    self.statement = statement
    self.detail = detail
  }

  /// The same failure, now knowing which statement it met.
  func during(_ statement: String) -> DatabaseError {
    DatabaseError(reason, code: code, statement: self.statement ?? statement, detail: detail)
  }
}

extension DatabaseError {
  /// A read column that is absent, empty, or of another type than asked for.
  package enum ColumnFault: Sendable, Hashable {
    case missing(String)
    case null(String)
    case mismatch(String, wanted: Kind, found: String)
    case notUTF8(String)
  }

  /// Why a list of migrations and a database do not belong together.
  package enum MigrationFault: Sendable, Hashable {
    /// The database is newer than the program: it records a migration this program lacks.
    case databaseIsNewer(service: String, migration: String)
    /// A migration that has been applied reads differently today.
    case changed(service: String, migration: String)
    /// A migration was put in front of one that has been applied already.
    case outOfOrder(service: String, migration: String)
    case badName(String)
    case repeated(String)
  }
}

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    var words = sentence
    if let code { words += " (\(code))" }
    if let detail { words += ": \(detail)" }
    if let statement { words += " in: \(statement)" }
    return words
  }

  private var sentence: String {
    switch reason {
    case .busy: "the database is busy"
    case .conflict: "concurrent transactions kept colliding"
    case .constraint(let kind, let name):
      "refused by a \(kind.rawValue) constraint" + (name.map { " (\($0))" } ?? "")
    case .connectionLost: "the connection to the database was lost"
    case .unreachable: "the database cannot be reached"
    case .outcomeUnknown: "the connection was lost during commit: the outcome is unknown"
    case .corrupt: "the database is corrupt"
    case .full: "the database has no space left"
    case .readOnly: "the database or the transaction is read-only"
    case .denied: "the database denied access"
    case .inputOutput: "the database could not read or write its files"
    case .migration(let fault): fault.sentence
    case .syntax: "the statement is not valid"
    case .invalidValue: "a value is out of range or malformed"
    case .unstorable(let what): "cannot store \(what.rawValue)"
    case .column(let fault): fault.sentence
    case .rowCount(let expected, let found): "expected \(expected) row(s), found \(found)"
    case .transactionFailed: "an earlier statement of this transaction failed"
    case .badLocation(let why): "not a database location: \(why)"
    case .unsupported(let what): "not supported by this engine: \(what)"
    case .misuse(let what): what
    case .deadlineExceeded: "the deadline passed"
    case .cancelled: "the call was cancelled"
    case .closed: "the database has been closed"
    case .other: "the database failed"
    }
  }
}

extension DatabaseError.EngineCode: CustomStringConvertible {
  package var description: String {
    switch self {
    case .sqlite(let code): "\(SQLiteCode.name(of: code)) \(code)"
    case .sqlState(let state): "SQLSTATE \(state)"
    }
  }
}

extension DatabaseError.ColumnFault {
  fileprivate var sentence: String {
    switch self {
    case .missing(let column): "there is no column \(column)"
    case .null(let column): "column \(column) is NULL"
    case .mismatch(let column, let wanted, let found):
      "column \(column) holds \(found), not \(wanted.rawValue)"
    case .notUTF8(let column): "column \(column) holds text that is not UTF-8"
    }
  }
}

extension DatabaseError.MigrationFault {
  fileprivate var sentence: String {
    switch self {
    case .databaseIsNewer(let service, let migration):
      "the database is newer than the program: it has migration \(service)/\(migration)"
    case .changed(let service, let migration):
      "migration \(service)/\(migration) has changed since it was applied"
    case .outOfOrder(let service, let migration):
      "migration \(service)/\(migration) stands before one that has already been applied"
    case .badName(let name): "\"\(name)\" is not a name of lower-case words joined by dashes"
    case .repeated(let name): "\"\(name)\" is listed twice"
    }
  }
}
