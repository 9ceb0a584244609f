import Circulation
import Database
import StoreSupport
import TestSupport
import Testing

@testable import Downloads

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

@Suite(.timeLimit(.minutes(2))) struct `A ticket in the line` {
  @Test(arguments: Engine.allCases)
  func `A ticket in the line is paused and goes on at its old place`(engine: Engine) async throws {
    try await withDepot(engine) { depot in
      for item in ["a", "b", "c", "d"] { try await depot.ask(item) }
      let tickets = try await depot.queue.tickets(of: ada)
      #expect(try await depot.queue.pause(tickets[2].id, of: ada).map(\.state) == [.paused])
      #expect(try await depot.queue.pause(tickets[2].id, of: ada).isEmpty)
      let claims = [try await depot.queue.claim(), try await depot.queue.claim()]
      _ = try await depot.queue.settle(claims[0]!, .final("x"), received: 0, total: nil)
      #expect(try await depot.queue.claim()?.ticket.id == tickets[3].id)
      #expect(try await depot.queue.resume(of: ada).map(\.id) == [tickets[2].id])
      _ = try await depot.queue.settle(claims[1]!, .final("x"), received: 0, total: nil)
      #expect(try await depot.queue.claim()?.ticket.id == tickets[2].id)
      #expect(try await depot.moves(of: "c") == [.queued, .downloadStarted])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A ticket in the line is cancelled, and can be asked for anew`(engine: Engine) async throws {
    try await withDepot(engine) { depot in
      for item in ["a", "b", "c"] { try await depot.ask(item) }
      #expect(try await depot.queue.cancel(of: ada).count == 3)
      #expect(try await depot.queue.tickets(of: ada).isEmpty)
      for item in ["a", "b", "c"] { #expect(try await depot.state(of: item) == .notDownloaded) }
      #expect(try await depot.ask("a").state == .running)
      #expect(try await depot.state(of: "a") == .downloading)
    }
  }

  @Test func `A ticket in the line of another patron is not there`() async throws {
    try await withDepot(.sqlite) { depot in
      let ticket = try await depot.ask()
      #expect(try await depot.queue.pause(ticket.id, of: bob).isEmpty)
      #expect(try await depot.queue.cancel(ticket.id, of: bob).isEmpty)
      #expect(try await depot.queue.retry(of: bob).isEmpty)
      #expect(try await depot.ticket(ticket)?.state == .running)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A ticket in the line that failed is tried at once when its patron says so`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      let asked = try await depot.ask()
      let claim = try #require(try await depot.queue.claim())
      _ = try await depot.queue.settle(claim, .final("title_gone"), received: 0, total: nil)
      #expect(try await depot.queue.claim() == nil)
      #expect(try await depot.queue.retry(asked.id, of: ada).map(\.state) == [.running])
      #expect(try await depot.queue.claim()?.ticket.id == asked.id)
      #expect(
        try await depot.moves() == [.downloadStarted, .downloadFailed, .downloadStarted])
    }
  }

  @Test
  func `a failed download that will be retried can be paused, resumed and canceled`() async throws {
    try await withDepot(.sqlite) { depot in
      let asked = try await depot.ask()
      func failed() async throws {
        let claim = try #require(try await depot.queue.claim())
        _ = try await depot.queue.settle(claim, .again("x"), received: 0, total: nil)
      }
      try await failed()
      #expect(try await depot.queue.pause(of: ada).map(\.state) == [.paused])
      #expect(try await depot.state() == .downloadQueued)
      _ = try await depot.queue.resume(of: ada)
      try await failed()
      #expect(try await depot.queue.cancel(of: ada).map(\.state) == [.failed])
      depot.clock.advance(by: 86_400_000)
      #expect(try await depot.queue.claim() == nil)
      #expect(try await depot.ticket(asked)?.willBeTriedAgain == false)
      #expect(try await depot.state() == .downloadFailed)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A ticket in the line leaves the line with its loan, in the same step`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      let asked = try await depot.ask()
      try await depot.store.write { tx throws(DatabaseError) in
        try depot.queue.withdraw(asked.wish.account, asked.wish.item, in: tx)
      }
      #expect(try await depot.ticket(asked) == nil)
      #expect(try await depot.moves() == [.downloadStarted, .downloadCancelled])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A ticket in the line does not move where its book cannot`(engine: Engine) async throws {
    try await withDepot(engine) { depot in
      let asked = try await depot.ask()
      try await depot.store.write { tx throws(DatabaseError) in
        try tx.execute("DROP TABLE told")
      }
      await #expect(throws: DatabaseError.self) {
        _ = try await depot.queue.cancel(asked.id, of: ada)
      }
      #expect(try await depot.ticket(asked)?.state == .running)
    }
  }
}
