import Database
import HTTPClient
import Machine
import Setup

extension House {
  /// The database, with the tables of all services as this program knows them.
  static func store(
    _ configuration: Configuration, _ folder: DataFolder, _ now: Int64, _ slow: SlowLog,
    _ trial: StoreTrial? = nil
  ) async throws(HouseError) -> Store {
    do throws(DatabaseError) {
      var settings = try storeSettings(configuration)
      settings.watch(after: configuration.database.slowAfter, slow)
      settings.trial = trial
      let store = try await Store.open(folder.database, settings)
      if try await !store.isMigrated(tables) { _ = try await store.migrate(tables, at: now) }
      return store
    } catch {
      guard case .migration(.databaseIsNewer(let service, let migration)) = error.reason else {
        throw .database(error)
      }
      throw .newerDatabase(
        migration: "\(service)/\(migration)", copy: folder.copyBeforeMigration)
    }
  }

  /// The ways out over HTTP. Where they cannot be made, the database is closed again.
  static func outward(
    _ seat: Seat, _ store: Store, _ certificates: CertificateEnds, _ trial: Transport?
  ) async throws(HouseError) -> OutwardClients {
    let failure: HouseError
    do {
      let earlier = try await EarlierAddresses.all(in: store)
      return try OutwardClients(
        seat.configuration, seat.place.environment, earlier, certificates, trial, store)
    } catch let error as DatabaseError {
      failure = .database(error)
    } catch {
      failure = .network("\(error)")
    }
    await store.close()
    throw failure
  }

  static func storeSettings(_ configuration: Configuration) throws(DatabaseError) -> StoreSettings {
    var settings = StoreSettings()
    settings.passwordFile = configuration.database.passwordFile
    if let replica = configuration.database.replica { settings.replica = try Location(replica) }
    settings.replicaLag = configuration.database.replicaLag
    return settings
  }
}

extension DataFolder {
  /// The youngest of the copies that programs made before they changed the tables.
  fileprivate var copyBeforeMigration: FormerCopy? {
    guard case .sqlite(let path) = database, let slash = path.lastIndex(of: "/") else { return nil }
    let (folder, name) = (String(path[..<slash]), path[path.index(after: slash)...])
    let copies = (try? CacheFolder(folder).all()) ?? []
    let before = copies.filter {
      $0.name.hasPrefix("\(name).before-") && $0.name != "\(name).before-restore"
    }
    return before.max { $0.used < $1.used }.map {
      FormerCopy(path: "\(folder)/\($0.name)", database: String(name))
    }
  }
}

/// A database as it was before a program changed its tables.
struct FormerCopy: Sendable, Hashable {
  let path: String
  /// The name of the file that it is a copy of.
  let database: String
}
