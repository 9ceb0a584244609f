import Database
import StoreSupport
import TestSupport

@testable import ReadingLists

func withStore<R>(
  _ engine: Engine, _ body: (Store, Clock) async throws -> R
) async throws -> R {
  try await withStore(engine, tables: [ReadingLists.migrations]) { try await body($0, Clock()) }
}
