import CPostgres

/// The requests a session makes over its wire.
extension PostgresWire {
  @discardableResult
  func command(
    _ text: String, _ patience: Patience = .stoppable
  ) throws(DatabaseError) -> PostgresResult {
    try unsafe exchange(patience, text) { connection in
      unsafe PQsendQuery(connection, text)
    }
  }

  /// Only here may the server be quoted: it has not been told any value yet.
  func prepare(_ text: String, as name: String, types: [Oid]) throws(DatabaseError) {
    _ = try unsafe exchange(.stoppable, text, quoting: true) { connection in
      unsafe PQsendPrepare(connection, name, text, Int32(types.count), types)
    }
  }

  func run(
    prepared name: String, _ text: String, _ parameters: PostgresParameters
  ) throws(DatabaseError) -> PostgresResult {
    try unsafe exchange(.stoppable, text) { connection in
      unsafe parameters.withPointers { count, values, lengths, formats in
        unsafe PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
      }
    }
  }
}

/// Copying rows in.
extension PostgresWire {
  func send(copied bytes: [UInt8]) throws(DatabaseError) {
    while true {
      if let reason = interruption?.reason { throw DatabaseError(reason) }
      let sent = unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
          unsafe PQputCopyData(connection, characters.baseAddress, Int32(characters.count))
        }
      }
      if sent == 1 { return }
      guard sent == 0 else { throw lost("COPY") }
      try drain()
    }
  }

  func endCopy(_ text: String) throws(DatabaseError) -> PostgresResult {
    while true {
      let sent = unsafe PQputCopyEnd(connection, nil)
      if sent == 1 { break }
      guard sent == 0 else { throw lost(text) }
      try drain()
    }
    let giveUp = (interruption?.deadline ?? .now) + Self.grace
    return try answer(.stoppable, giveUp, text, false)
  }

  /// The rows sent so far are refused by the server; the transaction has failed.
  func abandonCopy() {
    guard isUsable else { return }
    do throws(DatabaseError) {
      while unsafe PQputCopyEnd(connection, "given up") == 0 { try drain() }
      _ = try answer(.unstoppable, .now + Self.grace, "COPY", false)
    } catch {
      // The refusal itself is reported as an error; the caller throws the reason for it.
    }
  }

  private func drain() throws(DatabaseError) {
    let unsent = unsafe PQflush(connection)
    guard unsent >= 0 else { throw lost("COPY") }
    let limit = (interruption?.deadline ?? .now) + Self.grace
    guard ContinuousClock.now < limit else { throw lost("COPY") }
    if unsent > 0 { wait(until: interruption?.deadline ?? limit, unsent: unsent) }
    guard unsafe PQconsumeInput(connection) == 1 else { throw lost("COPY") }
  }
}
