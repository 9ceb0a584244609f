import Circulation
import Crypto
import Desk
import FoundationEssentials
import HTTP
import HTTPClient
import Machine
import ProviderKit
import StoreSupport
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `A book that was asked for` {
  @Test(arguments: Engine.allCases)
  func `A book that was asked for is fetched, proved and put on the shelf under its digest`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let book = Samples.epub()
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: book).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      let asked = try await depot.ask()
      #expect(asked.state == .running)
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .done && ticket.reason == nil && ticket.owner == nil)
      #expect(ticket.received == book.count && ticket.total == book.count)
      #expect(ticket.digest == Hex.encode(Digest.sha256.hash(book)))
      let kept = try #require(try await depot.book())
      #expect(kept.kind == .epub && kept.size == book.count)
      #expect(kept.fileName.text == "An Author - A Book.epub")
      #expect(try await depot.bytes() == book)
      #expect(try await depot.moves() == [.downloadStarted, .downloadCompleted])
      #expect(depot.names("incoming").isEmpty)
      let access = try Access(of: depot.books.path(of: kept))
      #expect(access.mode == 0o600)
      #expect(try Access(of: depot.books.folder).mode == 0o700)
      #expect(try await depot.queue.ask(depot.wish()) == .already(ticket))
    }
  }

  @Test(arguments: Engine.allCases)
  func `an interrupted download resumes where it stopped, even with a one-time address`(
    engine: Engine
  ) async throws {
    try await withDepot(engine) { depot in
      let book = Samples.epub(300_000)
      let ranges = Journal<String?>()
      let used = Journal<String>()
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        guard !used.all.contains(request.target) else {
          _ = connection.answer("403 No")
          return
        }
        used.append(request.target)
        ranges.append(request.header("Range"))
        Shelf(bytes: book, cut: used.all.count == 1 ? 100_000 : nil)
          .serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend { count throws(DeskError) in
        // A path of its own each time, as signed addresses have.
        var link = Fulfilment.Link(address: server.url("/once/\(count)"), format: .plainBook)
        link.singleUse = true
        return .file(link)
      }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let cut = try #require(try await depot.ticket(asked))
      #expect(cut.state == .failed && cut.reason == "network_failure" && cut.tries == 1)
      #expect(cut.willBeTriedAgain && cut.received == 100_000 && cut.total == book.count)
      #expect(depot.names("incoming").contains("t\(asked.id).part"))
      #expect(try await depot.state() == .downloadFailed)
      depot.clock.advance(by: 1_999)
      await depot.porter().workOff()
      #expect(depot.fulfilled == 1)
      depot.clock.advance(by: 1)
      await depot.porter().workOff()
      #expect(try await depot.bytes() == book)
      #expect(ranges.all == [nil, "bytes=100000-"])
      #expect(try await depot.state() == .downloadCompleted)
      #expect(depot.names("incoming").isEmpty)
    }
  }

  enum Twist: String, Sendable, CaseIterable { case rangesIgnored, changedFile, changedLength }

  @Test(arguments: Twist.allCases)
  func `A book that was asked for starts over where the rest would not fit`(_ twist: Twist)
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let first = Samples.epub(300_000)
      let second = Samples.epub(twist == .changedLength ? 310_000 : 300_000, seed: 9)
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        var shelf = Shelf(bytes: first, cut: 150_000)
        if connection.number > 1 {
          shelf = Shelf(bytes: second, headers: ["ETag: \"v2\""])
          if twist == .rangesIgnored { shelf = Shelf(bytes: first, ignoresRanges: true) }
        }
        shelf.serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      try await depot.ask()
      await depot.porter().workOff()
      depot.clock.advance(by: 4_000)
      await depot.porter().workOff()
      #expect(try await depot.bytes() == (twist == .rangesIgnored ? first : second))
      let digest = try await depot.book()?.digest
      #expect(digest == Hex.encode(Digest.sha256.hash(try await depot.bytes() ?? [])))
    }
  }

  @Test func `A book that was asked for gets another address, once, where the first is worn out`()
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let book = Samples.epub()
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        guard request.target == "/2" else {
          _ = connection.answer("410 Gone")
          return
        }
        Shelf(bytes: book).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend { count throws(DeskError) in
        .file(.init(address: server.url("/\(count)"), format: .plainBook))
      }
      try await depot.ask()
      await depot.porter().workOff()
      #expect(try await depot.bytes() == book)
      #expect(depot.fulfilled == 2)
      // Not for ever.
      depot.lend { _ throws(DeskError) in
        .file(.init(address: server.url("/gone"), format: .plainBook))
      }
      let other = try await depot.ask("i2")
      await depot.porter().workOff()
      #expect(try await depot.ticket(other)?.reason == "link_refused")
      #expect(depot.fulfilled == 4)
    }
  }

  @Test func `A book that was asked for is not asked for with an address that has expired`()
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: Samples.epub()).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend { count throws(DeskError) in
        var link = Fulfilment.Link(address: server.url(), format: .plainBook)
        link.expires = count == 1 ? .init(timeIntervalSince1970: 1) : nil
        return .file(link)
      }
      try await depot.ask()
      await depot.porter().workOff()
      #expect(server.accepted == 1 && depot.fulfilled == 2)
      #expect(try await depot.book() != nil)
    }
  }

  @Test func `a download sends the lender's header fields and stores them nowhere`() async throws {
    try await withDepot(.sqlite) { depot in
      let passes = Journal<String?>()
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        passes.append(request.header("Authorization"))
        Shelf(bytes: Samples.epub(), cut: 100).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend { _ throws(DeskError) in
        var link = Fulfilment.Link(address: server.url("/?k=hidden-key"), format: .plainBook)
        link.headers = [.init("Authorization", "Bearer hidden-pass")]
        return .file(link)
      }
      try await depot.ask()
      await depot.porter().workOff()
      #expect(passes.all == ["Bearer hidden-pass"])
      for name in depot.names("incoming") {
        let bytes = try WholeFile.read("\(depot.books.folder)/incoming/\(name)", upTo: 1 << 20)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hidden"))
      }
    }
  }
}
