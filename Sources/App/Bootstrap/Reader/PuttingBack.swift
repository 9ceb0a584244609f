import Catalog
import Database
import Downloads
package import Items
import Machine
import Registry
import Safekeeping
package import Secrets
package import Setup

extension LinkedEngine {
  package func restorePlace(at seat: Seat) async throws(ErrorItem) -> RestorePlace {
    let folder = try DataFolder(of: seat)
    return try await RestorePlace(folder.database, passwordFile: seat.passwordFile)
  }

  /// The backup is proved first. Then a file of SQLite is filled beside the old one, and takes its
  /// place together with the keys; PostgreSQL is filled in one transaction. Until then a kill leaves all
  /// as it was, and after it the next start finishes.
  package func restore(
    _ path: String, passphrase: Secret?, at seat: Seat,
    progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> BackupItem {
    let folder = try DataFolder(of: seat)
    let alone = try taken(folder)
    let safekeeping = Safekeeping(House.wholeScope) { progress("\($0.what) \($0.rows)") }
    let plain = try await portable(path, folder)
    defer { plain?.remove() }
    let source = plain?.path ?? path
    let manifest = try await keeping(of: path) { () throws(BackupError) in
      let manifest = try Safekeeping.verify(source, passphrase: passphrase)
      // Files that no row tells of yet do no harm, wherever this ends.
      try safekeeping.placeBooks(from: source, passphrase: passphrase) { digest in
        BookStore.path(of: digest, in: folder.books)
      }
      return manifest
    }
    var item = BackupItem(manifest, at: path, isSealed: (try? Safekeeping.isSealed(path)) ?? false)
    let filling = Filling(safekeeping, source, passphrase, manifest)
    switch folder.database {
    case .sqlite(let database): item.former = try await filling.file(database, folder)
    case .postgres: try await filling.server(folder.database, seat.passwordFile)
    }
    _ = consume alone
    return item
  }

  /// A copy that SQLite itself wrote, as those before a migration are, is made one of ours first.
  private func portable(_ path: String, _ folder: DataFolder) async throws(ErrorItem) -> Draft? {
    guard let start = try? OpenFile(path).read(upTo: 16),
      start == Array("SQLite format 3\0".utf8)
    else { return nil }
    let draft = Draft("\(folder.path)/restore.draft")
    let store = try await opened(.sqlite(path: path), StoreSettings())
    do throws(BackupError) {
      _ = try await House.backUp(store, folder, path: draft.path, { _ in })
      await store.close()
      return draft
    } catch {
      await store.close()
      throw ErrorItem(error, of: path)
    }
  }
}

func taken(_ folder: DataFolder) throws(ErrorItem) -> ProcessLock {
  do throws(HouseError) { return try folder.takeAlone() } catch { throw ErrorItem(error) }
}

/// A file that is gone when it has served.
struct Draft: Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  func remove() {
    for end in ["", "-wal", "-shm"] { try? GuardedFile.remove(path + end) }
  }
}

/// One backup, and what it is put into.
struct Filling: Sendable {
  private let safekeeping: Safekeeping
  private let source: String
  private let passphrase: Secret?
  private let manifest: BackupManifest

  init(
    _ safekeeping: Safekeeping, _ source: String, _ passphrase: Secret?,
    _ manifest: BackupManifest
  ) {
    (self.safekeeping, self.source) = (safekeeping, source)
    (self.passphrase, self.manifest) = (passphrase, manifest)
  }

  /// Returns where the old database is kept, if there was one.
  func file(_ database: String, _ folder: DataFolder) async throws(ErrorItem) -> String? {
    let staged = Draft("\(database).restoring")
    let keys = Draft("\(folder.keyTable).restoring")
    staged.remove()
    keys.remove()
    defer {
      staged.remove()
      keys.remove()
    }
    try await fill(.sqlite(path: staged.path), nil) { _, bytes throws(DatabaseError) in
      // A part of it that fails fails everything: the table would be missing below.
      try? WholeFile.write(bytes, to: keys.path)
    }
    var moves = [DataFolder.Move(from: staged.path, to: database)]
    if manifest.hasKeys {
      guard (try? OpenFile(keys.path)) != nil else {
        throw ErrorItem("unwritable", detail: keys.path)
      }
      moves.append(.init(from: keys.path, to: folder.keyTable))
    }
    let former = try await former(database)
    do throws(MachineError) { try folder.exchange(moves) } catch {
      throw ErrorItem("unwritable", detail: "\(error)")
    }
    return former
  }

  /// Whatever was there is kept whole, with what its log had not handed over yet.
  private func former(_ database: String) async throws(ErrorItem) -> String? {
    guard (try? OpenFile(database)) != nil else { return nil }
    let copy = "\(database).before-restore"
    do throws(DatabaseError) {
      let store = try await Store.open(.sqlite(path: database))
      defer { Task { await store.close() } }
      try await store.backUp(to: copy, by: .now + .seconds(24 * 3600))
      await store.close()
      return copy
    } catch {
      // What cannot be read any more is why it is replaced; it is kept as it is.
      try? WholeFile.copy(database, to: copy)
      return copy
    }
  }

  func server(_ database: Location, _ passwordFile: String?) async throws(ErrorItem) {
    try await fill(database, passwordFile) { tx, bytes throws(DatabaseError) in
      try KeyTableRow.put(bytes, tx)
    }
  }

  private func fill(
    _ database: Location, _ passwordFile: String?,
    keys: @escaping @Sendable (Transaction, [UInt8]) throws(DatabaseError) -> Void
  ) async throws(ErrorItem) {
    let (safekeeping, source, passphrase, manifest) = (safekeeping, source, passphrase, manifest)
    var settings = StoreSettings()
    settings.passwordFile = passwordFile
    let store = try await opened(database, settings)
    let result = await Result { () async throws(ErrorItem) in
      try await keeping { () throws(BackupError) in
        try await safekeeping.fill(
          store, from: source, passphrase: passphrase, manifest,
          unlessHeld: DataFolder.presence, at: Time.system.now().millisecondsSinceEpoch,
          keeping: keys)
      }
    }
    // Left undone it is done by the next start of a gateway; a search would find nothing until then.
    if case .success = result {
      try? await Catalog(store: store, now: { Time.system.now().millisecondsSinceEpoch }).catchUp()
    }
    await store.close()
    try result.get()
  }
}

func opened(
  _ database: Location, _ settings: StoreSettings
) async throws(ErrorItem) -> Store {
  do throws(DatabaseError) { return try await Store.open(database, settings) } catch {
    throw ErrorItem(error)
  }
}

extension Result {
  /// What came of something that waits.
  fileprivate init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension Seat {
  var passwordFile: String? { configuration.database.passwordFile }
}

extension RestorePlace {
  init(_ database: Location, passwordFile: String?) async throws(ErrorItem) {
    if case .sqlite(let path) = database, (try? OpenFile(path)) == nil {
      self.init(name: database.placeName, description: database.description, isOccupied: false)
      return
    }
    var settings = StoreSettings()
    settings.passwordFile = passwordFile
    let store: Store
    do throws(ErrorItem) { store = try await opened(database, settings) } catch {
      // A file that cannot be opened is there all the same.
      guard case .sqlite = database else { throw error }
      self.init(name: database.placeName, description: database.description, isOccupied: true)
      return
    }
    let isOccupied = try? await store.read { tx throws(DatabaseError) in try tx.hasMigrations() }
    await store.close()
    self.init(
      name: database.placeName, description: database.description, isOccupied: isOccupied ?? true)
  }
}

extension Location {
  /// The name of the file, or of the database on its server.
  var placeName: String {
    let text = description.prefix { $0 != "?" }
    let name = text.split(separator: "/").last.map(String.init) ?? ""
    return name.isEmpty ? "database" : name
  }
}
