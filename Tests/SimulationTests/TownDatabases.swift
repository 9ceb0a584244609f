import Synchronization
import TestSupport

/// The databases of a town on the PostgreSQL server of the tests: the evening before, and a copy of it for
/// each seed.
struct TownDatabases: Sendable {
  private static let towns = Mutex(0)
  private let server: PostgresCluster
  private let town: String

  init() async throws {
    server = try await .shared()
    let number = Self.towns.withLock { number in
      number += 1
      return number
    }
    town = "town_\(number)_"
  }

  private func name(_ name: String) -> String { town + name }

  func address(of name: String) -> String {
    "postgresql://carrel@/\(self.name(name))?host=\(server.folder)"
  }

  func make(_ name: String, from template: String? = nil) async throws {
    try await drop(name)
    let template = template.map { self.name($0) } ?? "template0"
    try await server.query("CREATE DATABASE \"\(self.name(name))\" TEMPLATE \"\(template)\"")
  }

  func drop(_ name: String) async throws {
    try await server.query("DROP DATABASE IF EXISTS \"\(self.name(name))\" WITH (FORCE)")
  }

  func rows(of name: String) async throws -> String {
    let address = address(of: name)
    let looks = try await server.query(
      """
      SELECT format('SELECT t::text FROM %I t;', tablename) FROM pg_tables
      WHERE schemaname = 'public'
      """, in: address)
    return try await server.query(looks, in: address)
  }
}
