import Circulation
import Crypto
import Desk
import EPUB
import HTTP
import JSON
import LCP
import Machine
import MockKit
import ProviderKit
import Secrets
import TestSupport
import Testing

@testable import Downloads

@Suite(.timeLimit(.minutes(2))) struct `A loan that comes as a licence` {
  private let press: LicensePress
  private let key = Digest.sha256.hash("content")
  private let locked: [UInt8]

  init() throws {
    press = try LicensePress()
    let title = Title(
      id: "1", name: "Lent", authors: ["A Whale"], copies: .unlimited,
      added: Moment(milliseconds: 0))
    locked = try MockBook(title).locked(with: key)
  }

  private func license(
    _ address: String, hash: [UInt8]? = nil, type: String = "application/epub+zip",
    end: String = "2999-01-01T00:00:00Z"
  ) throws -> [UInt8] {
    var order = LicensePress.Order(
      id: "1", issued: "2026-01-01T00:00:00Z", passphrase: Digest.sha256.hash("babar"),
      contentKey: key,
      links: [
        ["rel": "hint", "href": "https://lender.example/hint"],
        [
          "rel": "publication", "href": .string(address), "type": .string(type),
          "hash": .string(Hex.encode(hash ?? Digest.sha256.hash(locked))),
        ],
      ])
    order.rights = ["end": .string(end)]
    return JSONValue.object(try press.license(order)).bytes()
  }

  private func usual(_ address: String) throws -> [UInt8] { try license(address) }

  private func run(
    _ license: (String) throws -> [UInt8], trusting: Bool = true, serving bytes: [UInt8]? = nil,
    _ check: (Depot, Ticket?, [UInt8]) async throws -> Void
  ) async throws {
    try await withDepot(.sqlite) { depot in
      let shelf = Shelf(bytes: bytes ?? locked)
      let server = try RawServer { connection in
        while let request = connection.request() { shelf.serve(request, on: connection) }
      }
      defer { server.stop() }
      let document = try license(server.url("/locked.epub"))
      let inline = InlineDocument.address(of: document, License.mediaType)
      depot.lend { _ throws(DeskError) in
        .licence(.init(address: inline, format: .of(.epub, .lcp)), .lcp)
      }
      let asked = try await depot.ask()
      await depot.porter(trusting: trusting ? LicenseRoots([press.root]) : LicenseRoots()).workOff()
      try await check(depot, try await depot.ticket(asked), document)
    }
  }

  @Test func `A loan that comes as a licence is fetched as the book, with the licence inside`()
    async throws
  {
    try await run(usual) { depot, ticket, _ in
      #expect(ticket?.state == .done)
      let kept = try #require(try await depot.book())
      #expect(kept.kind == .epub && kept.kind.reader == nil)
      #expect(kept.digest == ticket?.digest)
      let bytes = try #require(try await depot.bytes())
      #expect(Hex.encode(Digest.sha256.hash(bytes)) == kept.digest && bytes.count == kept.size)
      let book = try Book(
        bytes,
        with: BookKeys(
          [UserKey(passphrase: Secret("babar"))], trusting: LicenseRoots([press.root]),
          at: Time.system.now()))
      let chapter = String(decoding: try book.bytes(of: "EPUB/c2.xhtml"), as: UTF8.self)
      #expect(chapter.contains("Here the story ends."))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("Here the story ends."))
      #expect(book.faults.isEmpty)
      #expect(depot.names("incoming").isEmpty)
    }
  }

  @Test
  func `a licensed download fails when the file does not match the license's hash`() async throws {
    func other(_ address: String) throws -> [UInt8] {
      try license(address, hash: Digest.sha256.hash("another"))
    }
    try await run(other) { depot, ticket, _ in
      #expect(ticket?.state == .failed && ticket?.reason == "publication_changed")
      let book = try await depot.book()
      #expect(book == nil)
      #expect(depot.names("incoming").isEmpty)
    }
  }

  @Test func `A loan that comes as a licence fails where the file is no book`() async throws {
    let page = Array("<html>Sign in</html>".utf8)
    try await run(usual, serving: page) { _, ticket, _ in
      #expect(ticket?.state == .failed && ticket?.reason == "not_a_book")
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a license that Carrel may not open is stored as a license to hand on`(_ number: Int)
    async throws
  {
    let make: (String) throws -> [UInt8] = { address in
      switch number {
      case 0: return try license(address)
      case 1: return try license(address, type: "application/pdf+lcp")
      case 2: return try license(address, end: "2026-01-02T00:00:00Z")
      default:
        var object = try JSONValue(parsing: license(address)).object ?? [:]
        object["provider"] = "https://somebody.example"
        return JSONValue.object(object).bytes()
      }
    }
    try await run(make, trusting: number != 0) { depot, ticket, document in
      #expect(ticket?.state == .done)
      let (book, bytes) = (try await depot.book(), try await depot.bytes())
      #expect(book?.kind == .lcpLicence)
      #expect(bytes == document)
    }
  }
}
