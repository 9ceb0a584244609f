package import Database
package import TestSupport

extension StoreSettings {
  /// Tests need no disk that survives a power cut.
  package static var forTests: StoreSettings {
    var settings = StoreSettings()
    settings.durability = .processCrash
    return settings
  }
}

/// A store on a new, empty database, with the tables of these lists.
package func withStore<R>(
  _ engine: Engine, _ settings: StoreSettings = .forTests, tables: [MigrationList] = [],
  _ body: (Store) async throws -> R
) async throws -> R {
  try await engine.withAddress { address in
    try await withStore(at: Location(address), settings, tables: tables, body)
  }
}

/// A store on a database that may exist already; closed afterwards, also when the test throws.
package func withStore<R>(
  at location: Location, _ settings: StoreSettings = .forTests, tables: [MigrationList] = [],
  _ body: (Store) async throws -> R
) async throws -> R {
  let store = try await Store.open(location, settings)
  do {
    if !tables.isEmpty { _ = try await store.migrate(tables, at: 0) }
    let result = try await body(store)
    await store.close()
    return result
  } catch {
    await store.close()
    throw error
  }
}
