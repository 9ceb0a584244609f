import Catalog
import Circulation
import Database
import Shelving
import StoreSupport
import TestSupport
import Testing

/// It stops a server's standby, so it has one of its own.
@Suite(.timeLimit(.minutes(5)), .serialized) struct `A catalogue with a standby` {
  /// Each look is a question to a server and takes its time, so that nothing has to sleep in between.
  private func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if try await isSo() { return true }
    }
    return false
  }

  @Test
  func `a catalog with a standby searches there unless the standby lags too far behind`()
    async throws
  {
    let cluster = try await PostgresCluster()
    try await cluster.withDatabase { address in
      try await withStore(at: Location(address), tables: [Catalog.migrations]) { store in
        try await Catalog(store: store, now: { 1_000 }).take([edition("a", "Owls")])
      }
      try await cluster.withStandby(of: address) { standby in
        var settings = StoreSettings.forTests
        settings.replica = try Location(standby.address)
        settings.replicaLag = .seconds(8)
        try await withStore(at: Location(address), settings) { store in
          let catalog = Catalog(store: store, now: { 1_000 })
          let all = LaneQuery(
            Lane(id: "all", title: "All", .rule(LaneRule())), libraries: [town])
          #expect(try await catalog.found("owls") == ["a"])
          #expect(try await catalog.lane(all).total == 1)
          #expect(
            try await eventually {
              try await store.readAside { tx throws(DatabaseError) in
                try tx.value("SELECT pg_is_in_recovery()")
              }
            })

          try await cluster.query("SELECT pg_wal_replay_pause()", in: standby.address)
          #expect(
            try await eventually {
              try await cluster.query(
                "SELECT pg_get_wal_replay_pause_state()", in: standby.address) == "paused"
            })
          try await catalog.take([edition("b", "Owls at night")])
          // What everybody sees may be seconds old, what is asked of one's own shelf never is.
          #expect(try await catalog.found("owls") == ["a"])
          #expect(try await catalog.lane(all).total == 1)
          #expect(try await catalog.edition(ItemID("b"), at: town) != nil)
          #expect(try await eventually { try await catalog.found("owls").count == 2 })
          #expect(try await catalog.lane(all).total == 2)

          try await cluster.query("SELECT pg_wal_replay_resume()", in: standby.address)
          #expect(
            try await eventually {
              try await store.readAside { tx throws(DatabaseError) in
                try tx.value("SELECT pg_is_in_recovery()")
              }
            })
          #expect(try await catalog.found("owls").count == 2)
          #expect(try await catalog.lane(all).total == 2)
        }
      }
    }
    try await cluster.end()
  }
}
