import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Many tasks share a store` {
  @Test(arguments: Engine.allCases)
  func `a hundred concurrent transactions that change one row all take effect`(engine: Engine)
    async throws
  {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in try tx.add("hits") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            try await store.write { tx throws(DatabaseError) in
              let hits: Int = try tx.value("SELECT number FROM counter WHERE name = 'hits'")
              try tx.execute("UPDATE counter SET number = \(hits + 1) WHERE name = 'hits'")
            }
          }
        }
        try await group.waitForAll()
      }
      let hits = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT number FROM counter WHERE name = 'hits'", as: Int.self)
      }
      #expect(hits == 100)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a hundred concurrent readers and writers of a store all finish`(engine: Engine) async throws
  {
    try await withCounters(engine) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            try await store.write { tx throws(DatabaseError) in try tx.add("n\(number)") }
          }
          group.addTask { _ = try await store.names() }
        }
        try await group.waitForAll()
      }
      #expect(try await store.names().count == 100)
    }
  }

  @Test(arguments: Engine.allCases)
  func `tasks that wait for a database connection are served in order`(engine: Engine) async throws
  {
    var settings = StoreSettings.forTests
    settings.connections = 1
    try await withStore(engine, settings) { store in
      let order = Box<[Int]>([])
      let (started, release) = (Gate(), Gate())
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await store.write { _ throws(DatabaseError) in
            started.open()
            release.wait()
          }
        }
        await started.wait()
        for number in 0..<10 {
          let deadline = ContinuousClock.now + .seconds(30)
          group.addTask {
            try await store.write(by: deadline) { _ throws(DatabaseError) in
              order.change { $0.append(number) }
            }
          }
          while store.waitingWriters <= number { await Task.yield() }
        }
        release.open()
        try await group.waitForAll()
      }
      #expect(order.value == Array(0..<10))
    }
  }

  @Test(arguments: Engine.allCases)
  func `a closed store answers that it is closed`(engine: Engine) async throws {
    try await withStore(engine) { store in
      await store.close()
      await store.close()
      #expect(await reason { try await store.read { _ throws(DatabaseError) in 1 } } == .closed)
      #expect(await reason { try await store.write { _ throws(DatabaseError) in 1 } } == .closed)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Many tasks share a store: closing lets running work end`(engine: Engine) async throws {
    try await withLocation(engine) { location in
      try await withStore(at: location) { store in
        try await store.write { tx throws(DatabaseError) in try tx.execute(counters) }
        let (started, release) = (Gate(), Gate())
        async let work: Void = store.write { tx throws(DatabaseError) in
          started.open()
          release.wait()
          try tx.add("kept")
        }
        await started.wait()
        async let closing: Void = store.close()
        release.open()
        try await work
        await closing
      }
      let names = try await withStore(at: location) { store in try await store.names() }
      #expect(names == ["kept"])
    }
  }
}
