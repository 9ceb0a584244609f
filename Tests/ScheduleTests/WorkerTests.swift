import Database
import Machine
import StoreSupport
import TestSupport
import Testing

@testable import Schedule

private func withVirtual<R>(
  _ engine: Engine, _ body: (Schedule, VirtualTime) async throws -> R
) async throws -> R {
  try await withStore(engine, tables: [Schedule.migrations]) { store in
    let virtual = VirtualTime(startingAt: Timestamp(millisecondsSinceEpoch: 1_000 * day))
    let time = virtual.time
    let now: @Sendable () -> Int64 = { time.now().millisecondsSinceEpoch }
    return try await body(Schedule(store: store, now: now), virtual)
  }
}

private func worker(
  _ schedule: Schedule, _ virtual: VirtualTime, atOnce: Int = 1, named name: String = "w",
  _ crafts: [JobKind: Craft], tell: @escaping @Sendable (WorkEvent) -> Void = { _ in }
) -> Worker {
  var settings = Worker.Settings()
  settings.atOnce = atOnce
  return Worker(
    schedule, crafts: crafts, name: name, settings: settings, time: virtual.time, jitter: { 0 },
    tell: tell)
}

@Suite struct `A worker` {
  /// Each with a way of its own into the database, as ten gateways have it.
  @Test(.timeLimit(.minutes(2)), arguments: Engine.allCases)
  func `A worker is one of ten, and of a thousand jobs each is done once`(engine: Engine)
    async throws
  {
    try await engine.withAddress { address in
      let location = try Location(address)
      let clock = Clock(at: 1_000 * day)
      try await withStore(at: location, tables: [Schedule.migrations]) { store in
        try await Schedule(store: store, now: { clock.now }).plan(
          (0..<1_000).map { Plan(sync, of: "reader \($0)", every: .seconds(600)) })
      }
      let tally = Tally()
      let time = VirtualTime(startingAt: Timestamp(millisecondsSinceEpoch: clock.now)).time
      try await withThrowingTaskGroup { group in
        for number in 0..<10 {
          group.addTask {
            try await withStore(at: location) { store in
              let schedule = Schedule(store: store, now: { clock.now })
              var settings = Worker.Settings()
              settings.atOnce = 2
              let craft = Craft { subject, _ in
                tally.count(subject)
                return .done(note: nil)
              }
              await Worker(
                schedule, crafts: [sync: craft], name: "w\(number)", settings: settings, time: time,
                tell: { event in
                  switch event {
                  case .ended: tally.count("ended")
                  case .lost: tally.count("lost")
                  case .database: tally.count("trouble")
                  }
                }
              ).runDue()
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(tally.all["ended"] == 1_000)
      #expect(tally.all["lost"] == nil && tally.all["trouble"] == nil)
      #expect(tally.all.count == 1_001 && tally.all.values.filter { $0 == 1 }.count == 1_000)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker does what is due, again and again, until it is stopped`(engine: Engine)
    async throws
  {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(60))])
      let tally = Tally()
      let worker = worker(
        schedule, virtual,
        [
          sync: Craft { subject, _ in
            tally.count(subject)
            return .done(note: nil)
          }
        ])
      let running = Task { await worker.run() }
      var looks = 0
      while tally.all["ada", default: 0] < 4, looks < 1_000 {
        await virtual.whenAsleep()
        virtual.advance(by: .seconds(5))
        looks += 1
      }
      // Three periods, looked at each five seconds, and not much more.
      #expect(looks >= 36 && looks < 60)
      running.cancel()
      await running.value
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker does other work while long work of a limited kind is done`(engine: Engine)
    async throws
  {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan(
        (0..<4).map { Plan(harvest, of: "catalog \($0)", every: .seconds(600)) })
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(600))])
      let tally = Tally()
      let (isSynced, synced) = AsyncStream.makeStream(of: Void.self)
      let worker = worker(
        schedule, virtual, atOnce: 4,
        [
          harvest: Craft(atOnce: 1) { _, _ in
            tally.count("begun")
            // Ends only once the other work is done beside it.
            for await _ in isSynced { break }
            return .done(note: nil)
          },
          sync: Craft { _, _ in
            tally.count("synced \(tally.all["begun", default: 0])")
            synced.finish()
            return .done(note: nil)
          },
        ])
      await worker.runDue()
      #expect(tally.all["begun"] == 4)
      #expect(tally.all["synced 0"] ?? tally.all["synced 1"] == 1)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker takes over what one that was killed had in hand, after its lease`(
    engine: Engine
  ) async throws {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(600))])
      // Killed, it neither ends its job nor lays it back.
      #expect(try await schedule.claim([sync], for: "killed", limit: 1).count == 1)
      let tally = Tally()
      let worker = worker(
        schedule, virtual, atOnce: 2,
        [
          sync: Craft { subject, _ in
            tally.count(subject)
            return .done(note: nil)
          }
        ])
      let running = Task { await worker.run() }
      var looks = 0
      while tally.all.isEmpty, looks < 1_000 {
        await virtual.whenAsleep(2)
        #expect(looks >= 6 || tally.all.isEmpty)
        virtual.advance(by: .seconds(5))
        looks += 1
      }
      running.cancel()
      await running.value
      #expect(looks >= 6 && tally.all == ["ada": 1])
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker does each job once when it is to do what is due`(engine: Engine) async throws {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan(
        ["good", "bad", "over"].map { Plan(sync, of: $0, every: .seconds(1)) })
      let tally = Tally()
      await worker(
        schedule, virtual, atOnce: 3,
        [
          sync: Craft { subject, _ in
            tally.count(subject)
            // Slow enough for the others to be due again.
            virtual.advance(by: .seconds(2))
            switch subject {
            case "good": return .done(note: nil)
            case "bad": return .failed(note: "no answer")
            default: return .over(note: nil)
            }
          }
        ]
      ).runDue()
      #expect(tally.all == ["good": 1, "bad": 1, "over": 1])
      let records = try await schedule.records(of: [sync])
      #expect(Set(records.map(\.outcome)) == ["done", "failed"])
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker keeps a long job by its heart-beat`(engine: Engine) async throws {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan([Plan(harvest, of: "city", every: .seconds(600))])
      let time = virtual.time
      let worker = worker(
        schedule, virtual,
        [
          harvest: Craft { _, _ in
            // Nine beats long.
            do { try await time.sleep(for: .seconds(95)) } catch {
              return .failed(note: "called off")
            }
            return .done(note: nil)
          }
        ])
      let running = Task { await worker.runDue() }
      for _ in 0..<9 {
        await virtual.whenAsleep(2)
        virtual.advance(by: .seconds(10))
        await virtual.whenAsleep(2)
        #expect(try await schedule.claim([harvest], for: "thief", limit: 1).isEmpty)
      }
      virtual.advance(by: .seconds(5))
      await running.value
      #expect(try await schedule.record(harvest, "city")?.outcome == "done")
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker is called off when a job takes longer than it may`(engine: Engine) async throws {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan([Plan(harvest, of: "city", every: .seconds(600))])
      let time = virtual.time
      let worker = worker(
        schedule, virtual,
        [
          harvest: Craft(limit: .seconds(7)) { _, _ in
            do { try await time.sleep(for: .seconds(3600)) } catch {
              return .failed(note: "it took too long")
            }
            return .done(note: nil)
          }
        ])
      let running = Task { await worker.runDue() }
      await virtual.whenAsleep(2)
      virtual.advance(by: .seconds(7))
      await running.value
      #expect(try await schedule.record(harvest, "city")?.note == "it took too long")
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker lays down what it did not finish when it is stopped`(engine: Engine) async throws {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan(["a", "b"].map { Plan(sync, of: $0, every: .seconds(600)) })
      let time = virtual.time
      let worker = worker(
        schedule, virtual, atOnce: 2,
        [
          sync: Craft { _, _ in
            do { try await time.sleep(for: .seconds(60)) } catch {
              return .failed(note: "called off")
            }
            return .done(note: nil)
          }
        ])
      let running = Task { await worker.run() }
      await virtual.whenAsleep(4)
      running.cancel()
      await running.value
      let records = try await schedule.records(of: [sync])
      #expect(records.allSatisfy { $0.owner == nil && $0.failures == 0 && $0.outcome == nil })
      #expect(try await schedule.dueCount([sync]) == 2)
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: Engine.allCases)
  func `A worker that lost its job says so and changes nothing`(engine: Engine) async throws {
    try await withVirtual(engine) { schedule, virtual in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(600))])
      let tally = Tally()
      let time = virtual.time
      var brief = Schedule.Settings()
      brief.lease = .seconds(10)
      let ahead = Schedule(
        store: schedule.store, settings: brief,
        now: { time.now().millisecondsSinceEpoch + 31_000 })
      let worker = worker(
        schedule, virtual,
        [
          sync: Craft { _, _ in
            // By the clock of the other its time is over. Ours stands still, or it would be renewed.
            _ = try? await ahead.claim([sync], for: "other", limit: 1)
            return .done(note: "too late")
          }
        ],
        tell: { if case .lost = $0 { tally.count("lost") } })
      await worker.runDue()
      #expect(tally.all == ["lost": 1])
      let record = try await schedule.record(sync, "ada")
      #expect(record?.owner == "other" && record?.note == nil)
    }
  }
}
