import Database
import StoreSupport
import TestSupport

@testable import Reading

func withStore<R>(
  _ engine: Engine, _ body: (Store, Clock) async throws -> R
) async throws -> R {
  try await withStore(engine, tables: [Positions.migrations]) { try await body($0, Clock()) }
}
