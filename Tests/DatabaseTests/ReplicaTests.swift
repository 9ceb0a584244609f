import Database
import StoreSupport
import TestSupport
import Testing

/// These stop servers, so they have their own and use them one after the other.
@Suite(.timeLimit(.minutes(5)), .serialized) struct `A standby` {
  private func isAsked(_ store: Store) async throws -> Bool {
    try await store.readAside { tx throws(DatabaseError) in
      try tx.value("SELECT pg_is_in_recovery()")
    }
  }

  /// Each look is a question to a server and takes its time, so that nothing has to sleep in between.
  private func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      if try await isSo() { return true }
    }
    return false
  }

  @Test func `A standby is read from while it follows, and the server where it lags or is away`()
    async throws
  {
    let cluster = try await PostgresCluster()
    try await cluster.withDatabase { address in
      try await cluster.withStandby(of: address) { standby in
        var settings = StoreSettings.forTests
        settings.replica = try Location(standby.address)
        settings.replicaLag = .seconds(1)
        try await withStore(at: Location(address), settings) { store in
          try await store.write { tx throws(DatabaseError) in
            try tx.execute("CREATE TABLE word (word TEXT)")
          }
          #expect(try await eventually { try await isAsked(store) })
          #expect(try await eventually { await store.standby()?.lag == .zero })
          // Its own reads and writes never go there.
          let isCopy = try await store.read { tx throws(DatabaseError) -> Bool in
            try tx.value("SELECT pg_is_in_recovery()")
          }
          #expect(!isCopy)

          try await cluster.query("SELECT pg_wal_replay_pause()", in: standby.address)
          try await store.write { tx throws(DatabaseError) in
            try tx.execute("INSERT INTO word VALUES ('new')")
          }
          #expect(try await eventually { try await !isAsked(store) })
          let words = try await store.readAside { tx throws(DatabaseError) -> Int in
            try tx.value("SELECT count(*) FROM word")
          }
          #expect(words == 1)
          let behind = try #require(await store.standby())
          #expect(behind.isUp && (behind.lag ?? .zero) > .seconds(1))
          try await cluster.query("SELECT pg_wal_replay_resume()", in: standby.address)
          #expect(try await eventually { try await isAsked(store) })

          try await standby.stop()
          for _ in 0..<20 { #expect(try await !isAsked(store)) }
          let away = try #require(await store.standby())
          #expect(!away.isUp && away.lag == nil)
        }
      }
    }
    try await cluster.end()
  }

  @Test func `A standby or no standby: programs hear each other, also after the server was away`()
    async throws
  {
    let cluster = try await PostgresCluster()
    try await cluster.withDatabase { address in
      try await withStore(at: Location(address)) { store in
        try await withStore(at: Location(address)) { other in
          let line = try #require(try store.news(holding: 7))
          var news = line.makeAsyncIterator()
          #expect(await news.next() == .listening)
          try await other.write { tx throws(DatabaseError) in try tx.tell("hello") }
          #expect(await news.next() == .told("hello"))
          // What is undone was never said.
          struct Undone: Error {}
          _ = try await other.decide { tx throws(DatabaseError) -> Result<Void, Undone> in
            try tx.tell("never")
            return .failure(Undone())
          }
          let isHeld = try await other.write { tx throws(DatabaseError) in
            try tx.isAnybodyHolding(7)
          }
          #expect(isHeld)
          try await cluster.restart()
          #expect(await news.next() == .deaf)
          while await news.next() != .listening {}
          try await other.write { tx throws(DatabaseError) in try tx.tell("again") }
          #expect(await news.next() == .told("again"))
        }
      }
    }
    try await cluster.end()
  }
}
