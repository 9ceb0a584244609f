import Database
import StoreSupport
import TestSupport
import Testing

/// These stop a server, so they have one of their own and use it one after the other.
@Suite(.timeLimit(.minutes(5)), .serialized) struct `A server that went away` {
  @Test
  func `A server that went away is found again after a restart`() async throws {
    try await withServer { cluster, store in
      // Several idle connections, all of which the restart breaks.
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try? await store.names() } }
      }
      try await cluster.restart()
      for _ in 0..<10 { try await store.expectNames(["a"]) }
      try await store.write { tx throws(DatabaseError) in try tx.add("b") }
      try await store.expectNames(["a", "b"])
    }
  }

  @Test
  func `a server restart within a transaction undoes it, and the transaction runs again`()
    async throws
  {
    try await withServer { cluster, store in
      let runs = Box(0)
      try await store.write(by: .now + .seconds(100)) { tx throws(DatabaseError) in
        runs.change { $0 += 1 }
        try tx.add("b")
        if runs.value == 1 { blocking { try? await cluster.restart() } }
        try tx.add("c")
      }
      #expect(runs.value == 2)
      try await store.expectNames(["a", "b", "c"])
    }
  }

  @Test
  func `A server that went away during a commit leaves the outcome unknown`() async throws {
    try await withServer { cluster, store in
      let runs = Box(0)
      let found = await reason {
        try await store.write(by: .now + .seconds(100)) { tx throws(DatabaseError) in
          runs.change { $0 += 1 }
          try tx.add("b")
          blocking { try? await cluster.restart() }
        }
      }
      #expect(found == .outcomeUnknown)
      #expect(runs.value == 1)
    }
  }

  @Test
  func `a stopped database server is unreachable and is used again after its start`() async throws {
    try await withServer { cluster, store in
      try await cluster.stop()
      let found = await reason { try await store.names() }
      #expect(found == .unreachable)
      try await cluster.start()
      try await store.expectNames(["a"])
    }
  }

  @Test
  func `a killed database connection is replaced`() async throws {
    try await withServer { cluster, store in
      try await cluster.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'carrel'")
      try await store.expectNames(["a"])
    }
  }

  private static let server = Task { try await PostgresCluster() }

  private func withServer(_ body: (PostgresCluster, Store) async throws -> Void) async throws {
    let cluster = try await Self.server.value
    try await cluster.withDatabase { address in
      try await withStore(at: try Location(address)) { store in
        try await store.write { tx throws(DatabaseError) in
          try tx.execute(counters)
          try tx.add("a")
        }
        try await body(cluster, store)
      }
    }
  }
}
