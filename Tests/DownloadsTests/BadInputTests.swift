import Circulation
import Desk
import HTTP
import HTTPClient
import Machine
import ProviderKit
import StoreSupport
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `What is no book` {
  struct Fake: Sendable, CustomTestStringConvertible {
    let name: String
    let content: Format.Content
    let body: [UInt8]
    let reason: String
    var length: Int?
    /// Whether the server says how long it is.
    var isCounted = true

    init(
      _ name: String, _ content: Format.Content, _ body: [UInt8], _ reason: String,
      length: Int? = nil, isCounted: Bool = true
    ) {
      (self.name, self.content, self.body, self.reason) = (name, content, body, reason)
      (self.length, self.isCounted) = (length, isCounted)
    }

    var testDescription: String { name }
  }

  static let page = Array("\u{FEFF} <!DOCTYPE html><title>Sign in</title>".utf8)
  static let fakes = [
    Fake("nothing", .epub, [], "empty_file"),
    Fake("a page", .epub, page, "not_a_book"),
    Fake("a page as PDF", .pdf, page, "not_a_book"),
    Fake("a page as sound", .audiobook, page, "not_a_book"),
    Fake("a page as text", .text, page, "not_a_book"),
    Fake("XHTML", .epub, Array("<?xml version='1.0'?><html/>".utf8), "not_a_book"),
    Fake("an error in JSON", .epub, Array(#"{"error":"late"}"#.utf8), "wrong_kind"),
    Fake("a PDF as EPUB", .epub, Array("%PDF-1.4 x".utf8), "wrong_kind"),
    Fake("half a ZIP", .epub, Array(Samples.epub().dropLast(500)), "damaged"),
    Fake("a ZIP without a book", .epub, TestArchive([.init("x", "y")]).bytes, "damaged"),
    Fake("a ZIP of a page", .epub, TestArchive([.init("index.html", "<html>")]).bytes, "damaged"),
    Fake(
      "less than was said", .audiobook, Array("ID3 and so on".utf8), "wrong_size", length: 500,
      isCounted: false),
  ]

  @Test(arguments: fakes)
  func `What is no book: is not kept, and tried again`(_ fake: Fake) async throws {
    try await withDepot(.sqlite) { depot in
      let server = try RawServer { connection in
        guard connection.request() != nil else { return }
        if fake.isCounted {
          _ = connection.answer("200 OK", [], fake.body)
          return
        }
        connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        connection.write(fake.body)
      }
      defer { server.stop() }
      depot.lend { _ throws(DeskError) in
        var link = Fulfilment.Link(address: server.url(), format: .of(fake.content))
        link.length = fake.length
        return .file(link)
      }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .failed && ticket.reason == fake.reason)
      #expect(ticket.willBeTriedAgain && ticket.received == 0)
      #expect(try await depot.book() == nil)
      #expect(depot.names("files").isEmpty && depot.names("incoming").isEmpty)
      #expect(try await depot.state() == .downloadFailed)
    }
  }

  @Test(arguments: [nil, 40_000])
  func `a download that exceeds its size limit is stopped and not tried again`(_ declared: Int?)
    async throws
  {
    try await withDepot(.sqlite) { depot in
      let server = try RawServer { connection in
        guard connection.request() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        let piece = [UInt8](repeating: 1, count: 1 << 16)
        while connection.write(piece) {}
      }
      defer { server.stop() }
      depot.lend { _ throws(DeskError) in
        var link = Fulfilment.Link(address: server.url(), format: .plainBook)
        link.length = declared
        return .file(link)
      }
      let asked = try await depot.ask()
      await depot.porter(mostBytes: declared == nil ? 1 << 20 : 1 << 30).workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.reason == "too_much" && !ticket.willBeTriedAgain)
      #expect(depot.names("incoming").isEmpty)
    }
  }

  @Test(arguments: [
    "ftp://books.example/1", "file:///etc/passwd", "http://10.0.0.1/", "not an address",
    "http://169.254.169.254/latest",
  ])
  func `What is no book: is not fetched from an address that nobody may be sent to`(
    _ address: String
  ) async throws {
    try await withDepot(.sqlite) { depot in
      depot.lend { _ throws(DeskError) in .file(.init(address: address, format: .plainBook)) }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.reason == "address_refused" && !ticket.willBeTriedAgain)
    }
  }

  @Test(arguments: [
    (CirculationError.Reason.titleGone, "title_gone", false),
    (.notBorrowed, "not_borrowed", false), (.formatUnavailable, "format_unavailable", false),
    (.credentialsRejected, "credentials_rejected", false),
    (.networkFailure, "network_failure", true),
    (.providerUnavailable, "provider_unavailable", true),
    (.providerBusy(retryAfter: .seconds(9)), "provider_busy", true),
  ])
  func `What is no book: is what the lender refuses; only what may pass is tried again`(
    _ reason: CirculationError.Reason, _ code: String, _ isTriedAgain: Bool
  ) async throws {
    try await withDepot(.sqlite) { depot in
      depot.lend { _ throws(DeskError) in
        throw .provider(CirculationError(reason, from: ProviderID("p"), during: .fulfil))
      }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .failed && ticket.reason == code)
      #expect(ticket.willBeTriedAgain == isTriedAgain)
    }
  }

  @Test(arguments: [(28, "disk_full"), (122, "disk_full"), (30, "unwritable"), (13, "unwritable")])
  func `What is no book: but a disk that is full or read-only is no fault of the line`(
    _ code: Int32, _ reason: String
  ) async throws {
    try await withDepot(.sqlite) { depot in
      depot.lend { _ throws(DeskError) in
        .file(.init(address: "http://127.0.0.1/", format: .plainBook))
      }
      let (asked, other) = (try await depot.ask(), try await depot.ask("i2"))
      let transport = Transport { _ throws(TransportError) in throw .storing(.errno(code)) }
      await depot.porter(over: transport).workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .queued && ticket.reason == reason && ticket.tries == 0)
      #expect(ticket.nextAt == depot.clock.now + 300_000)
      #expect(try await depot.state() == .downloadQueued)
      #expect(try await depot.ticket(other)?.tries == 0)
    }
  }

  @Test func `What is no book: nor is a folder that is none`() async throws {
    try await withDepot(.sqlite) { depot in
      try depot.root.write([1], to: "books")
      depot.lend { _ throws(DeskError) in
        .file(.init(address: "http://127.0.0.1/", format: .plainBook))
      }
      let asked = try await depot.ask()
      await depot.porter().workOff()
      let ticket = try #require(try await depot.ticket(asked))
      #expect(ticket.state == .queued && ticket.reason == "unwritable" && ticket.tries == 0)
      // Mended, and its patron does not want to wait.
      try GuardedFile.remove(depot.root.path("books"))
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: Samples.epub()).serve(request, on: connection)
      }
      defer { server.stop() }
      depot.lend(server)
      _ = try await depot.queue.retry(of: asked.wish.patron)
      await depot.porter().workOff()
      #expect(try await depot.ticket(asked)?.state == .done)
    }
  }
}
