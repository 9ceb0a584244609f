import Glibc

/// Where a database is: a file, or a server. A description never shows a password.
package enum Location: Sendable {
  case sqlite(path: String)
  case postgres(PostgresAddress)

  /// Takes a path, `sqlite:///path`, `sqlite:path`, or an address `postgres://…`, `postgresql://…` as
  /// libpq understands it (`postgresql:///name?host=/run/postgresql` for a Unix socket).
  package init(_ text: String) throws(DatabaseError) {
    guard !text.utf8.contains(0) else { throw DatabaseError(.badLocation("a zero byte")) }
    guard !text.isEmpty else { throw DatabaseError(.badLocation("nothing at all")) }
    switch Self.scheme(of: text) {
    case "postgres", "postgresql": self = .postgres(try PostgresAddress(text))
    case "sqlite": self = .sqlite(path: try Self.absolute(Self.sqlitePath(text.dropFirst(7))))
    case nil: self = .sqlite(path: try Self.absolute(text))
    default:
      throw DatabaseError(.badLocation("only sqlite: and postgresql: are known as schemes"))
    }
  }

  /// A path may hold a colon, so only what looks like an address is taken for one.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon].lowercased()
    guard !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let isAddress = text[colon...].hasPrefix("://") || scheme == "sqlite" || scheme == "file"
    return isAddress ? scheme : nil
  }

  private static func sqlitePath(_ rest: Substring) throws(DatabaseError) -> String {
    guard !rest.contains("?"), !rest.contains("#") else {
      throw DatabaseError(.badLocation("a SQLite address takes no parameters"))
    }
    if rest.hasPrefix("//") {
      guard rest.hasPrefix("///") else {
        throw DatabaseError(.badLocation("a SQLite address has no host: sqlite:///path"))
      }
      return try decoded(rest.dropFirst(2))
    }
    return try decoded(rest)
  }

  private static func decoded(_ text: Substring) throws(DatabaseError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst(),
        let high = Character(Unicode.Scalar(high)).hexDigitValue,
        let low = Character(Unicode.Scalar(low)).hexDigitValue, high + low > 0
      else { throw DatabaseError(.badLocation("a percent sign without two digits")) }
      bytes.append(UInt8(high * 16 + low))
    }
    guard let path = String(validating: bytes, as: UTF8.self) else {
      throw DatabaseError(.badLocation("a path that is not UTF-8"))
    }
    return path
  }

  /// Made absolute at once: the program may change its folder later, and SQLite reads meanings into
  /// some relative names.
  private static func absolute(_ path: String) throws(DatabaseError) -> String {
    guard !path.isEmpty, !path.hasSuffix("/"), !path.hasSuffix(":memory:") else {
      throw DatabaseError(.badLocation("a file is needed"))
    }
    guard !path.hasPrefix("/") else { return path }
    guard let folder = unsafe getcwd(nil, 0) else { throw DatabaseError(.badLocation("no folder")) }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }
}

extension Location: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .sqlite(let path): path
    case .postgres(let address): address.description
    }
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
