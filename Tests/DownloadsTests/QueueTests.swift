import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `The line for downloads` {
  @Test(arguments: Engine.allCases)
  func `the download queue starts as many as it has room for, first come first served`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let asked = [
        try await depot.ask("a"), try await depot.ask("b", patron: "bob", library: "town"),
        try await depot.ask("c"), try await depot.ask("d", patron: "bob", library: "town"),
      ]
      #expect(asked.map(\.state) == [.running, .running, .queued, .queued])
      #expect(try await depot.queue.ahead(of: asked[3]) == 1)
      #expect(try await depot.moves(of: "a") == [.downloadStarted])
      #expect(try await depot.moves(of: "c") == [.queued])
      let claims = [try await depot.queue.claim(), try await depot.queue.claim()]
      #expect(claims.compactMap { $0?.ticket.id } == asked.prefix(2).map(\.id))
      #expect(try await depot.queue.claim() == nil)
      _ = try await depot.queue.settle(claims[1]!, .final("x"), received: 0, total: nil)
      #expect(try await depot.queue.claim()?.ticket.id == asked[2].id)
      #expect(try await depot.state(of: "c") == .downloading)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The line for downloads has one ticket for one loan, however often it is asked for`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let first = try await depot.queue.ask(depot.wish())
      let again = try await depot.queue.ask(depot.wish())
      #expect(again == .waiting(first.ticket))
      let many = try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 0..<8 {
          group.addTask { try await depot.queue.ask(depot.wish("i2")).ticket.id }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(many.count == 1)
      #expect(try await depot.moves(of: "i2").count == 1)
      #expect(try await depot.queue.tickets(of: PatronID("ada")).count == 2)
      #expect(try await depot.queue.tickets(of: PatronID("bob")).isEmpty)
    }
  }

  @Test func `The line for downloads passes over a library that has no place to spare`()
    async throws
  {
    var settings = DownloadQueue.Settings.forTests
    settings.perLibrary = 1
    try await withDepot(.sqlite, settings: settings) { depot in
      let asked = [
        try await depot.ask("a"), try await depot.ask("b"), try await depot.ask("c", library: "x"),
      ]
      #expect(asked.map(\.state) == [.running, .queued, .running])
      _ = try await depot.queue.claim()
      #expect(try await depot.queue.claim()?.ticket.id == asked[2].id)
      #expect(try await depot.queue.claim() == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The line for downloads gives no ticket to two workers`(engine: Engine) async throws {
    var settings = DownloadQueue.Settings.forTests
    (settings.atOnce, settings.perLibrary) = (100, 100)
    try await withDepot(engine, settings: settings) { depot in
      for number in 0..<24 { try await depot.ask("i\(number)") }
      let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
        for _ in 0..<8 {
          group.addTask {
            var claimed: [Int64] = []
            while let claim = try await depot.queue.claim() { claimed.append(claim.ticket.id) }
            return claimed
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(claimed.count == 24 && Set(claimed).count == 24)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The line for downloads never has more under way than it may, whoever works on it`(
    engine: Engine
  ) async throws {
    var settings = DownloadQueue.Settings.forTests
    settings.atOnce = 3
    settings.perLibrary = 3
    try await withDepot(engine, settings: settings) { depot in
      for number in 0..<20 { try await depot.ask("i\(number)") }
      let claims = try await withThrowingTaskGroup(of: Claim?.self) { group in
        for _ in 0..<10 { group.addTask { try await depot.queue.claim() } }
        return try await group.reduce(into: []) { if let claim = $1 { $0.append(claim) } }
      }
      #expect(claims.count == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a silent worker's download goes to another worker, and the first one is ignored`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let asked = try await depot.ask()
      let first = try #require(try await depot.queue.claim())
      depot.clock.advance(by: 20_000)
      #expect(try await depot.queue.beat(first, received: 10, total: 100))
      depot.clock.advance(by: 29_999)
      #expect(try await depot.queue.claim() == nil)
      depot.clock.advance(by: 1)
      let second = try #require(try await depot.queue.claim())
      #expect(second.ticket.id == asked.id && second.owner != first.owner)
      #expect(second.ticket.received == 10)
      #expect(try await !depot.queue.beat(first, received: 20, total: 100))
      #expect(try await depot.queue.settle(first, .final("x"), received: 0, total: nil) == nil)
      #expect(try await depot.queue.beat(second, received: 30, total: 100))
      #expect(try await depot.moves() == [.downloadStarted])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The line for downloads does not stand still when the clock is set back a day`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let (running, failed) = (try await depot.ask("a"), try await depot.ask("b"))
      _ = try await depot.queue.claim()
      let claim = try #require(try await depot.queue.claim())
      let settled = try await depot.queue.settle(
        claim, .again("network_failure"), received: 0, total: nil)
      #expect(settled?.willBeTriedAgain == true)
      depot.clock.advance(by: -86_400_000)
      let ids = [
        try await depot.queue.claim()?.ticket.id, try await depot.queue.claim()?.ticket.id,
      ]
      #expect(ids == [running.id, failed.id])
      // And nobody jumps the line with an older time.
      let late = try await depot.ask("c")
      #expect(late.place > failed.place)
    }
  }

  @Test func `The line for downloads waits longer from try to try, and then gives up for good`()
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let asked = try await depot.ask()
      var waits: [Int64] = []
      for _ in 0..<4 {
        let claim = try #require(try await depot.queue.claim())
        let ticket = try await depot.queue.settle(
          claim, .again("network_failure"), received: 0, total: nil)
        let wait = try #require(ticket?.nextAt) - depot.clock.now
        waits.append(wait)
        #expect(try await depot.queue.claim() == nil)
        depot.clock.advance(by: wait)
      }
      #expect(waits == [2_000, 4_000, 8_000, 16_000])
      let claim = try #require(try await depot.queue.claim())
      let last = try await depot.queue.settle(
        claim, .again("network_failure"), received: 0, total: nil)
      #expect(last?.state == .failed && last?.willBeTriedAgain == false && last?.tries == 5)
      depot.clock.advance(by: 86_400_000)
      #expect(try await depot.queue.claim() == nil)
      #expect(try await depot.state() == .downloadFailed)
      let again = try await depot.queue.ask(depot.wish())
      #expect(again.ticket.id == asked.id && again.ticket.tries == 0)
      #expect(try await depot.state() == .downloading)
    }
  }

  @Test func `The line for downloads waits as long as the lender asks, within reason`() async throws
  {
    try await withDepot(.sqlite) { depot in
      try await depot.ask()
      for (asked, waited) in [(Duration.seconds(90), 90_000), (.seconds(86_400), 3_600_000)] {
        let claim = try #require(try await depot.queue.claim())
        let trouble = Trouble(.providerBusy(retryAfter: asked))
        let ticket = try await depot.queue.settle(claim, trouble, received: 0, total: nil)
        #expect(ticket?.nextAt == depot.clock.now + Int64(waited))
        depot.clock.advance(by: Int64(waited))
      }
    }
  }

  @Test func `a download that gets further on each try never uses up its tries`() async throws {
    try await withDepot(.sqlite) { depot in
      try await depot.ask()
      for step in 1...9 {
        let claim = try #require(try await depot.queue.claim())
        let ticket = try await depot.queue.settle(
          claim, .again("network_failure"), received: step << 20, total: nil)
        #expect(ticket?.tries == 1)
        depot.clock.advance(by: 4_000)
      }
    }
  }
}
