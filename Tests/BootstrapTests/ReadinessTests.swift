// Over 300 lines because each fault of readiness is played on both engines.
import Crypto
import Database
import HTTPServer
import Items
import Log
import Machine
import Setup
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Bootstrap

@Suite(.timeLimit(.minutes(5)), .serialized) struct `Readiness of a gateway` {
  private static let engines = TestSupport.Engine.allCases

  private func kinds(_ house: House) async -> [ReadinessFault.Kind] {
    await ReadinessCheck(house).faults().map(\.kind)
  }

  // MARK: - The vault

  @Test(arguments: engines)
  func `a gateway with a vault that opens has no readiness fault`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      try await stage.open { house in
        let check = ReadinessCheck(house)
        #expect(await check.faults() == [])
        #expect(check.vault == .open)
      }
    }
  }

  @Test(arguments: engines)
  func `a gateway without sealed secrets is ready without a vault and does not create one`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine, secrets: false) { stage in
      try await stage.open { house in
        let check = ReadinessCheck(house)
        #expect(await check.faults() == [])
        #expect(check.vault == .unused)
        #expect((try? WholeFile.read(stage.keyFile, upTo: 64)) == nil)
      }
    }
  }

  @Test(arguments: engines)
  func `a missing key file leaves the vault locked and the gateway not ready, but lets it start`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      try GuardedFile.remove(stage.keyFile)
      try await stage.open { house in
        try await house.refuseWrongKey()
        let faults = await ReadinessCheck(house).faults()
        #expect(faults.map(\.kind) == [.vault])
        #expect(faults.first?.text == "the vault is locked", "no path is shown to everyone")
        #expect(faults.first?.detail?.contains(stage.keyFile) == true)
      }
    }
  }

  @Test(arguments: engines)
  func `a passphrase that was not given leaves the vault locked and the gateway not ready`(
    engine: TestSupport.Engine
  ) async throws {
    try await withTemporaryFolder { keys in
      let file = try keys.write(Array("a tune".utf8), to: "passphrase")
      let settings = ["vault.source": "passphrase", "vault.passphrase_file": file]
      try await ReadinessStage.play(engine, settings: settings) { stage in
        try await stage.open { house in #expect(await kinds(house) == []) }
        try GuardedFile.remove(file)
        try await stage.open { house in
          try await house.refuseWrongKey()
          let faults = await ReadinessCheck(house).faults()
          #expect(faults.map(\.whole) == ["the vault is locked: \(VaultError.sealed)"])
        }
        try keys.write(Array("another tune".utf8), to: "passphrase")
        try await stage.open { house in
          // Looked at twice: a passphrase that was wrong is not kept, and why it is locked is.
          for _ in 0..<2 {
            let faults = await ReadinessCheck(house).faults()
            #expect(faults.map(\.whole) == ["the vault's key is wrong: \(VaultError.wrongKey)"])
          }
        }
      }
    }
  }

  @Test(arguments: engines)
  func `a gateway with a wrong key is not ready and does not start, and running ones stay ready`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      try await stage.open { running in
        #expect(await kinds(running) == [])
        try stage.writeKey(7)
        try await stage.open { late in
          let faults = await ReadinessCheck(late).faults()
          #expect(faults.map(\.whole) == ["the vault's key is wrong: \(VaultError.wrongKey)"])
          let refusal = await #expect(throws: ServeError.self) { try await late.refuseWrongKey() }
          #expect(refusal?.cause?.code == "vault_key_wrong")
        }
        #expect(await kinds(running) == [])
      }
    }
  }

  @Test(arguments: engines)
  func `a key change leaves running gateways ready, and a gateway starts on a half-done one`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      let old = try WholeFile.read(stage.keyFile, upTo: 64)
      try await stage.open { running in
        #expect(await kinds(running) == [])
        try await stage.open { changer in
          try await changer.door.vault().changeKeyFile(at: stage.keyFile)
        }
        #expect(await kinds(running) == [])
        // As a kill leaves it between the table and the file: the new key still lies beside the old.
        let new = try WholeFile.read(stage.keyFile, upTo: 64)
        try WholeFile.write(new, to: "\(stage.keyFile).next")
        try WholeFile.write(old, to: stage.keyFile)
        try await stage.open { late in
          try await late.refuseWrongKey()
          #expect(await kinds(late) == [])
        }
        try await stage.open { other in
          try await other.door.vault().addKey(at: 1)
        }
        #expect(await kinds(running) == [], "it takes the new data key over")
      }
    }
  }

  @Test(arguments: engines)
  func `a missing key table beside sealed secrets is a readiness fault of the vault`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      switch engine {
      case .sqlite: try GuardedFile.remove(stage.folder.path("data/vault.keys"))
      case .postgres:
        try await stage.open { house in
          _ = try await house.store.write { tx throws(DatabaseError) in
            try tx.execute("DELETE FROM vault_key_table")
          }
        }
      }
      try await stage.open { house in
        // Nor does a sign-in make a new table, which would hide that the old one is lost.
        await #expect(throws: VaultError.keyTableLost) { try await house.door.vault() }
        let faults = await ReadinessCheck(house).faults()
        #expect(faults.map(\.kind) == [.vault])
        #expect(faults.first?.text.contains("table of keys is missing") == true)
      }
    }
  }

  // MARK: - The database

  /// The engine's own answer to a full disk, at the commit of each write.
  @Test(arguments: engines)
  func `a database whose commits meet a full disk makes the gateway not ready until there is room`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      let isFull = Atomic(false)
      let trial = HouseTrial(
        store: StoreTrial { step, mode in
          isFull.load(ordering: .relaxed) && step == .commit && mode == .writing ? .full : nil
        })
      try await stage.open(trial: trial) { house in
        let check = ReadinessCheck(house)
        #expect(await check.faults() == [])
        isFull.store(true, ordering: .relaxed)
        #expect(
          await check.faults().map(\.text)
            == ["the database cannot be written to: its disk is full"])
        isFull.store(false, ordering: .relaxed)
        #expect(await check.faults() == [])
      }
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a disk"))
  func `a SQLite file on a disk that is really full makes the gateway not ready`() async throws {
    try await SmallDisk.with(kilobytes: 16 << 10) { disk in
      try await withTemporaryFolder { folder in
        let stage = ReadinessStage(
          folder: folder, on: "\(disk.path)/test.sqlite3")
        try await stage.open { house in
          let check = ReadinessCheck(house)
          #expect(await check.faults() == [])
          try disk.fill()
          #expect(await check.faults().map(\.kind) == [.database])
          try disk.empty()
          #expect(await check.faults() == [])
        }
      }
    }
  }

  /// The table of the probe lies on a disk of its own, which is full before its first row.
  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a disk"))
  func `a PostgreSQL server whose disk is really full makes the gateway not ready`() async throws {
    let cluster = try await PostgresCluster()
    do {
      try await SmallDisk.with(kilobytes: 512) { disk in
        let place = "\(disk.path)/space"
        try await cluster.withDatabase { address in
          try await withTemporaryFolder { folder in
            let stage = ReadinessStage(folder: folder, on: address)
            try await stage.open { house in
              _ = try await run("install", ["-d", "-o", "postgres", "-m", "700", place])
              try await cluster.query(
                "CREATE TABLESPACE small LOCATION '\(place)'", in: address)
              try await cluster.query(
                "ALTER TABLE gateway_fact SET TABLESPACE small; CHECKPOINT", in: address)
              try disk.fill()
              let check = ReadinessCheck(house)
              #expect(
                await check.faults().map(\.text)
                  == ["the database cannot be written to: its disk is full"])
              try disk.empty()
              #expect(await check.faults() == [])
            }
          }
        }
      }
    } catch {
      try? await cluster.end()
      throw error
    }
    try await cluster.end()
  }

  @Test(arguments: engines)
  func `a database that lacks a migration makes the gateway not ready`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      try await stage.open { house in
        _ = try await house.store.write { tx throws(DatabaseError) in
          try tx.execute("DELETE FROM carrel_migration WHERE service = 'gateway'")
        }
        #expect(
          await ReadinessCheck(house).faults()
            == [
              ReadinessFault(.migration, "the database has not all tables of this program")
            ])
        _ = try await house.store.write { tx throws(DatabaseError) in
          try tx.execute(
            """
            INSERT INTO carrel_migration (service, position, name, checksum, applied_at)
            VALUES ('tomorrow', 0, 'things', '', 0)
            """)
        }
        #expect(
          await ReadinessCheck(house).faults()
            == [ReadinessFault(.migration, "the database has tables of a newer program")])
      }
    }
  }

  // MARK: - The clock

  @Test(arguments: engines)
  func `a clock before the program was made or far in the future makes the gateway not ready`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      let now = stage.calendar.now
      for wrong in [Timestamp.epoch, ReadinessCheck.latestTime + .seconds(1)] {
        stage.calendar.pass(wrong - stage.calendar.now)
        try await stage.open { house in
          let faults = await ReadinessCheck(house).faults()
          #expect(faults.map(\.kind) == [.clock])
          #expect(faults.first?.text.hasPrefix("the clock says ") == true)
        }
      }
      // What it wrote meanwhile makes nobody doubt a clock that is right.
      stage.calendar.pass(now - stage.calendar.now)
      try await stage.open { house in #expect(await kinds(house) == []) }
    }
  }

  @Test(arguments: engines)
  func `a clock far behind the newest stored time is a readiness fault for one hour`(
    engine: TestSupport.Engine
  ) async throws {
    try await ReadinessStage.play(engine) { stage in
      let virtual = VirtualTime()
      try await stage.open(monotonic: virtual.time) { house in
        let check = ReadinessCheck(house)
        let now = stage.calendar.now.millisecondsSinceEpoch
        _ = try await house.store.write { tx throws(DatabaseError) in
          try tx.set(.newestTime, to: now + 3 * 86_400_000)
        }
        for _ in 0..<3 { #expect(await check.faults().map(\.kind) == [.clock]) }
        virtual.advance(by: ReadinessCheck.clockPatience)
        // The look that takes the clock for right still tells of what it found.
        _ = await check.faults()
        #expect(await check.faults() == [])
        // A few minutes are nothing.
        stage.calendar.pass(.seconds(-600))
        #expect(await check.faults() == [])
      }
    }
  }

  @Test func `a clock a day apart from the database server's is a readiness fault`() async throws {
    try await ReadinessStage.play(.postgres) { stage in
      stage.calendar.pass(.seconds(2 * 86_400))
      try await stage.open { house in
        let faults = await ReadinessCheck(house).faults()
        #expect(faults.map(\.kind) == [.clock])
        #expect(faults.first?.text.contains("the database server") == true)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The readiness answer` {
  private static let fault = ReadinessFault(.database, "the database cannot be written to")

  private func ready() -> Readiness {
    let readiness = Readiness()
    readiness.become(.ready)
    return readiness
  }

  @Test func `the readiness check queries the database at most once in ten seconds`() async {
    let looks = Mutex(0)
    let virtual = VirtualTime()
    let fitness = Fitness(ready(), time: virtual.time) {
      looks.withLock { $0 += 1 }
      return []
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = await fitness.faults() } }
    }
    #expect(looks.withLock { $0 } == 1)
    virtual.advance(by: .milliseconds(9_900))
    _ = await fitness.faults()
    #expect(looks.withLock { $0 } == 1)
    virtual.advance(by: .milliseconds(200))
    _ = await fitness.faults()
    #expect(looks.withLock { $0 } == 2)
  }

  @Test func `each readiness fault is logged once as an error, and its recovery once`() async {
    let faults = Mutex<[ReadinessFault]>([])
    let (virtual, log) = (VirtualTime(), KeptLog())
    let fitness = Fitness(ready(), logger: log.logger, time: virtual.time) {
      faults.withLock { $0 }
    }
    func look() async {
      virtual.advance(by: Fitness.freshness)
      _ = await fitness.faults()
    }
    await look()
    #expect(log.lines.isEmpty)
    faults.withLock { $0 = [Self.fault] }
    for _ in 0..<3 { await look() }
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.contains("level=error") == true)
    #expect(log.lines.first?.contains("cannot be written to") == true)
    faults.withLock { $0 = [Self.fault, ReadinessFault(.vault, "the vault is locked")] }
    for _ in 0..<3 { await look() }
    #expect(log.lines.count == 2)
    #expect(log.lines.last?.contains("the vault is locked") == true)
    faults.withLock { $0 = [] }
    for _ in 0..<3 { await look() }
    #expect(log.lines.count == 3)
    #expect(log.lines.last?.contains("level=info") == true)
  }

  @Test
  func `a readiness request is answered in time while the check hangs, and recovers after it`()
    async
  {
    let virtual = VirtualTime()
    let (gate, opening) = AsyncStream.makeStream(of: Never.self)
    let fitness = Fitness(ready(), time: virtual.time) {
      for await _ in gate {}
      return []
    }
    async let first = fitness.reasons()
    await virtual.whenAsleep()
    virtual.advance(by: Fitness.limit)
    #expect(await first == ["the database or the vault did not answer within 3 s"])
    // Nobody waits for the same look a second time.
    #expect(await fitness.reasons().count == 1)
    opening.finish()
    while await !fitness.reasons().isEmpty { await Task.yield() }
  }
}

@Suite struct `The count of crashes` {
  @Test func `the crash count rises by one for each end without a clean stop`() throws {
    let folder = try TestSupport.TemporaryFolder()
    func started() throws -> CrashCount { try CrashCount(in: folder.path) }
    try started().end()
    #expect(try started().total == 0)
    // That one was let go without its end, as a killed process lets go of its files.
    let next = try started()
    #expect(next.found == 1 && next.total == 1)
    // A second gateway on the same folder meets one that runs.
    let beside = try started()
    #expect(beside.found == 0 && beside.total == 1)
    next.end()
    beside.end()
    #expect(try started().found == 0)
  }
}

@Suite struct `The ends of certificates` {
  @Test
  func `the gateway reports the earliest end of its license root certificates`() async throws {
    let root = try IssuingKey.p256()
    let ends: [Int64] = [1_900_000_000, 1_800_000_000]
    let pem = try ends.map { end in
      try root.certificate(IssuingKey.Wanted(name: "root", from: 1_700_000_000, until: end)).pem
    }
    try await withTemporaryFolder { keys in
      let file = try keys.write(Array(pem.joined().utf8), to: "roots.pem")
      let settings = ["lcp.roots_file": file]
      try await ReadinessStage.play(.sqlite, secrets: false, settings: settings) { stage in
        try await stage.open { house in
          let known = house.certificateEnds
          #expect(known.map(\.use) == ["lcp"])
          #expect(known.map(\.end) == [1_800_000_000])
        }
      }
    }
  }
}
