// Over 300 lines because it is one list of oddities, in the order of the README.
import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import OPDSLibrary

/// The numbers are those of the adapter's README.
@Suite struct `Quirks 14 to 26` {
  private let one = Wire.one

  /// Items of each page, and the cursor at the end.
  private func harvest(_ service: PlayedService, from start: HarvestCursor? = nil)
    async throws -> (pages: [[String]], next: HarvestCursor?)
  {
    var (pages, cursor) = ([[String]](), start)
    let desk = try service.desk(nil)
    for _ in 0..<40 {
      let page = try await desk.harvest(from: cursor, in: service.call)
      pages.append(page.editions.map(\.item.rawValue))
      switch page.progress {
      case .more(let next): cursor = next
      case .done(let next): return (pages, next)
      }
    }
    Issue.record("no end")
    return (pages, nil)
  }

  private func page(_ number: Int, next: String?, updated: String = "2026-01-01T00:00:00Z")
    -> String
  {
    let link = next.map { #"<link rel="next" href="\#($0)"/>"# } ?? ""
    return Wire.feed(link + Wire.entry(Wire.open, number: number, updated: updated))
  }

  @Test func `OPDSLibrary quirk 14: a page whose next link is its own address is the last`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", page(1, next: "/all"))
    #expect(try await harvest(service).pages == [["works/1"]])
  }

  @Test(arguments: [2, 3, 5])
  func `OPDSLibrary quirk 14: a loop of next links ends the harvest`(_ length: Int) async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", page(0, next: "/p1"))
    for number in 1...length {
      service.on("GET /p\(number)", page(number, next: "/p\(number % length + 1)"))
    }
    let pages = try await harvest(service).pages
    #expect(pages.count < 4 * length + 4)
    #expect(Set(pages.joined()).count == length + 1)
  }

  @Test(arguments: ["/all", "/opds/"])
  func `OPDSLibrary quirk 14: a page repeated under new addresses stops with a warning`(
    _ first: String
  ) async throws {
    let service = PlayedService()
    if first != "/opds/" { service.on("GET /opds/", Wire.feed(Wire.links)) }
    service.on("GET \(first)", page(1, next: "/p1"))
    for number in 1...50 { service.on("GET /p\(number)", page(1, next: "/p\(number + 1)")) }
    let desk = try service.desk(nil)
    var page = try await desk.harvest(from: nil, in: service.call)
    var warnings = page.warnings
    while case .more(let cursor) = page.progress {
      page = try await desk.harvest(from: cursor, in: service.call)
      warnings += page.warnings
    }
    #expect(service.routes.count { $0.hasPrefix("GET /p") } < 3)
    #expect(warnings.contains { $0.contains("round in a circle") })
  }

  @Test func `OPDSLibrary quirk 14: a page of more than 5000 entries is cut and marked as cut`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", Wire.feed((0..<5002).map { Wire.entry(Wire.open, number: $0) }.joined()))
    let page = try await service.desk(nil).harvest(from: nil, in: service.call)
    #expect(page.editions.count == 5000)
    #expect(page.isCut)
    #expect(page.warnings == ["2 entries more than are read at once"])
  }

  @Test func `OPDSLibrary quirk 14: a page of more than 500 lists is marked as cut`() async throws {
    let lanes = (0..<600).map {
      "<entry><id>l\($0)</id><title>L</title><link href=\"/l\($0)\" "
        + "type=\"application/atom+xml\"/></entry>"
    }
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(lanes.joined() + Wire.entry(Wire.open)))
    let page = try await service.desk(nil).harvest(from: nil, in: service.call)
    #expect(page.isCut)
    #expect(page.warnings == ["page 1: 100 lists more than are walked through"])
  }

  @Test func `OPDSLibrary quirk 14: an unreadable entry of a page gives a warning`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on(
      "GET /all",
      Wire.feed(Wire.entry(Wire.open) + "<entry><id>urn:x:nameless</id></entry>"))
    let page = try await service.desk(nil).harvest(from: nil, in: service.call)
    #expect(page.editions.count == 1)
    #expect(page.warnings.count == 1 && page.warnings[0].contains("urn:x:nameless"))
  }

  @Test func `OPDSLibrary quirk 15: each lane is read once and a page lists each title once`()
    async throws
  {
    func lane(_ name: String) -> String {
      """
      <entry><id>\(name)</id><title>\(name)</title>
      <link rel="subsection" href="/\(name)" type="application/atom+xml;profile=opds-catalog"/></entry>
      """
    }
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(lane("f") + lane("h") + lane("f")))
    service.on("GET /f", Wire.feed(Wire.entry(Wire.open) + Wire.entry(Wire.open) + lane("h")))
    service.on("GET /h", Wire.feed(lane("f") + Wire.entry(Wire.open, number: 2)))
    #expect(try await harvest(service).pages == [["works/1"], ["works/2"]])
    #expect(service.asked("GET /f").count == 1)
    #expect(service.asked("GET /h").count == 1)
  }

  @Test func `OPDSLibrary quirk 15: lanes on another host are not read`() async throws {
    let service = PlayedService()
    service.on(
      "GET /opds/",
      Wire.feed(
        """
        <entry><id>o</id><title>Other</title><link rel="subsection" href="https://o.example/"
          type="application/atom+xml;profile=opds-catalog"/></entry>
        """))
    _ = try await harvest(service)
    #expect(!service.routes.contains { $0.contains("o.example") })
  }

  @Test
  func `OPDSLibrary quirk 16: only a feed sorted by date is harvested for changes`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", page(1, next: "/p2", updated: "2025-12-02T00:00:00Z"))
    service.on("GET /p2", page(2, next: nil, updated: "2025-12-01T00:00:00Z"))
    let first = try await harvest(service)
    #expect(first.pages == [["works/1"], ["works/2"]])
    service.pass(86_400)
    service.on("GET /all", page(3, next: "/p2", updated: "2026-01-01T12:00:00Z"))
    // The first answer stays until it is followed by another.
    _ = try await service.desk(nil).harvest(from: first.next, in: service.call)
    let changed = try await harvest(service, from: first.next)
    #expect(changed.pages == [["works/3"], []])
    let other = PlayedService()
    other.on("GET /opds/", Wire.feed(Wire.links))
    other.on("GET /all", page(1, next: "/p2", updated: "2025-12-01T00:00:00Z"))
    other.on("GET /p2", page(2, next: nil, updated: "2025-12-02T00:00:00Z"))
    #expect(try await harvest(other).next == nil)
  }

  @Test func `OPDSLibrary quirk 17: an unchanged first page ends the harvest`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", headers: ["ETag": "\"v1\""], page(1, next: nil))
    service.on("GET /all", status: 304)
    let first = try await harvest(service)
    let second = try await harvest(service, from: first.next)
    #expect(second.pages == [[]])
    #expect(second.next != nil)
    #expect(service.asked("GET /all").map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
  }

  @Test func `OPDSLibrary quirk 18: a 404 from the search means no results`() async throws {
    let service = PlayedService.lender()
    #expect(try await service.desk().search(.init(words: "none"), in: service.call).isEmpty)
    #expect(service.routes.contains("GET /search?q=none"))
  }

  @Test func `OPDSLibrary quirk 19: a title is gone only when it is missing twice`() async throws {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", status: 404)
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available")))
    let gone = ItemID("works/2")
    let told = try await service.desk().availability(of: [one, gone], in: service.call)
    #expect(told[one]?.word == "available")
    #expect(told[gone]?.status == .unknownToProvider)
  }

  @Test func `OPDSLibrary quirk 20: a bearer token goes to its location, and the card does not`()
    async throws
  {
    let type = "application/vnd.librarysimplified.bearer-token+json"
    let service = PlayedService.lender(
      shelf: Wire.entry(
        Wire.loan(
          type: type, inner: #"<opds:indirectAcquisition type="application/epub+zip"/>"#)))
    service.on(
      "GET /fulfil",
      """
      {"token_type": "Bearer", "access_token": "f1", "expires_in": 60,
       "location": "https://files.example/1.epub"}
      """)
    guard
      case .file(let link) = try await service.desk().fulfil(one, as: nil, in: service.call)
    else {
      Issue.record("no file")
      return
    }
    #expect(link.address == "https://files.example/1.epub")
    #expect(link.headers == [.init("Authorization", "Bearer f1")])
    #expect(link.expires == PlayedService.begin.addingTimeInterval(60))
    #expect(link.format.isReadableHere)
  }

  @Test func `OPDSLibrary quirk 21: a catalog entry between a loan and its file is followed`()
    async throws
  {
    let service = PlayedService.lender(
      shelf: Wire.entry(
        Wire.loan(
          type: "application/atom+xml;type=entry;profile=opds-catalog",
          inner: #"<opds:indirectAcquisition type="application/epub+zip"/>"#)))
    service.on("GET /fulfil", Wire.entry(Wire.open))
    let handed = try await service.desk().fulfil(one, as: nil, in: service.call)
    #expect(handed.link.address == "https://books.example/book.epub")
  }

  @Test func `OPDSLibrary quirk 22: a templated download link is not followed`() async throws {
    let service = PlayedService.lender(
      shelf: Wire.entry(Wire.loan().replacing("\"/fulfil\"", with: "\"/fulfil{?token}\"")))
    #expect(
      await reason { try await service.desk().fulfil(one, as: nil, in: service.call) }
        == .formatUnavailable)
  }

  @Test func `OPDSLibrary quirk 23: a redirect of the catalog is followed only on its own host`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", status: 301, headers: ["Location": "/opds/v2"])
    service.on("GET /opds/v2", Wire.feed(Wire.entry(Wire.open)))
    #expect(try await harvest(service).pages == [["works/1"]])
    let other = PlayedService()
    other.on("GET /opds/", status: 302, headers: ["Location": "https://o.example/"])
    #expect(
      await reason { try await other.desk(nil).harvest(from: nil, in: other.call) }?.code
        == "malformed_response")
    #expect(!other.routes.contains { $0.contains("o.example") })
  }

  @Test func `OPDSLibrary quirk 24: only an open-access title is handed out without a loan`()
    async throws
  {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available") + Wire.open))
    service.on("GET /opds/works/2", Wire.entry(Wire.borrow("available"), number: 2))
    let handed = try await service.desk(nil).fulfil(one, as: nil, in: service.call)
    #expect(handed.link.address == "https://books.example/book.epub")
    #expect(
      await reason { try await service.desk().fulfil(.init("works/2"), as: nil, in: service.call) }
        == .notBorrowed)
  }

  @Test func `OPDSLibrary quirk 25: after a license in reply to a borrow the shelf is read`()
    async throws
  {
    let service = PlayedService.lender()
    service.on("GET /loans", Wire.feed(Wire.entry(Wire.loan())))
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available")))
    service.on("PUT /borrow", status: 201, #"{"id": "l", "provider": "p", "links": []}"#)
    let outcome = try await service.desk().checkOut(one, as: nil, in: service.call)
    guard case .borrowed(let loan) = outcome else {
      Issue.record("not lent")
      return
    }
    #expect(loan.until != nil)
  }

  @Test func `OPDSLibrary quirk 26: a title without a document is identified by its feed id`()
    async throws
  {
    let service = PlayedService()
    let entry = Wire.entry(Wire.open).replacing("rel=\"alternate\"", with: "rel=\"x\"")
    service.on(
      "GET /opds/", Wire.feed(entry.replacing("/opds/works/1\" type", with: "/p\" title")))
    let desk = try service.desk(nil)
    let edition = try #require(
      try await desk.harvest(from: nil, in: service.call).editions.first)
    #expect(edition.item == ItemID("id:urn:x:1"))
    let before = service.asked.count
    let direct = try await desk.fulfil(edition.item, as: edition.formats[0], in: service.call)
    #expect(direct.link.address == "https://books.example/book.epub")
    #expect(service.asked.count == before)
    let walked = try await desk.fulfil(edition.item, as: nil, in: service.call)
    #expect(walked.link.address == "https://books.example/book.epub")
  }
}
