import Database
import TestSupport
import Testing

/// Every test of this target runs on both.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqlite, postgres

  var testDescription: String { rawValue }
}

/// The address of a new, empty database of the engine, gone afterwards.
func withAddress<R>(_ engine: Engine, _ body: (String) async throws -> R) async throws -> R {
  switch engine {
  case .sqlite:
    try await withTemporaryFolder { folder in try await body(folder.path("test.sqlite3")) }
  case .postgres:
    try await PostgresCluster.shared().withDatabase(body)
  }
}

func withLocation<R>(_ engine: Engine, _ body: (Location) async throws -> R) async throws -> R {
  try await withAddress(engine) { address in try await body(try Location(address)) }
}

/// A store on a new, empty database.
func withStore<R>(
  _ engine: Engine, _ settings: StoreSettings = .forTests, _ body: (Store) async throws -> R
) async throws -> R {
  try await withLocation(engine) { location in
    try await withStore(at: location, settings, body)
  }
}

/// A store on a database that may exist already; closed afterwards, also when the test throws.
func withStore<R>(
  at location: Location, _ settings: StoreSettings = .forTests, _ body: (Store) async throws -> R
) async throws -> R {
  let store = try await Store.open(location, settings)
  do {
    let result = try await body(store)
    await store.close()
    return result
  } catch {
    await store.close()
    throw error
  }
}

extension StoreSettings {
  /// Tests need no disk that survives a power cut.
  static var forTests: StoreSettings {
    var settings = StoreSettings()
    settings.durability = .processCrash
    return settings
  }
}

/// The reason a call failed with; nil, and a failed test, when it did not fail.
func reason<R>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> R
) async -> DatabaseError.Reason? {
  await failure(sourceLocation: sourceLocation, body)?.reason
}

func failure<R>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> R
) async -> DatabaseError? {
  await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) { _ = try await body() }
}

/// A table with a column of each kind.
let everyKind: SQL = """
  CREATE TABLE every_kind (
    id \(.integer) PRIMARY KEY, whole \(.integer), number \(.real), words \(.text), bytes \(.blob),
    flag \(.boolean))\(.strictTable)
  """
