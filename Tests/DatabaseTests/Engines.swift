import Database
import StoreSupport
import TestSupport
import Testing

func withLocation<R>(_ engine: Engine, _ body: (Location) async throws -> R) async throws -> R {
  try await engine.withAddress { address in try await body(try Location(address)) }
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
