import Database
import Synchronization
import TestSupport
import Testing

@testable import Slips

/// Every test of this target runs on both.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqlite, postgres

  var testDescription: String { rawValue }
}

final class Clock: Sendable {
  private let moment = Mutex<Int64>(1_000_000)
  var now: Int64 { moment.withLock { $0 } }
  func advance(by span: Int64) { moment.withLock { $0 += span } }
}

func withStore<R>(
  _ engine: Engine, _ body: (Store, Clock) async throws -> R
) async throws -> R {
  try await withTemporaryFolder { folder in
    switch engine {
    case .sqlite: try await withStore(at: folder.path("test.sqlite3"), body)
    case .postgres:
      try await PostgresCluster.shared().withDatabase { address in
        try await withStore(at: address, body)
      }
    }
  }
}

private func withStore<R>(
  at address: String, _ body: (Store, Clock) async throws -> R
) async throws -> R {
  var settings = StoreSettings()
  settings.durability = .processCrash
  let store = try await Store.open(try Location(address), settings)
  let result: Result<R, any Error>
  do {
    _ = try await store.migrate([SlipBox.migrations], at: 0)
    result = .success(try await body(store, Clock()))
  } catch {
    result = .failure(error)
  }
  await store.close()
  return try result.get()
}
