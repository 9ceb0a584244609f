import Circulation
import Database
import Desk
import HTTP
import HTTPClient
import Machine
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `Porters` {
  private let ada = PatronID("ada")

  /// Gives the first half of a book and then waits for its client to go away.
  private func stallingServer(_ book: [UInt8], _ begun: Signals) throws -> RawServer {
    try RawServer { connection in
      guard let request = connection.request() else { return }
      guard connection.number == 1 else {
        return Shelf(bytes: book).serve(request, on: connection)
      }
      Shelf(bytes: book, cut: book.count / 2).serve(request, on: connection)
      begun.send()
      connection.waitForClose()
    }
  }

  @Test(arguments: Engine.allCases)
  func `Porters fetch so many at a time and no more, and in the end all`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      let underWay = Mutex((now: 0, most: 0))
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        underWay.withLock { count in
          count.now += 1
          count.most = max(count.most, count.now)
        }
        let seed = UInt8(request.target.dropFirst(2)) ?? 0
        busyWait(.milliseconds(10))
        underWay.withLock { $0.now -= 1 }
        Shelf(bytes: Samples.epub(seed: seed)).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend { count throws(DeskError) in
        .file(.init(address: server.url("/b\(count)"), format: .plainBook))
      }
      for number in 1...12 { try await depot.ask("i\(number)") }
      await withDiscardingTaskGroup { group in
        for _ in 0..<4 { group.addTask { await depot.porter().workOff() } }
      }
      let states = try await depot.queue.tickets(of: ada).map(\.state)
      #expect(states == Array(repeating: .done, count: 12))
      #expect(underWay.withLock { $0.most } <= 2)
      #expect(depot.fulfilled == 12 && depot.names("files").count == 12)
      #expect(depot.names("incoming").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Porters stop when the ticket is cancelled, and leave nothing`(engine: Engine) async throws {
    try await withDepot(engine) { depot in
      let begun = Signals()
      let server = try stallingServer(Samples.epub(300_000), begun)
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      async let work: Void = depot.porter().workOff()
      await begun.next()
      #expect(try await depot.queue.cancel(asked.id, of: ada).count == 1)
      await work
      #expect(depot.names("incoming").isEmpty && depot.names("files").isEmpty)
      #expect(try await depot.state() == .notDownloaded)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Porters stop when the ticket is paused, and go on from there later`(engine: Engine)
    async throws
  {
    try await withDepot(engine) { depot in
      let (begun, book) = (Signals(), Samples.epub(300_000))
      let server = try stallingServer(book, begun)
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      async let work: Void = depot.porter().workOff()
      await begun.next()
      #expect(try await depot.queue.pause(asked.id, of: ada).count == 1)
      await work
      #expect(try await depot.ticket(asked)?.state == .paused)
      #expect(depot.names("incoming").contains("t\(asked.id).part"))
      #expect(try await depot.state() == .downloadQueued)
      _ = try await depot.queue.resume(of: ada)
      await depot.porter().workOff()
      #expect(try await depot.bytes() == book)
      #expect(try await depot.state() == .downloadCompleted)
      #expect(server.accepted == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Porters that are called off give back what they have, without blame`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let (begun, book) = (Signals(), Samples.epub(300_000))
      let server = try stallingServer(book, begun)
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      let work = Task { await depot.porter().work() }
      await begun.next()
      work.cancel()
      await work.value
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .queued && ticket.tries == 0 && ticket.reason == nil)
      #expect(ticket.nextAt == nil && ticket.owner == nil)
      await depot.porter().workOff()
      #expect(try await depot.bytes() == book)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Porters take over from one that was killed, with what it left`(engine: Engine) async throws
  {
    try await withDepot(engine) { depot in
      let book = Samples.epub(300_000)
      let ranges = Journal<String?>()
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        ranges.append(request.header("Range"))
        Shelf(bytes: book, cut: connection.number == 1 ? 200_000 : nil)
          .serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      // A killed worker leaves its part, and a ticket that is still its own.
      let killed = try #require(try await depot.queue.claim())
      var errand: Errand? = Errand(killed, by: depot.porter())
      await #expect(throws: Trouble.self) { _ = try await errand?.fetch() }
      errand = nil
      #expect(try await depot.ticket(asked)?.state == .running)
      await depot.porter().workOff()
      #expect(try await depot.book() == nil)
      depot.clock.advance(by: 30_000)
      await depot.porter().workOff()
      #expect(try await depot.bytes() == book)
      #expect(ranges.all == [nil, "bytes=200000-"])
      #expect(depot.names("incoming").isEmpty)
      #expect(try await depot.moves() == [.downloadStarted, .downloadCompleted])
    }
  }

  @Test func `Porters tell how far they are, and write it down`() async throws {
    try await withDepot(.sqlite) { depot in
      let (begun, book) = (Signals(), Samples.epub(300_000))
      let server = try stallingServer(book, begun)
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      let work = Task { await depot.porter().workOff() }
      await begun.next()
      while try await depot.ticket(asked)?.received != book.count / 2 { await Task.yield() }
      #expect(try await depot.ticket(asked)?.total == book.count)
      work.cancel()
      await work.value
      let steps = depot.news.all.compactMap { news -> Int? in
        if case .progress(_, let received, _) = news { received } else { nil }
      }
      #expect(steps.last == book.count / 2)
    }
  }

  @Test func `Porters look into the line from time to time`() async throws {
    try await withDepot(.sqlite) { depot in
      let book = Samples.epub()
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: book).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      let work = Task { await depot.porter().work() }
      let asked = try await depot.ask()
      while try await depot.ticket(asked)?.state != .done { await Task.yield() }
      work.cancel()
      await work.value
      #expect(try await depot.bytes() == book)
    }
  }

  @Test func `Porters reckon the digest while the file grows, however it comes`() async throws {
    try await withDepot(.sqlite) { depot in
      // Larger than the stretches in which it is looked at.
      let book = Samples.epub(20 << 20)
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: book, cut: connection.number == 1 ? 9 << 20 : nil)
          .serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      try await depot.ask()
      await depot.porter().workOff()
      depot.clock.advance(by: 4_000)
      await depot.porter().workOff()
      let kept = try #require(try await depot.book())
      #expect(try await depot.bytes() == book)
      #expect(
        try RunningDigest.digest(of: depot.books.path(of: kept), book.count)
          == Array(hex: kept.digest))
    }
  }
}

extension [UInt8] {
  fileprivate init(hex: String) {
    self = stride(from: 0, to: hex.count, by: 2).compactMap { place in
      UInt8(hex.dropFirst(place).prefix(2), radix: 16)
    }
  }
}
