import Arguments
import Catalog
import Crypto
import Database
import Downloads
package import Items
import Machine
import Registry
import Safekeeping
package import Secrets
package import Setup

extension LinkedEngine {
  package func backUp(
    _ order: BackupCommandOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem {
    let folder = try DataFolder(of: seat)
    return try await inHouse(seat) { house throws(ErrorItem) in
      let manifest = try await keeping { () throws(BackupError) in
        try await house.backUp(order, folder, progress)
      }
      return BackupItem(manifest, at: order.path, isSealed: order.passphrase != nil)
    }
  }

  package func verifyBackup(
    _ path: String, passphrase: Secret?, at seat: Seat
  ) async throws(ErrorItem) -> BackupItem {
    try await keeping(of: path) { () throws(BackupError) in
      BackupItem(
        try Safekeeping.verify(path, passphrase: passphrase), at: path,
        isSealed: try Safekeeping.isSealed(path))
    }
  }

  package func isSealedBackup(_ path: String) throws(ErrorItem) -> Bool {
    do throws(BackupError) { return try Safekeeping.isSealed(path) } catch {
      throw ErrorItem(error, of: path)
    }
  }
}

extension DataFolder {
  init(of seat: Seat) throws(ErrorItem) {
    do throws(HouseError) { try self.init(seat.configuration, seat.place) } catch {
      throw ErrorItem(error)
    }
  }
}

extension House {
  static let wholeScope = Safekeeping.Scope(
    migrations: tables, leftOut: Catalog.ownTables.union([KeyTableRow.table, GatewayFacts.table])
  ) { tx throws(DatabaseError) in try Catalog.settle(tx) }

  func backUp(
    _ order: BackupCommandOrder, _ folder: DataFolder,
    _ progress: @escaping @Sendable (String) -> Void
  ) async throws(BackupError) -> BackupManifest {
    let files = storeroom.files
    var books: (@Sendable (Snapshot) throws(DatabaseError) -> [KeptFile])?
    if order.withBooks {
      books = { snapshot throws(DatabaseError) in
        try BookStore.digests(snapshot).map { KeptFile(digest: $0, path: files.path(of: $0)) }
      }
    }
    let manifest = try await Self.backUp(
      store, folder, path: order.path, passphrase: order.passphrase, progress, books: books)
    let now = time.now().millisecondsSinceEpoch
    // For monitoring alone: a backup is good, also where the database takes no note of it.
    _ = try? await store.write { tx throws(DatabaseError) in try tx.set(.lastBackup, to: now) }
    return manifest
  }

  static func backUp(
    _ store: Store, _ folder: DataFolder, path: String, passphrase: Secret? = nil,
    _ progress: @escaping @Sendable (String) -> Void,
    books: (@Sendable (Snapshot) throws(DatabaseError) -> [KeptFile])? = nil
  ) async throws(BackupError) -> BackupManifest {
    try await Safekeeping(wholeScope) { progress("\($0.what) \($0.rows)") }.backUp(
      store,
      BackupOrder(
        path: path, passphrase: passphrase, madeAt: Time.system.now().rfc3339(),
        madeBy: "carrel",
        keys: { snapshot throws(BackupError) in try keyTable(snapshot, folder) }, books: books))
  }

  /// Beside a file of SQLite the keys are a file, too.
  private static func keyTable(
    _ snapshot: Snapshot, _ folder: DataFolder
  ) throws(BackupError) -> [UInt8]? {
    guard snapshot.dialect == .sqlite else {
      do throws(DatabaseError) { return try KeyTableRow.bytes(snapshot) } catch {
        throw .database(error)
      }
    }
    do throws(FileError) {
      return try WholeFile.read(folder.keyTable, upTo: 8 << 20, trusting: .ownerOnly)
    } catch {
      if error.isMissing { return nil }
      throw .file(error)
    }
  }
}

func keeping<T>(
  of path: String = "the backup", _ body: () async throws(BackupError) -> T
) async throws(ErrorItem) -> T {
  do throws(BackupError) { return try await body() } catch { throw ErrorItem(error, of: path) }
}

extension BackupItem {
  init(_ manifest: BackupManifest, at place: String, isSealed: Bool) {
    self.init(
      place: place, madeAt: manifest.madeAt, madeBy: manifest.madeBy, engine: manifest.engine,
      tables: manifest.tables.map { .init(name: $0.name, rows: $0.rows) })
    (bytes, books, missingBooks) = (manifest.bytes, manifest.books, manifest.missing.count)
    (hasBooks, hasKeys, self.isSealed) = (manifest.hasBooks, manifest.hasKeys, isSealed)
  }
}

extension ErrorItem {
  init(_ error: BackupError, of path: String) {
    switch error {
    case .database(let error): self.init(error)
    case .file(let error):
      self.init(error.isMissing ? "unreadable" : "unwritable")
      detail = "\(error)"
    case .crypto(let error):
      self.init("unexpected")
      detail = "\(error)"
    case .notABackup: self.init("not_a_backup", detail: path)
    case .truncated(let member):
      self.init("backup_damaged", detail: "it ends in \(member ?? "its beginning")")
    case .damaged(let member): self.init("backup_damaged", detail: "\(member) was changed")
    case .badName(let name):
      self.init("backup_damaged", detail: "\(name) is no name for a book")
    case .unknownTable(let name): self.init("newer_database", detail: "table \(name)")
    case .passphraseNeeded: self.init("backup_locked", detail: path)
    case .wrongPassphrase: self.init("backup_key_wrong", detail: path)
    case .newer(let what): self.init("newer_database", detail: what)
    case .differs(let table): self.init("backup_differs", detail: "table \(table)")
    case .inUse(let what): self.init("data_in_use", detail: what)
    }
  }
}
