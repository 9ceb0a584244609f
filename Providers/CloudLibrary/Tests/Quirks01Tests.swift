import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Testing

@testable import CloudLibrary

/// The first ten oddities of the adapter's README, each by its number.
@Suite struct `Oddities 1 to 10` {
  private let shelf = "GET /circulation/patron/21234000000001"
  private let check = "GET /patron/21234000000001"

  @Test func `CloudLibrary quirk 1: the error message counts, not the error code`() {
    for code in ["Gen-001", "Gen-002", ""] {
      let body =
        "<Error><Code>\(code)</Code><Message>Patron cannot have more than 8 holds</Message></Error>"
      #expect(throws: CirculationError.self) { try Read.answer(body, status: 400, .placeHold) }
    }
    #expect(
      Failures.meaning(of: "Patron cannot have more than 8 holds", during: .placeHold)
        == .holdLimitReached(limit: 8))
  }

  @Test func `CloudLibrary quirk 2: an outage, a wrong PIN and a wrong key are told apart`()
    async throws
  {
    let badDay = PlayedService()
    badDay.on(shelf, 500, Read.error("Authentication failed"))
    badDay.on(shelf, 400, Read.error("Authentication failed"))
    badDay.on(shelf, 400, Read.error("Authentication failed"))
    badDay.on(shelf, 200, Written.emptyShelf)
    badDay.on(check, 200, Written.check("SUCCESS"))
    let adapter = try badDay.adapter()
    #expect(await reason { try await adapter.shelf(in: badDay.call) } == .providerUnavailable)
    #expect(try await adapter.shelf(in: badDay.call) == Shelf())

    let wrongPIN = PlayedService()
    wrongPIN.on(shelf, 400, Read.error("Authentication failed"))
    wrongPIN.on(check, 200, Written.check("INVALID_CREDENTIALS"))
    let mistyped = try wrongPIN.adapter()
    #expect(await reason { try await mistyped.shelf(in: wrongPIN.call) } == .credentialsRejected)

    let wrongKey = PlayedService()
    wrongKey.on(shelf, 401)
    let misconfigured = try wrongKey.adapter()
    #expect(
      await reason { try await misconfigured.shelf(in: wrongKey.call) }
        == .notConfigured(what: "account id and key"))
  }

  @Test func `CloudLibrary quirk 2: a wrong clock is reported as such, not as a wrong key`()
    async throws
  {
    let service = PlayedService()
    service.on(shelf, 401, headers: ["Date": "Tue, 03 Mar 2026 09:15:07 GMT"])
    let adapter = try service.adapter()
    #expect(
      await reason { try await adapter.shelf(in: service.call) }
        == .notConfigured(what: "a clock that is right"))
  }

  @Test func `CloudLibrary quirk 3: an empty reply is an error for items and the end for records`()
    throws
  {
    #expect(throws: CirculationError.self) { try Documents.items(try Read.answer("")) }
    #expect(throws: CirculationError.self) { try Documents.items(try Read.answer(" \r\n")) }
    #expect(try Documents.marc(try Read.answer("")).received == 0)
    #expect(try Documents.events(try Read.answer("")).items.isEmpty)
    #expect(throws: CirculationError.self) { try Documents.shelf(try Read.answer("")) }
  }

  @Test
  func `CloudLibrary quirk 3: an empty reply about items is requested once more`() async throws {
    let service = PlayedService()
    service.on("GET /items/a9", 200)
    service.on("GET /items/a9", 200, Written.items("a9"))
    let told = try await service.adapter().availability(of: [ItemID("a9")], in: service.call)
    #expect(told[ItemID("a9")]?.canBeHadNow == true)
    let silent = PlayedService()
    silent.on("GET /items/a9", 200)
    let adapter = try silent.adapter()
    let heard = await reason { try await adapter.availability(of: [ItemID("a9")], in: silent.call) }
    #expect(heard == .providerUnavailable)
    #expect(silent.routes.count == 2)
  }

  @Test func `CloudLibrary quirk 4: a title missing from a valid reply has left the collection`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /items/a9,b9", 200, Written.items("b9"))
    service.on("GET /items/c9", 200, "<ArrayOfItem/>")
    let adapter = try service.adapter()
    let told = try await adapter.availability(of: [ItemID("a9"), ItemID("b9")], in: service.call)
    #expect(told[ItemID("a9")]?.status == .unknownToProvider)
    #expect(told[ItemID("b9")]?.canBeHadNow == true)
    let none = try await adapter.availability(of: [ItemID("c9")], in: service.call)
    #expect(none[ItemID("c9")]?.status == .unknownToProvider)
  }

  @Test
  func `CloudLibrary quirk 5: availability is never read from the circulation list`() async throws {
    let service = PlayedService()
    service.on("GET /items/a9", 200, Written.items("a9"))
    _ = try await service.adapter().availability(of: [ItemID("a9")], in: service.call)
    #expect(!service.routes.contains { $0.contains("/circulation/items") })
  }

  @Test
  func `CloudLibrary quirk 6: a waiting hold has no deadline and a ready one no position`() throws {
    let shelf = try Read.shelf(
      """
      <Holds><Item><ItemId>w9</ItemId><EventStartDateInUTC>2026-02-01T08:00:00</EventStartDateInUTC>
      <EventEndDateInUTC>2026-02-02T08:00:00</EventEndDateInUTC><Position>4</Position></Item></Holds>
      <Reserves><Item><ItemId>r9</ItemId><EventStartDateInUTC>2026-03-02T08:00:00</EventStartDateInUTC>
      <EventEndDateInUTC>2026-03-05T08:00:00</EventEndDateInUTC><Position>1</Position></Item></Reserves>
      """)
    #expect(shelf.hold(on: ItemID("w9"))?.status == .waiting(position: 4, total: nil))
    #expect(
      shelf.hold(on: ItemID("r9"))?.status
        == .ready(until: WireDate.instant("2026-03-05T08:00:00Z")))
  }

  @Test func `CloudLibrary quirk 7: one thing without an id does not hide the rest`() throws {
    let shelf = try Read.shelf(
      "<Checkouts><Item><ISBN>9780306406157</ISBN></Item><Item><ItemId> a9 </ItemId></Item>"
        + "<Item><ItemId/></Item></Checkouts><Holds><Item/></Holds>")
    #expect(shelf.loans.map(\.item) == [ItemID("a9")])
    #expect(shelf.holds.isEmpty)
  }

  @Test
  func `CloudLibrary quirk 8: an ISBN has one of two element names and may be missing`() throws {
    #expect(
      try Read.item("<ISBN13>9780306406157</ISBN13>").edition().isbns.map(\.digits)
        == ["9780306406157"])
    #expect(
      try Read.item("<ISBN>0-306-40615-2</ISBN>").edition().isbns.map(\.digits)
        == ["9780306406157"])
    #expect(try Read.item("<ISBN13>n/a</ISBN13>").edition().isbns.isEmpty)
    #expect(
      try Read.shelf(
        "<Checkouts><Item><ItemId>a9</ItemId><ISBN/></Item><Item><ItemId>b9</ItemId><ISBN13/></Item>"
          + "</Checkouts>"
      ).loans.count == 2)
  }

  @Test func `CloudLibrary quirk 9: entities escaped two or three times are decoded`() throws {
    let edition = try Read.item(
      """
      <Title>Salt &amp;amp; Iron</Title><Authors>Dupr&amp;#233;, Zo&amp;amp;#235;</Authors>
      <Genre>Children&amp;#39;s Health, Mystery &amp;amp;  Detective,</Genre>
      <CoverLinkURL>http://images.example.com/delivery/img?type=A&amp;amp;documentID=a9</CoverLinkURL>
      """
    ).edition()
    #expect(edition.title == "Salt & Iron")
    #expect(edition.authors == ["Zoë Dupré"])
    #expect(edition.subjects == ["Children's Health", "Mystery & Detective"])
    #expect(
      edition.covers.large == "https://images.example.com/delivery/img?type=A&documentID=a9")
    #expect(
      edition.covers.small
        == "https://images.example.com/delivery/img?type=A&documentID=a9&size=NORMAL")
  }

  @Test
  func `CloudLibrary quirk 10: events give each title once and drop the patron's card`() throws {
    let events = WireEvents(
      try Documents.document(
        "LibraryEventBatch",
        try Read.answer(
          Written.events(("CHECKOUT", "a9"), ("PURCHASE", "b9"), ("CHECKIN", "a9")), .harvest)))
    #expect(events.items == ["a9", "b9"])
    #expect(events.count == 3)
    #expect(!"\(events)".contains("21234000000009"))
  }

  @Test func `CloudLibrary quirk 10: an event of an unknown kind is skipped`() throws {
    let answer = try Read.answer(Written.events(("MERGED", "a9"), ("HOLD", "b9")), .harvest)
    #expect(try Documents.events(answer).items == ["b9"])
  }

  @Test func `CloudLibrary quirk 10: a full event reply is requested again for a shorter period`()
    async throws
  {
    let service = PlayedService()
    let many = (1...100).map { (type: "CHECKOUT", item: "n\($0)9") }
    service.on("GET /data/cloudevents", 200, Self.batch(many))
    service.on("GET /data/cloudevents", 200, Written.events(("CHECKOUT", "a9")))
    service.on("GET /items/a9", 200, Written.items("a9"))
    let start = Stretch(
      from: service.date.addingTimeInterval(-86_400), length: 86_400, heard: service.date)
    let page = try await service.adapter().harvest(
      from: Place.events(start).cursor, in: service.call)
    #expect(page.editions.map(\.item) == [ItemID("a9")])
    let targets = service.asked("GET /data/cloudevents").map(\.target)
    #expect(targets[0].hasSuffix("startdate=2026-03-02T09:05:07&enddate=2026-03-03T09:05:07"))
    #expect(targets[1].hasSuffix("startdate=2026-03-02T09:05:07&enddate=2026-03-02T15:05:07"))
    guard case .more(let cursor) = page.progress, case .events(let next)? = Place(cursor) else {
      Issue.record("no more to come")
      return
    }
    #expect(next.from == start.from.addingTimeInterval(21_600))
  }

  @Test func `CloudLibrary quirk 10: a full reply for the shortest period restarts the crawl`()
    async throws
  {
    let service = PlayedService()
    let many = (1...100).map { (type: "CHECKOUT", item: "n\($0)9") }
    service.on("GET /data/cloudevents", 200, Self.batch(many))
    service.on("GET /data/marc", 200, "<collection>\(Read.record("001=a9"))</collection>")
    service.on("GET /items/a9", 200, Written.items("a9"))
    let start = Stretch(
      from: service.date.addingTimeInterval(-3600), length: 60, heard: service.date)
    let page = try await service.adapter().harvest(
      from: Place.events(start).cursor, in: service.call)
    #expect(page.editions.map(\.item) == [ItemID("a9")])
    guard case .more(let cursor) = page.progress else {
      Issue.record("not the beginning of a crawl")
      return
    }
    #expect(Place(cursor) == .crawl(began: service.date, offset: 2))
  }

  @Test func `CloudLibrary quirk 10: after a week without events the whole catalog is read again`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /data/marc", 200, "<collection>\(Read.record("001=a9"))</collection>")
    service.on("GET /items/a9", 200, Written.items("a9"))
    let start = Stretch(
      from: service.date.addingTimeInterval(-3600), length: 86_400,
      heard: service.date.addingTimeInterval(-7 * 86_400))
    _ = try await service.adapter().harvest(from: Place.events(start).cursor, in: service.call)
    #expect(service.asked("GET /data/cloudevents").isEmpty)
    #expect(service.asked("GET /data/marc").count == 1)
  }

  private static func batch(_ list: [(type: String, item: String)]) -> String {
    let events = list.map {
      "<CloudLibraryEvent><EventType>\($0.type)</EventType><ItemId>\($0.item)</ItemId></CloudLibraryEvent>"
    }
    return "<LibraryEventBatch><Events>\(events.joined())</Events></LibraryEventBatch>"
  }
}
