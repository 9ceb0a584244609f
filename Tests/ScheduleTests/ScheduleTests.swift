import Database
import StoreSupport
import TestSupport
import Testing

@testable import Schedule

@Suite struct `A schedule` {
  @Test(arguments: Engine.allCases)
  func `A schedule keeps a plan as it is when it is planned again`(engine: Engine) async throws {
    try await withSchedule(engine) { schedule, clock in
      let plan = Plan(sync, of: "ada", every: .seconds(1800), firstAt: clock.now + 60_000)
      try await schedule.plan([plan, plan])
      clock.advance(by: 30_000)
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(1800))])
      let records = try await schedule.records(of: [sync])
      #expect(records.map(\.dueAt) == [1_000 * day + 60_000])
      #expect(records.map(\.every) == [.seconds(1800)])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule takes over another pace, and what that brings nearer`(engine: Engine)
    async throws
  {
    try await withSchedule(engine) { schedule, clock in
      let later = clock.now + 3_600_000
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(7200), firstAt: later)])
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(60), firstAt: later)])
      let record = try await schedule.record(sync, "ada")
      #expect(record?.every == .seconds(60) && record?.dueAt == clock.now + 60_000)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule hands out what is due, longest first, and each to one`(engine: Engine)
    async throws
  {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([
        Plan(sync, of: "b", every: .seconds(600), firstAt: clock.now - 5),
        Plan(sync, of: "a", every: .seconds(600), firstAt: clock.now - 9),
        Plan(sync, of: "later", every: .seconds(600), firstAt: clock.now + 1),
        Plan(harvest, of: "city", every: .seconds(600)),
      ])
      #expect(try await schedule.dueCount([sync]) == 2)
      #expect(try await schedule.dueCount([sync, harvest]) == 3)
      #expect(try await schedule.claim([sync], for: "w1", limit: 1).map(\.subject) == ["a"])
      #expect(try await schedule.claim([sync], for: "w2", limit: 9).map(\.subject) == ["b"])
      #expect(try await schedule.claim([sync], for: "w3", limit: 9).isEmpty)
      #expect(try await schedule.claim([], for: "w3", limit: 9).isEmpty)
      #expect(try await schedule.claim([harvest], for: "w3", limit: 0).isEmpty)
      #expect(try await schedule.dueCount([sync, harvest]) == 1)
      #expect(try await schedule.record(sync, "a")?.owner == "w1")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule leaves out what fell due after a moment`(engine: Engine) async throws {
    try await withSchedule(engine) { schedule, clock in
      let start = clock.now
      try await schedule.plan([Plan(sync, of: "a", every: .seconds(60))])
      clock.advance(by: 5)
      try await schedule.plan([Plan(sync, of: "b", every: .seconds(60))])
      let jobs = try await schedule.claim([sync], for: "w", limit: 9, dueBy: start)
      #expect(jobs.map(\.subject) == ["a"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule counts the next time from the plan`(engine: Engine) async throws {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(100))])
      clock.advance(by: 30_000)
      let job = try #require(try await schedule.claim([sync], for: "w", limit: 1).first)
      clock.advance(by: 10_000)
      #expect(try await schedule.finish(job, .done(note: "3 cards\0"), jitter: 0))
      let record = try #require(try await schedule.record(sync, "ada"))
      #expect(record.dueAt == clock.now + 60_000)
      #expect(record.startedAt == clock.now - 10_000 && record.endedAt == clock.now)
      #expect(record.outcome == "done" && record.note == "3 cards" && record.owner == nil)
      #expect(try await !schedule.finish(job, .done(note: nil), jitter: 0))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule tries a failure again, later each time, but never later than planned`(
    engine: Engine
  ) async throws {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(300))])
      var waits: [Int64] = []
      for failure in 1...5 {
        let job = try #require(try await schedule.claim([sync], for: "w", limit: 1).first)
        #expect(try await schedule.finish(job, .failed(note: "the vault is locked"), jitter: 0))
        let record = try #require(try await schedule.record(sync, "ada"))
        #expect(record.failures == failure && record.note == "the vault is locked")
        waits.append((record.dueAt - clock.now) / 1000)
        clock.advance(by: record.dueAt - clock.now)
      }
      #expect(waits == [60, 120, 240, 300, 300])
      let job = try #require(try await schedule.claim([sync], for: "w", limit: 1).first)
      try await schedule.finish(job, .done(note: nil), jitter: 0)
      #expect(try await schedule.record(sync, "ada")?.failures == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule gives the job of a silent worker to another after the lease`(engine: Engine)
    async throws
  {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(600))])
      let first = try #require(try await schedule.claim([sync], for: "w1", limit: 1).first)
      clock.advance(by: 20_000)
      #expect(try await schedule.extend(first))
      clock.advance(by: 29_999)
      #expect(try await schedule.claim([sync], for: "w2", limit: 1).isEmpty)
      clock.advance(by: 1)
      let second = try #require(try await schedule.claim([sync], for: "w2", limit: 1).first)
      // The one that was only slow has nothing to say any more.
      #expect(try await !schedule.extend(first))
      #expect(try await !schedule.giveBack(first))
      #expect(try await !schedule.finish(first, .over(note: nil), jitter: 0))
      #expect(try await schedule.finish(second, .done(note: nil), jitter: 0))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule takes a job back as if it had not been claimed`(engine: Engine) async throws {
    try await withSchedule(engine) { schedule, _ in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(600))])
      let job = try #require(try await schedule.claim([sync], for: "w1", limit: 1).first)
      #expect(try await schedule.giveBack(job))
      let again = try await schedule.claim([sync], for: "w2", limit: 1)
      #expect(again.map(\.subject) == ["ada"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule forgets what is over, and what it is told to forget`(engine: Engine) async throws
  {
    try await withSchedule(engine) { schedule, _ in
      try await schedule.plan(["a", "b", "c"].map { Plan(sync, of: $0, every: .seconds(60)) })
      let job = try #require(try await schedule.claim([sync], for: "w", limit: 1).first)
      #expect(try await schedule.finish(job, .over(note: "nobody of that name"), jitter: 0))
      try await schedule.forget(sync, of: "b")
      try await schedule.forget(sync, of: "nobody")
      #expect(try await schedule.records(of: [sync]).map(\.subject) == ["c"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A schedule makes a job due at once, and none later than it was`(engine: Engine) async throws
  {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([
        Plan(sync, of: "a", every: .seconds(60), firstAt: clock.now + 50_000),
        Plan(sync, of: "b", every: .seconds(60), firstAt: clock.now - 7),
      ])
      for subject in ["a", "b", "nobody"] { try await schedule.hasten(sync, of: subject) }
      #expect(try await schedule.records(of: [sync]).map(\.dueAt) == [clock.now - 7, clock.now])
    }
  }
}

@Suite struct `A clock that is set` {
  @Test(arguments: Engine.allCases)
  func `A clock that is set back a day holds up nothing for a day`(engine: Engine) async throws {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([
        Plan(sync, of: "waits", every: .seconds(600), firstAt: clock.now + 300_000),
        Plan(sync, of: "held", every: .seconds(600)),
      ])
      let held = try #require(try await schedule.claim([sync], for: "w1", limit: 1).first)
      #expect(held.subject == "held")
      clock.advance(by: -day)
      let jobs = try await schedule.claim([sync], for: "w2", limit: 9)
      #expect(Set(jobs.map(\.subject)) == ["waits", "held"])
      for job in jobs { #expect(try await schedule.finish(job, .done(note: nil), jitter: 0.5)) }
      for record in try await schedule.records(of: [sync]) {
        #expect(record.dueAt > clock.now && record.dueAt <= clock.now + 600_000)
      }
      #expect(try await schedule.claim([sync], for: "w2", limit: 9).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `setting the clock back a day in the middle of a job leaves the job with its worker`(
    engine: Engine
  ) async throws {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan([Plan(sync, of: "ada", every: .seconds(600))])
      let job = try #require(try await schedule.claim([sync], for: "w1", limit: 1).first)
      clock.advance(by: -day)
      #expect(try await schedule.extend(job))
      #expect(try await schedule.claim([sync], for: "w2", limit: 1).isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `gateways whose clocks differ by seconds take no job from each other`(
    engine: Engine
  ) async throws {
    try await withSchedule(engine) { schedule, clock in
      try await schedule.plan(["a", "b"].map { Plan(sync, of: $0, every: .seconds(60)) })
      let job = try #require(try await schedule.claim([sync], for: "ahead", limit: 1).first)
      try await schedule.finish(job, .done(note: nil), jitter: 0)
      _ = try await schedule.claim([sync], for: "ahead", limit: 1)
      clock.advance(by: -20_000)
      #expect(try await schedule.claim([sync], for: "behind", limit: 9).isEmpty)
    }
  }
}

@Suite struct `The next time of a job` {
  @Test
  func `the next run of a job lies between half a period and one period ahead for any clock`() {
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let period = Int64.random(in: 1_000...100_000_000, using: &chance)
      let now = Int64.random(in: -1_000_000_000_000...2_000_000_000_000, using: &chance)
      let due = now &+ Int64.random(in: -3_000_000_000_000...3_000_000_000_000, using: &chance)
      let pace = Pace(period: period, jitter: .random(in: 0..<1, using: &chance))
      let next = pace.next(after: due, now: now)
      #expect(next >= now + period / 2 && next <= now + period, "\(period) \(now) \(due)")
      let failures = Int64.random(in: 1...200, using: &chance)
      let retry = pace.retry(after: failures, from: now, first: 60_000)
      #expect(retry > now && retry <= now + period, "\(period) \(failures)")
    }
    for edge in [Int64.min, .max, 0] {
      let next = Pace(period: 1_000, jitter: 0).next(after: edge, now: 5_000)
      #expect(next > 5_000 && next <= 6_000)
    }
  }
}
