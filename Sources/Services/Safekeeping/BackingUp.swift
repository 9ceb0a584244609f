package import Database
import JSON
import Machine
package import Secrets

/// What goes into a backup.
package struct BackupOrder: Sendable {
  package let path: String
  package let passphrase: Secret?
  package let madeAt: String
  package let madeBy: String
  /// The vault's table of keys, wrapped as it is; nil while there is none. Asked for as soon as the
  /// state stands that is copied: a key that comes or goes later must not be missed in it.
  package let keys: @Sendable (Snapshot) throws(BackupError) -> [UInt8]?
  /// Which files belong to the state that is copied; nil where books stay out.
  package let books: (@Sendable (Snapshot) throws(DatabaseError) -> [KeptFile])?

  package init(
    path: String, passphrase: Secret?, madeAt: String, madeBy: String,
    keys: @escaping @Sendable (Snapshot) throws(BackupError) -> [UInt8]?,
    books: (@Sendable (Snapshot) throws(DatabaseError) -> [KeptFile])?
  ) {
    (self.path, self.passphrase, self.keys, self.books) = (path, passphrase, keys, books)
    (self.madeAt, self.madeBy) = (madeAt, madeBy)
  }
}

extension Safekeeping {
  /// Copies one state of the database while others go on reading and writing.
  package func backUp(
    _ store: Store, _ order: BackupOrder
  ) async throws(BackupError) -> BackupManifest {
    let result: Result<BackupManifest, BackupError>
    do throws(DatabaseError) {
      result = try await store.read(by: Self.patience) { [self] snapshot throws(DatabaseError) in
        // Begun again from nothing if the connection broke.
        do throws(BackupError) { return .success(try written(order, snapshot)) } catch {
          if case .database(let error) = error { throw error }
          return .failure(error)
        }
      }
    } catch {
      throw .database(error)
    }
    return try result.get()
  }

  private func written(
    _ order: BackupOrder, _ snapshot: Snapshot
  ) throws(BackupError) -> BackupManifest {
    let file = try BackupFile(order.path, sealedWith: order.passphrase)
    var manifest = BackupManifest(
      madeAt: order.madeAt, madeBy: order.madeBy, engine: snapshot.dialect.rawValue,
      migrations: try reading { () throws(DatabaseError) in try snapshot.appliedMigrations() })
    try file.add(Self.readme, Array(Self.words.utf8))
    if let keys = try order.keys(snapshot) {
      manifest.hasKeys = true
      try file.add(Self.keys, keys)
    }
    let shapes = try reading { () throws(DatabaseError) in
      try snapshot.tables(leavingOut: scope.leftOut)
    }
    for shape in shapes {
      let table = try copy(shape, snapshot, to: file)
      manifest.tables.append(table)
      tell(Progress(what: table.name, rows: table.rows))
    }
    if let books = order.books {
      manifest.hasBooks = true
      for book in try reading({ () throws(DatabaseError) in try books(snapshot) }) {
        if try !copy(book, to: file) { manifest.missing.append(book.digest) }
      }
    }
    manifest.members = file.members
    let bytes = manifest.json.bytes(.indented)
    try file.add(BackupManifest.name, bytes)
    // Last of all, so that the manifest is proved as everything else is.
    let digest = file.members.last?.digest ?? ""
    try file.add(BackupManifest.proof, Array((digest + "\n").utf8))
    try file.finish()
    return manifest
  }

  private func copy(
    _ shape: TableShape, _ snapshot: Snapshot, to file: BackupFile
  ) throws(BackupError) -> BackupManifest.Table {
    var table = BackupManifest.Table(shape)
    var (sum, lines, part) = (RowSum(), [UInt8](), 0)
    var failure: BackupError?
    func flush() throws(BackupError) {
      part += 1
      try file.add(Self.member(of: shape.name, part: part), lines)
      lines.removeAll(keepingCapacity: true)
    }
    try reading { () throws(DatabaseError) in
      try snapshot.walk(shape) { values throws(DatabaseError) in
        lines += sum.add(values)
        guard lines.count >= Self.part else { return .next }
        do throws(BackupError) { try flush() } catch {
          failure = error
          return .stop
        }
        return .next
      }
      table.lastNumber = try snapshot.lastNumber(of: shape)
    }
    if let failure { throw failure }
    if !lines.isEmpty { try flush() }
    (table.rows, table.digest) = (sum.count, sum.text)
    return table
  }

  static func member(of table: String, part: Int) -> String {
    let number = String(part)
    let zeros = String(repeating: "0", count: max(0, 5 - number.count))
    return "tables/\(table)/\(zeros)\(number).jsonl"
  }

  /// False where it is gone: loans end while we copy.
  private func copy(_ book: KeptFile, to file: BackupFile) throws(BackupError) -> Bool {
    let source: OpenFile
    do throws(FileError) { source = try OpenFile(book.path) } catch {
      if error.isMissing { return false }
      throw .file(error)
    }
    try file.begin(BookMember.folder + book.digest, size: source.size)
    var left = source.size
    while left > 0 {
      let piece = try filing { () throws(MachineError) in
        try source.read(upTo: min(left, 256 << 10))
      }
      // Files of books are never written to under their names: it was cut by other hands.
      guard !piece.isEmpty else { throw .damaged(member: BookMember.folder + book.digest) }
      try file.write(piece)
      left -= piece.count
    }
    try file.end()
    tell(Progress(what: BookMember.folder, rows: 1))
    return true
  }

  private static let words = """
    A backup of a Carrel gateway, made by: carrel admin backup

    Put it back with: carrel admin restore FILE
    tables/    the rows of each table, one line of JSON a row
    vault/keys the keys of the vault, locked with the root key, which is NOT in this file: keep
               vault.key or your passphrase apart from it, or all readers have to sign in again
    books/     files of books, by the SHA-256 of their bytes
    manifest.json  what must be here, with digests

    """
}

func reading<T>(_ body: () throws(DatabaseError) -> T) throws(BackupError) -> T {
  do throws(DatabaseError) { return try body() } catch { throw .database(error) }
}
