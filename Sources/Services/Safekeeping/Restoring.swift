package import Database
package import Secrets

extension Safekeeping {
  /// Fills a database with what a backup holds, in one transaction: all of it, or all is as it was. On
  /// PostgreSQL the tables of ours that are there give way to it; a file of SQLite has to be a new one.
  /// The backup has been verified, and this is what it says of itself.
  package func fill(
    _ store: Store, from path: String, passphrase: Secret?, _ manifest: BackupManifest,
    unlessHeld presence: Int64, at now: Int64,
    keeping keys: @escaping @Sendable (Transaction, [UInt8]) throws(DatabaseError) -> Void
  ) async throws(BackupError) {
    let result: Result<Bool, BackupError>
    do throws(DatabaseError) {
      result = try await store.decide(by: Self.patience, isolation: .readCommitted) {
        [self] tx throws(DatabaseError) in
        do throws(BackupError) {
          if try inTransaction({ () throws(DatabaseError) in try tx.isAnybodyHolding(presence) }) {
            throw .inUse("a gateway is running on it")
          }
          try make(manifest, in: tx, at: now)
          try take(from: path, passphrase, manifest, in: tx, keeping: keys)
          try prove(manifest, in: tx)
          try inTransaction { () throws(DatabaseError) in
            try tx.make(scope.migrations, at: now)
            try scope.settle(tx)
          }
          return .success(true)
        } catch {
          // A connection that broke is another go; everything else is final.
          if case .database(let error) = error { throw error }
          return .failure(error)
        }
      }
    } catch {
      if case .migration(.databaseIsNewer(let service, let migration)) = error.reason {
        throw .newer("\(service)/\(migration)")
      }
      throw .database(error)
    }
    _ = try result.get()
  }

  /// The tables, empty, in the form that they had when the backup was made.
  private func make(
    _ manifest: BackupManifest, in tx: Transaction, at now: Int64
  ) throws(BackupError) {
    try inTransaction { () throws(DatabaseError) in
      if tx.dialect == .postgres { try tx.dropAll(madeBy: scope.migrations) }
      try tx.make(scope.migrations, asAfter: manifest.migrations, at: now)
    }
  }

  private func take(
    from path: String, _ passphrase: Secret?, _ manifest: BackupManifest, in tx: Transaction,
    keeping keys: (Transaction, [UInt8]) throws(DatabaseError) -> Void
  ) throws(BackupError) {
    let shapes = try shapes(of: manifest, in: tx)
    var failure: BackupError?
    try inTransaction { () throws(DatabaseError) in
      try tx.withoutTriggers(on: shapes) { tx throws(DatabaseError) in
        // Migrations lay first rows into some.
        try tx.empty(shapes)
        do throws(BackupError) {
          let source = try TableSource(path, passphrase, manifest)
          for (shape, table) in zip(shapes, manifest.tables) {
            try inTransaction { () throws(DatabaseError) in
              try tx.fill(shape) { () throws(DatabaseError) in source.next(of: table) }
            }
            if let failure = source.failure { throw failure }
            tell(Progress(what: table.name, rows: table.rows))
          }
          if let bytes = try source.keys() {
            try inTransaction { () throws(DatabaseError) in try keys(tx, bytes) }
          }
        } catch {
          failure = error
        }
      }
      for (shape, table) in zip(shapes, manifest.tables) where failure == nil {
        if let number = table.lastNumber { try tx.setLastNumber(number, of: shape) }
      }
    }
    if let failure { throw failure }
  }

  /// What the database has by these names; other columns than then would be a fault of ours.
  private func shapes(
    of manifest: BackupManifest, in tx: Transaction
  ) throws(BackupError) -> [TableShape] {
    let known = try inTransaction { () throws(DatabaseError) in
      try tx.tables(leavingOut: scope.leftOut)
    }
    var shapes: [TableShape] = []
    for table in manifest.tables {
      guard let shape = known.first(where: { $0.name == table.name }),
        let ordered = shape.ordered(as: table.columns.map(\.name))
      else { throw .unknownTable(table.name) }
      shapes.append(ordered)
    }
    return shapes
  }

  /// Reads everything back, and compares.
  private func prove(_ manifest: BackupManifest, in tx: Transaction) throws(BackupError) {
    for (shape, table) in zip(try shapes(of: manifest, in: tx), manifest.tables) {
      var sum = RowSum()
      try inTransaction { () throws(DatabaseError) in
        try tx.walk(shape) { values throws(DatabaseError) in
          _ = sum.add(values)
          return .next
        }
      }
      guard sum.count == table.rows, sum.text == table.digest else {
        throw .differs(table: table.name)
      }
    }
  }
}

private func inTransaction<T>(_ body: () throws(DatabaseError) -> T) throws(BackupError) -> T {
  try reading(body)
}

/// The rows of a backup, table after table.
private final class TableSource {
  private let reading: BackupReading
  private let manifest: BackupManifest
  private(set) var failure: BackupError?
  /// The lines of a part, and how far they have been handed out.
  private var (lines, place): ([UInt8], Int) = ([], 0)
  /// The member whose content comes next, if it is not one of the table that is asked for.
  private var begun: String?
  private var heldKeys: [UInt8]?

  init(_ path: String, _ passphrase: Secret?, _ manifest: BackupManifest) throws(BackupError) {
    reading = try BackupReading(path, passphrase: passphrase)
    self.manifest = manifest
  }

  /// Nil at the end of the table, and where something is wrong.
  func next(of table: BackupManifest.Table) -> [Value]? {
    do throws(BackupError) {
      if place == lines.count, try !load(table) { return nil }
      let end = lines[place...].firstIndex(of: UInt8(ascii: "\n")) ?? lines.count
      guard let values = RowLine.values(lines[place..<end], table.columns) else {
        throw .damaged(member: table.name)
      }
      place = min(end + 1, lines.count)
      return values
    } catch {
      failure = error
      return nil
    }
  }

  /// Nil where the backup has none.
  func keys() throws(BackupError) -> [UInt8]? {
    guard manifest.hasKeys else { return nil }
    // They come first; a backup without rows has not been read yet.
    if heldKeys == nil { _ = try begin() }
    return heldKeys
  }

  private func load(_ table: BackupManifest.Table) throws(BackupError) -> Bool {
    guard let name = try begin(), name.hasPrefix("tables/\(table.name)/") else { return false }
    (lines, place) = (try content(), 0)
    return !lines.isEmpty
  }

  private func begin() throws(BackupError) -> String? {
    while begun == nil {
      switch try reading.next() {
      case .begin(Safekeeping.keys, _): heldKeys = try content()
      case .begin(let name, _): begun = name == Safekeeping.readme ? nil : name
      case .content, .whole: break
      case .end: return nil
      }
    }
    return begun
  }

  private func content() throws(BackupError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      switch try reading.next() {
      case .content(let piece): bytes += piece
      case .whole, .begin, .end:
        begun = nil
        return bytes
      }
    }
  }
}
