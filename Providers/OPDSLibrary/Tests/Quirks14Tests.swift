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

  @Test func `OPDSLibrary quirk 14: a page that leads to itself is the last`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", page(1, next: "/all"))
    #expect(try await harvest(service).pages == [["works/1"]])
  }

  @Test(arguments: [2, 3, 5])
  func `OPDSLibrary quirk 14: a circle of pages is left`(_ length: Int) async throws {
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
  func `Quirk 14: a page that comes again under ever new addresses is left, and told of`(
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

  @Test func `OPDSLibrary quirk 14: a page with more than is taken is told of as cut`() async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /all", Wire.feed((0..<5002).map { Wire.entry(Wire.open, number: $0) }.joined()))
    let page = try await service.desk(nil).harvest(from: nil, in: service.call)
    #expect(page.editions.count == 5000)
    #expect(page.isCut)
    #expect(page.warnings == ["2 entries more than are read at once"])
  }

  @Test func `OPDSLibrary quirk 14: more lists than are walked through are told of as cut`()
    async throws
  {
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

  @Test func `OPDSLibrary quirk 14: what of a page could not be read is told`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on(
      "GET /all",
      Wire.feed(Wire.entry(Wire.open) + "<entry><id>urn:x:nameless</id></entry>"))
    let page = try await service.desk(nil).harvest(from: nil, in: service.call)
    #expect(page.editions.count == 1)
    #expect(page.warnings.count == 1 && page.warnings[0].contains("urn:x:nameless"))
  }

  @Test func `OPDSLibrary quirk 15: lanes are walked once each, and a title stands once on a page`()
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

  @Test func `OPDSLibrary quirk 15: a walk stays on its host`() async throws {
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

  @Test func `Quirk 16: what is in order is asked for its changes, and what is not is read anew`()
    async throws
  {
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

  @Test func `OPDSLibrary quirk 17: a first page that is what it was needs no second look`()
    async throws
  {
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

  @Test func `OPDSLibrary quirk 18: a search that finds a missing page found nothing`() async throws
  {
    let service = PlayedService.lender()
    #expect(try await service.desk().search(.init(words: "none"), in: service.call).isEmpty)
    #expect(service.routes.contains("GET /search?q=none"))
  }

  @Test func `Quirk 19: a title is gone when it is missing twice and the catalogue is there`()
    async throws
  {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", status: 404)
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available")))
    let gone = ItemID("works/2")
    let told = try await service.desk().availability(of: [one, gone], in: service.call)
    #expect(told[one]?.word == "available")
    #expect(told[gone]?.status == .unknownToProvider)
  }

  @Test func `OPDSLibrary quirk 20: a bearer token is sent to where it says, and the card is not`()
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

  @Test func `OPDSLibrary quirk 21: an entry between a loan and its file is read`() async throws {
    let service = PlayedService.lender(
      shelf: Wire.entry(
        Wire.loan(
          type: "application/atom+xml;type=entry;profile=opds-catalog",
          inner: #"<opds:indirectAcquisition type="application/epub+zip"/>"#)))
    service.on("GET /fulfil", Wire.entry(Wire.open))
    let handed = try await service.desk().fulfil(one, as: nil, in: service.call)
    #expect(handed.link.address == "https://books.example/book.epub")
  }

  @Test func `OPDSLibrary quirk 22: a link to be filled in is not followed`() async throws {
    let service = PlayedService.lender(
      shelf: Wire.entry(Wire.loan().replacing("\"/fulfil\"", with: "\"/fulfil{?token}\"")))
    #expect(
      await reason { try await service.desk().fulfil(one, as: nil, in: service.call) }
        == .formatUnavailable)
  }

  @Test func `Quirk 23: a catalogue that moved on its host is followed, and on others it is not`()
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

  @Test func `Quirk 24: an open title is handed out without a loan, and others are not`()
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

  @Test func `OPDSLibrary quirk 25: a licence in answer to a borrow sends one to the shelf`()
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

  @Test func `Quirk 26: a title without a document is named by its id, and its file is found`()
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
