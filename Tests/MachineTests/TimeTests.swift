import Machine
import Testing

@Suite struct `Virtual time` {
  let virtual = VirtualTime(startingAt: Timestamp(secondsSinceEpoch: 1000))

  @Test func `Virtual time stands still until moved, and moves both clocks`() {
    let before = virtual.time.monotonic()
    #expect(virtual.time.now() == Timestamp(secondsSinceEpoch: 1000))
    virtual.advance(by: .seconds(21 * 86_400))
    #expect(virtual.time.now() == Timestamp(secondsSinceEpoch: 1000 + 21 * 86_400))
    #expect(before.duration(to: virtual.time.monotonic()) == .seconds(21 * 86_400))
  }

  @Test func `Virtual time wakes only those who are due`() async throws {
    let time = virtual.time
    let early = Task { try await time.sleep(for: .seconds(10)) }
    await virtual.whenAsleep(1)
    let late = Task { try await time.sleep(for: .seconds(20)) }
    await virtual.whenAsleep(2)
    virtual.advance(by: .seconds(10))
    try await early.value
    #expect(virtual.sleeperCount == 1)
    virtual.advance(by: .seconds(10))
    try await late.value
  }

  @Test func `Virtual time wakes the earliest deadline first`() async throws {
    let time = virtual.time
    // Moved step by step: tasks resumed together run in no promised order.
    let woken = try await withThrowingTaskGroup(of: Int.self) { group in
      for seconds in [30, 10, 20] {
        group.addTask {
          try await time.sleep(for: .seconds(seconds))
          return seconds
        }
      }
      await virtual.whenAsleep(3)
      var woken: [Int?] = []
      for _ in 0..<3 {
        virtual.advance(by: .seconds(10))
        woken.append(try await group.next())
      }
      return woken
    }
    #expect(woken == [10, 20, 30])
  }

  @Test func `Virtual time lets no one sleep for a deadline that has passed`() async throws {
    try await virtual.time.sleep(for: .zero)
    try await virtual.time.sleep(until: Timestamp(secondsSinceEpoch: 1))
  }

  @Test func `Virtual time ends a sleep by cancellation, asleep or not yet`() async {
    let time = virtual.time
    let asleep = Task { try await time.sleep(for: .seconds(5)) }
    await virtual.whenAsleep()
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    let before = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await time.sleep(for: .seconds(5))
    }
    await #expect(throws: CancellationError.self) { try await before.value }
    #expect(virtual.sleeperCount == 0)
  }

  @Test func `Virtual time setting the calendar wakes no one`() async throws {
    let time = virtual.time
    let sleeper = Task { try await time.sleep(for: .seconds(5)) }
    await virtual.whenAsleep()
    virtual.setCalendar(to: Timestamp(secondsSinceEpoch: 9_000_000))
    #expect(virtual.sleeperCount == 1)
    virtual.advance(by: .seconds(5))
    try await sleeper.value
    #expect(time.now() == Timestamp(secondsSinceEpoch: 9_000_005))
  }
}

@Suite struct `System time` {
  @Test func `System time is after this was written, and does not go back`() throws {
    let written = try #require(Timestamp(rfc3339: "2024-01-01"))
    #expect(Time.system.now() > written)
    #expect(Time.system.monotonic() <= Time.system.monotonic())
  }

  @Test func `System time ends a sleep by cancellation`() async {
    let sleeper = Task { try await Time.system.sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }
}

@Suite struct `A source of chance` {
  @Test func `A source of chance repeats itself from a seed with the published numbers`() {
    let chance = Chance.seeded(1_234_567)
    #expect(
      (0..<3).map { _ in chance.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test(arguments: [0, 1, 7, 8, 9, 100])
  func `A source of chance gives as many bytes as asked`(count: Int) {
    #expect(Chance.system.bytes(count).count == count)
    #expect(Chance.seeded(1).bytes(count) == Chance.seeded(1).bytes(count))
  }

  @Test func `A source of chance stays in the range`() {
    let chance = Chance.seeded(3)
    for _ in 0..<1000 {
      #expect((5..<9).contains(chance.number(in: 5..<9)))
      #expect((0..<1).contains(chance.fraction()))
    }
  }
}
