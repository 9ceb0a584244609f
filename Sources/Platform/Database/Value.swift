import Glibc

/// What both engines can keep, and nothing else.
package enum Value: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  case boolean(Bool)

  /// Its type as a word, for errors: never its content.
  var kindName: String {
    switch self {
    case .null: "NULL"
    case .integer: Kind.integer.rawValue
    case .real: Kind.real.rawValue
    case .text: Kind.text.rawValue
    case .blob: Kind.blob.rawValue
    case .boolean: Kind.boolean.rawValue
    }
  }

  /// Refuses on both engines what one of them would refuse or quietly change: PostgreSQL has no
  /// zero byte in text, SQLite turns not-a-number into NULL.
  func checkStorable() throws(DatabaseError) {
    switch self {
    case .text(let text) where text.hasZeroByte:
      throw DatabaseError(.unstorable(.zeroByteInText))
    case .real(let number) where number.isNaN:
      throw DatabaseError(.unstorable(.notANumber))
    default: break
    }
  }
}

extension String {
  /// No database has such a text. Rows are many and texts are long: the C library looks fastest.
  package var hasZeroByte: Bool {
    unsafe utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memchr(start, 0, bytes.count) != nil
    } ?? utf8.contains(0)
  }
}

/// The type of a column or of a placeholder. A missing value has one too, so that the same statement
/// is prepared once whether its values are there or not.
package enum Kind: String, Sendable, Hashable {
  case integer, real, text, blob, boolean
}

/// A Swift type that can be bound to a statement and read from a row.
package protocol Storable: Sendable {
  static var kind: Kind { get }
  var stored: Value { get }
  /// Nil when the value is of another type; only optionals accept `.null`.
  static func restored(from value: Value) -> Self?
}

extension Int64: Storable {
  package static var kind: Kind { .integer }
  package var stored: Value { .integer(self) }

  package static func restored(from value: Value) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }
}

extension Int: Storable {
  package static var kind: Kind { .integer }
  package var stored: Value { .integer(Int64(self)) }

  package static func restored(from value: Value) -> Int? {
    Int64.restored(from: value).map { Int($0) }
  }
}

extension Double: Storable {
  package static var kind: Kind { .real }
  package var stored: Value { .real(self) }

  package static func restored(from value: Value) -> Double? {
    switch value {
    case .real(let number): number
    // A sum or an average may come as an integer from one engine and as a real from the other.
    case .integer(let number): Double(exactly: number)
    default: nil
    }
  }
}

extension Bool: Storable {
  package static var kind: Kind { .boolean }
  package var stored: Value { .boolean(self) }

  package static func restored(from value: Value) -> Bool? {
    switch value {
    case .boolean(let flag): flag
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }
}

extension String: Storable {
  package static var kind: Kind { .text }
  package var stored: Value { .text(self) }

  package static func restored(from value: Value) -> String? {
    guard case .text(let text) = value else { return nil }
    return text
  }
}

extension [UInt8]: Storable {
  package static var kind: Kind { .blob }
  package var stored: Value { .blob(self) }

  package static func restored(from value: Value) -> [UInt8]? {
    guard case .blob(let bytes) = value else { return nil }
    return bytes
  }
}

extension Optional: Storable where Wrapped: Storable {
  package static var kind: Kind { Wrapped.kind }
  package var stored: Value { self?.stored ?? .null }

  package static func restored(from value: Value) -> Wrapped?? {
    if case .null = value { return .some(nil) }
    return Wrapped.restored(from: value).map { .some($0) }
  }
}

/// A typed identifier or an enumeration becomes storable with an empty extension.
extension Storable where Self: RawRepresentable, RawValue: Storable {
  package static var kind: Kind { RawValue.kind }
  package var stored: Value { rawValue.stored }

  package static func restored(from value: Value) -> Self? {
    RawValue.restored(from: value).flatMap { Self(rawValue: $0) }
  }
}
