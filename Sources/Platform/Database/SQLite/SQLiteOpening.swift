import CSQLite

/// How a connection to a file is made, and what is switched on and off before anyone uses it.
extension SQLiteSession {
  static func opened(
    _ path: String, _ settings: StoreSettings, _ interruption: Interruption
  ) throws(DatabaseError) -> SQLiteSession {
    try SQLiteFile.prepare(path)
    var handle: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard let handle = unsafe handle else { throw DatabaseError(.other, code: .sqlite(code)) }
    let session = unsafe SQLiteSession(owning: handle, path: path, settings)
    try session.check(code, during: "open")
    session.enter(interruption)
    defer { session.leave() }
    session.watch()
    try session.configure()
    return session
  }

  private func configure() throws(DatabaseError) {
    // Defensive: no statement can write the file's own structures. Without "quoted" texts, a mistyped
    // column is an error as it is in PostgreSQL. A schema from elsewhere may not call functions.
    for (option, on) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ] {
      try check(unsafe carrel_sqlite_switch(handle, option, Int32(on)), during: "open")
    }
    try writeAheadLog()
    try execute("PRAGMA synchronous = \(settings.durability == .powerLoss ? "FULL" : "NORMAL")")
    // `LIKE` as in PostgreSQL.
    try execute("PRAGMA case_sensitive_like = ON")
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA cache_size = -8000")
    // Harvests write the same pages again and again: each is carried over once in sixteen megabytes.
    try execute("PRAGMA wal_autocheckpoint = 4000")
    // A large import would otherwise leave a large log behind.
    try execute("PRAGMA journal_size_limit = 67108864")
  }

  /// Two processes that create the file together may find each other in the way for a moment, and
  /// SQLite does not always wait by itself here.
  private func writeAheadLog() throws(DatabaseError) {
    let giveUp = ContinuousClock.now + (interruption?.patience ?? settings.patience)
    while true {
      do throws(DatabaseError) {
        var mode = ""
        _ = try run("PRAGMA journal_mode = WAL") { row throws(DatabaseError) in
          mode = try row[0]
          return .next
        }
        guard mode == "wal" else {
          throw DatabaseError(.unsupported("a write-ahead log in this folder"))
        }
        return
      } catch {
        guard error.reason == .busy, ContinuousClock.now < giveUp else { throw error }
        sleepUntil(.now + .milliseconds(10))
      }
    }
  }

  /// SQLite asks these two while it works: whether to stop, and whether to go on waiting for a lock.
  private func watch() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, 4000,
      { context in
        guard let context = unsafe context else { return 0 }
        let session = unsafe Unmanaged<SQLiteSession>.fromOpaque(context).takeUnretainedValue()
        return session.interruption?.reason == nil ? 0 : 1
      }, context)
    unsafe sqlite3_busy_handler(
      handle,
      { context, count in
        guard let context = unsafe context else { return 0 }
        let session = unsafe Unmanaged<SQLiteSession>.fromOpaque(context).takeUnretainedValue()
        return session.waitOnce(count) ? 1 : 0
      }, context)
  }

  private func waitOnce(_ count: Int32) -> Bool {
    let now = ContinuousClock.now
    if count == 0 { waitingSince = now }
    guard let interruption, interruption.reason == nil,
      now < waitingSince + interruption.patience
    else { return false }
    let pause = now + .milliseconds(min(1 << min(count, 5), 25))
    sleepUntil(min(pause, interruption.deadline))
    return true
  }
}
