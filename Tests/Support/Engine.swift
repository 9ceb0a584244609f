package import Testing

/// What a store may stand on: whatever keeps something is tested on both.
package enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqlite, postgres

  package var testDescription: String { rawValue }

  /// Lends the address of a new, empty database, which is gone afterwards.
  package func withAddress<R>(_ body: (String) async throws -> R) async throws -> R {
    switch self {
    case .sqlite:
      try await withTemporaryFolder { folder in try await body(folder.path("test.sqlite3")) }
    case .postgres: try await PostgresCluster.shared().withDatabase(body)
    }
  }
}
