import CPostgres
import Glibc

/// How a connection to a server is made.
extension PostgresSession {
  static func connected(
    to address: PostgresAddress, _ settings: StoreSettings, _ interruption: Interruption
  ) throws(DatabaseError) -> PostgresSession {
    let wire = try PostgresConnecting(
      parameters: parameters(address, settings), interruption: interruption
    ).wire()
    guard wire.setting("server_encoding") == "UTF8" else {
      throw DatabaseError(.unsupported("a database whose encoding is not UTF8"))
    }
    return PostgresSession(wire, keeping: settings.keptStatements)
  }

  private static func parameters(
    _ address: PostgresAddress, _ settings: StoreSettings
  ) throws(DatabaseError) -> [String: String] {
    // A dead network is noticed in seconds, not in the hours TCP would take by itself.
    var parameters = [
      "application_name": "carrel", "connect_timeout": "10", "keepalives_idle": "30",
      "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "15000",
    ]
    parameters.merge(address.parameters) { _, given in given }
    parameters["client_encoding"] = "UTF8"
    if let file = settings.passwordFile { parameters["password"] = try PasswordFile.read(file) }
    return parameters
  }
}

/// One go at a server: a server that is just starting gets a moment.
private struct PostgresConnecting {
  let parameters: [String: String]
  let interruption: Interruption

  private static let patience = Duration.seconds(2)
  /// For the network and the server's greeting; libpq's own limit does not count for polling.
  private static let limit = Duration.seconds(10)

  func wire() throws(DatabaseError) -> PostgresWire {
    let giveUp = min(interruption.deadline, .now + Self.patience)
    while true {
      do throws(DatabaseError) {
        return try attempt()
      } catch {
        guard error.reason == .unreachable, ContinuousClock.now < giveUp, isStarting() else {
          throw error
        }
        sleepUntil(min(giveUp, .now + .milliseconds(50)))
        try interruption.check()
      }
    }
  }

  private func attempt() throws(DatabaseError) -> PostgresWire {
    let started = unsafe withParameters { keywords, values in
      unsafe PQconnectStartParams(keywords, values, 0)
    }
    guard let connection = unsafe started else { throw DatabaseError(.unreachable) }
    // From here on the wire owns the connection and closes it, also when this fails.
    let wire = unsafe PostgresWire(owning: connection)
    let giveUp = ContinuousClock.now + Self.limit
    var next = PGRES_POLLING_WRITING
    while next != PGRES_POLLING_OK {
      guard next != PGRES_POLLING_FAILED, unsafe PQstatus(connection) != CONNECTION_BAD else {
        throw unsafe failure(of: connection)
      }
      try interruption.check()
      guard ContinuousClock.now < giveUp else { throw DatabaseError(.unreachable) }
      unsafe wait(for: PQsocket(connection), writable: next == PGRES_POLLING_WRITING)
      next = unsafe PQconnectPoll(connection)
    }
    return wire
  }

  /// In slices, so that a cancelled call does not wait for a silent server.
  private func wait(for socket: Int32, writable: Bool) {
    var file = pollfd(fd: socket, events: Int16(writable ? POLLOUT : POLLIN), revents: 0)
    unsafe poll(&file, 1, min(100, milliseconds(until: interruption.deadline)))
  }

  private func isStarting() -> Bool {
    let answer = unsafe withParameters { keywords, values in
      unsafe PQpingParams(keywords, values, 0)
    }
    return answer == PQPING_REJECT || answer == PQPING_NO_RESPONSE
  }

  /// libpq names host, user and database in its words, and never the password; should the password
  /// be part of one of those, the words are dropped.
  private func failure(of connection: OpaquePointer) -> DatabaseError {
    let words = unsafe String(cString: PQerrorMessage(connection))
    let password = parameters["password"] ?? ""
    let isTelling = !password.isEmpty && words.contains(password)
    let wasRefused =
      unsafe PQconnectionNeedsPassword(connection) == 1
      || PQconnectionUsedPassword(connection) == 1
    return DatabaseError(
      wasRefused ? .denied : .unreachable,
      detail: isTelling ? nil : words.split(separator: "\n").joined(separator: " "))
  }

  private func withParameters<R>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
  ) -> R {
    let pairs = Array(parameters)
    let keywords = unsafe pairs.map { unsafe UnsafePointer<CChar>(strdup($0.key)) }
    let values = unsafe pairs.map { unsafe UnsafePointer<CChar>(strdup($0.value)) }
    defer {
      for index in pairs.indices {
        unsafe free(UnsafeMutableRawPointer(mutating: keywords[index]))
        unsafe free(UnsafeMutableRawPointer(mutating: values[index]))
      }
    }
    return unsafe body(keywords + [nil], values + [nil])
  }
}
