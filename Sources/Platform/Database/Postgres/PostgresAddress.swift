import CPostgres

/// The parts of a server's address. The password is among them and shows in no description.
package struct PostgresAddress: Sendable {
  let parameters: [String: String]

  init(_ address: String) throws(DatabaseError) {
    try Self.checkCredentials(in: address)
    // libpq's own words about a malformed address quote it, password and all: they are dropped.
    var message: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(address, &message)
    unsafe PQfreemem(message)
    guard let options = unsafe options else {
      throw DatabaseError(.badLocation("a malformed postgresql: address"))
    }
    defer { unsafe PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe parameters[String(cString: keyword)] = String(cString: value)
      }
      unsafe option += 1
    }
    self.parameters = parameters
  }

  /// libpq cuts an address at the first `@` and `/`. A password that holds one of them in the raw would
  /// become a host name, and host names are shown in errors.
  private static func checkCredentials(in address: String) throws(DatabaseError) {
    guard let start = address.firstRange(of: "://")?.upperBound else { return }
    let rest = address[start...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let beyond = rest.dropFirst(authority.count).prefix { $0 != "?" }
    guard authority.count(where: { $0 == "@" }) <= 1, !beyond.contains("@"),
      authority.contains("@") || !rest.contains("@")
    else {
      throw DatabaseError(.badLocation("@, / and ? in a password must be percent-encoded"))
    }
  }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  package var description: String {
    let user = parameters["user"].map { $0 + "@" } ?? ""
    let port = parameters["port"].map { ":" + $0 } ?? ""
    let host = parameters["host"] ?? parameters["hostaddr"] ?? ""
    return "postgresql://\(user)\(host)\(port)/\(parameters["dbname"] ?? "")"
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
