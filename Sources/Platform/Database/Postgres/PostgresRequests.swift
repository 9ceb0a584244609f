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

  /// Runs what is prepared under this name. `opening` begins the transaction that this is the first
  /// question of, `types` are those of a statement that has to be prepared first; all of it goes out
  /// together. `isPrepared` tells whether the server has the statement now, also after a failure.
  func run(
    _ text: String, as name: String, _ parameters: PostgresParameters, opening: String?,
    preparing types: [Oid]?, isPrepared: inout Bool
  ) throws(DatabaseError) -> PostgresResult {
    func send(_ connection: OpaquePointer) -> Int32 {
      unsafe parameters.withPointers { count, values, lengths, formats in
        unsafe PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
      }
    }
    var parts: [Part] = []
    if let opening {
      unsafe parts.append(
        Part(isValueless: true) { connection in
          unsafe PQsendQueryParams(connection, opening, 0, nil, nil, nil, nil, 0)
        })
    }
    if let types {
      unsafe parts.append(
        Part(isValueless: true) { connection in
          unsafe PQsendPrepare(connection, name, text, Int32(types.count), types)
        })
    }
    let ahead = parts.count
    if ahead == 0 { return try unsafe exchange(.stoppable, text, send) }
    unsafe parts.append(Part(send: send))
    var done = 0
    defer { isPrepared = done >= ahead }
    return try exchange(parts, text, done: &done)
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
