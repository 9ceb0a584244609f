import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import CloudLibrary

/// The second ten oddities of the adapter's README, each by its number.
@Suite struct `Oddities 11 to 20` {
  private let shelf = "GET /circulation/patron/21234000000001"
  private let item = ItemID("a9")

  @Test func `CloudLibrary quirk 11: record offsets start at 1`() async throws {
    let service = PlayedService()
    let records = Read.record("001=a9") + Read.record("001=b9")
    service.on("GET /data/marc", 200, "<collection>\(records)</collection>")
    service.on("GET /items/a9,b9", 200, Written.items("a9", "b9"))
    let page = try await service.adapter().harvest(from: nil, in: service.call)
    #expect(service.asked("GET /data/marc")[0].target.hasSuffix("&offset=1&limit=50"))
    guard case .more(let cursor) = page.progress else {
      Issue.record("the end, after a page with records")
      return
    }
    #expect(Place(cursor) == .crawl(began: service.date, offset: 3))
  }

  @Test func `CloudLibrary quirk 12: an unreadable record is skipped and the others are kept`()
    async throws
  {
    let service = PlayedService()
    let records = [
      Read.record("001=a9", "037a=other9", "245a=Siege and Storm :"), ">",
      Read.record("245a=Nobody"), Read.record("001=x9", "001=y9"), "& < ",
      Read.record("001=b9", "245a=Salt & Iron /"),
    ]
    service.on("GET /data/marc", 200, "<collection>\(records.joined())</collection>")
    service.on("GET /items/a9,b9", 200, Written.items("a9", "b9"))
    let page = try await service.adapter().harvest(from: nil, in: service.call)
    #expect(page.editions.map(\.item) == [ItemID("a9"), ItemID("b9")])
    guard case .more(let cursor) = page.progress else {
      Issue.record("the end, after a page with records")
      return
    }
    #expect(Place(cursor) == .crawl(began: service.date, offset: 5), "those skipped count, too")
  }

  @Test func `CloudLibrary quirk 12: a page of records that all lack an id is refused`() {
    let records = Read.record("245a=Nobody") + Read.record("100a=Bardugo, Leigh.")
    #expect(WireMARCPage(Array("<collection>\(records)</collection>".utf8)) == nil)
    #expect(WireMARCPage(Array("<collection></collection>".utf8))?.received == 0)
  }

  @Test func `CloudLibrary quirk 12: a truncated page of records is refused`() throws {
    let whole = Array("<collection>\(Read.record("001=a9"))</collection>".utf8)
    for count in [whole.count - 3, whole.count / 2, 20, 1] {
      #expect(WireMARCPage(Array(whole.prefix(count))) == nil)
    }
    #expect(WireMARCPage(Array("<html><body/></html>".utf8)) == nil)
  }

  @Test
  func `CloudLibrary quirk 12: catalog punctuation is removed, except after initials`() throws {
    let record = Read.record(
      "001=a9", "100a=Bardugo, Leigh.", "700a=Rowling, J. K.", "245a=Siege and Storm :",
      "245b=A Novel/", "260b=Henry Holt and Co. (BYR),", "260c=2013.", "490a=Shadow and Bone")
    let edition = try Read.marc(record).records[0].edition()
    #expect(edition.title == "Siege and Storm")
    #expect(edition.authors == ["Leigh Bardugo", "J. K. Rowling"])
    #expect(edition.publisher == "Henry Holt and Co. (BYR)")
    #expect(edition.published == PartialDate(year: 2013))
    #expect(edition.series?.name == "Shadow and Bone")
  }

  @Test func `CloudLibrary quirk 13: the PIN is sent in the query only where it is required`()
    async throws
  {
    let service = PlayedService()
    service.on(shelf, 200, Written.emptyShelf)
    _ = try await service.adapter().shelf(in: service.call)
    _ = try await service.adapter(["pin_required": "false"]).shelf(in: service.call)
    let targets = service.asked(shelf).map(\.target)
    #expect(targets[0].hasSuffix("?password=4321"))
    #expect(!targets[1].contains("password"))
  }

  @Test func `CloudLibrary quirk 13: the request log shows neither card nor PIN`() {
    let reader = Settings.Reader(card: .init("21234000000001"), pin: .init("4321"))
    let bearer = Cardholder(reader: reader)
    for errand in [
      bearer.shelf, bearer.check, bearer.status(of: [item]), bearer.checkOut(item),
      bearer.placeHold(item), bearer.checkIn(item),
    ] {
      #expect(!errand.shown.contains("21234000000001") && !errand.shown.contains("4321"))
    }
  }

  @Test(arguments: [
    (1_783_000_800.0, "Thu, 02 Jul 2026 14:00:00 GMT"),
    (1_772_528_707.0, "Tue, 03 Mar 2026 09:05:07 GMT"),
    (1_772_528_707.9, "Tue, 03 Mar 2026 09:05:07 GMT"),
    (1_798_761_599.0, "Thu, 31 Dec 2026 23:59:59 GMT"),
  ])
  func `CloudLibrary quirk 14: the signed date is in English and in GMT`(
    seconds: Double, text: String
  ) {
    #expect(Signer.date(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(arguments: [
    ("2015-04-16T00:32:36", 1_429_144_356.0), ("2015-04-16T00:32:36Z", 1_429_144_356.0),
    ("2015-07-16T00:32:36", 1_437_006_756.0),
    ("2016-05-12T12:56:13.5879866Z", 1_463_057_773.5879866),
    ("2016-02-29T23:59:59", 1_456_790_399.0), ("2012-09-17", 1_347_840_000.0),
  ])
  func `CloudLibrary quirk 15: a date without a time zone is in UTC`(text: String, seconds: Double)
    throws
  {
    let date = try #require(WireDate.instant(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
    let loan = try Read.shelf(
      "<Checkouts><Item><ItemId>a9</ItemId><EventEndDateInUTC>\(text)</EventEndDateInUTC></Item></Checkouts>"
    ).loans[0]
    #expect(loan.until == date)
  }

  @Test(arguments: ["", "soon", "2015-13-01T00:00:00", "2015-02-30T00:00:00", "16/04/2015"])
  func `CloudLibrary quirk 15: an unreadable date gives a loan without a due date`(text: String)
    throws
  {
    let loan = try Read.shelf(
      "<Checkouts><Item><ItemId>a9</ItemId><EventEndDateInUtc>\(text)</EventEndDateInUtc></Item></Checkouts>"
    ).loans[0]
    #expect(loan.until == nil)
  }

  @Test func `CloudLibrary quirk 16: a command is sent by PUT and not repeated after a 502`()
    async throws
  {
    let service = PlayedService()
    service.on("PUT /checkout", 502)
    let adapter = try service.adapter()
    let heard = await reason { try await adapter.checkOut(item, as: nil, in: service.call) }
    #expect(heard == .providerUnavailable)
    #expect(service.routes == ["PUT /checkout"])
  }

  @Test func `CloudLibrary quirk 17: a few 502 replies are retried, lasting ones are an error`()
    async throws
  {
    let service = PlayedService()
    service.on(shelf, 502)
    service.on(shelf, 502)
    service.on(shelf, 200, Written.loan(of: "a9", until: "2026-03-20T00:00:00"))
    service.on("GET /items/a9", 502)
    #expect(try await service.adapter().shelf(in: service.call).loans.map(\.item) == [item])
    let down = PlayedService()
    down.on(shelf, 502)
    let adapter = try down.adapter()
    #expect(await reason { try await adapter.shelf(in: down.call) } == .providerUnavailable)
  }

  @Test func `CloudLibrary quirk 18: a license is requested only for a download`() async throws {
    let service = PlayedService()
    let acsm =
      "<fulfillmentToken xmlns=\"http://ns.adobe.com/adept\"><expiration>2026-03-03T17:05:07Z</expiration></fulfillmentToken>"
    service.on("PUT /checkout", 201, Written.checkout("a9", due: "2026-03-24T09:05:07"))
    service.on(shelf, 200, Written.loan(of: "a9", until: "2026-03-24T09:05:07"))
    service.on("GET /items/a9", 200, Written.items("a9"))
    service.on("PUT /GetItemACSM", 200, acsm)
    let adapter = try service.adapter()
    _ = try await adapter.checkOut(item, as: nil, in: service.call)
    _ = try await adapter.shelf(in: service.call)
    #expect(service.asked("PUT /GetItemACSM").isEmpty)
    let handed = try await adapter.fulfil(item, as: nil, in: service.call)
    guard case .licence(let link, .adobe) = handed else {
      Issue.record("no licence but \(handed)")
      return
    }
    #expect(InlineDocument.bytes(of: link.address) == Array(acsm.utf8), "handed on untouched")
    #expect(link.expires == WireDate.instant("2026-03-03T17:05:07Z"))
    #expect(service.asked("PUT /GetItemACSM").count == 1)
  }

  @Test
  func `CloudLibrary quirk 19: renewal is refused unless the library allows it`() async throws {
    let service = PlayedService()
    let adapter = try service.adapter()
    #expect(
      await reason { try await adapter.renew(item, in: service.call) } == .unsupported(.renewal))
    #expect(service.routes.isEmpty)
  }

  @Test func `CloudLibrary quirk 19: a loan that others wait for is not returned for renewal`()
    async throws
  {
    let service = renewing(holds: "<Holds><Patron><PatronId>x</PatronId></Patron></Holds>")
    let adapter = try service.adapter(["renew_by_return": "true"])
    #expect(await reason { try await adapter.renew(item, in: service.call) } == .notRenewable)
    #expect(service.asked("PUT /checkin").isEmpty)
  }

  @Test
  func `CloudLibrary quirk 19: a renewal returns the loan and borrows it again`() async throws {
    let service = renewing(holds: "<Holds/>")
    service.on("PUT /checkout", 201, Written.checkout("a9", due: "2026-03-24T09:05:07"))
    let adapter = try service.adapter(["renew_by_return": "true"])
    guard case .borrowed(let loan) = try await adapter.renew(item, in: service.call) else {
      Issue.record("not borrowed")
      return
    }
    #expect(loan.until == WireDate.instant("2026-03-24T09:05:07"))
  }

  @Test func `CloudLibrary quirk 19: a loan that is returned but not lent again is reported`()
    async throws
  {
    let service = renewing(holds: "<Holds/>")
    service.on(
      "PUT /checkout", 400,
      Read.error(
        "the patron document status was CAN_HOLD and not one of CAN_LOAN,RESERVATION"))
    let adapter = try service.adapter(["renew_by_return": "true"])
    do throws(CirculationError) {
      _ = try await adapter.renew(item, in: service.call)
      Issue.record("renewed")
    } catch {
      #expect(error.reason == .noCopiesAvailable)
      #expect(error.operation == .renew)
      #expect(error.providerSays?.hasPrefix("returned, but not lent again") == true)
    }
  }

  @Test func `CloudLibrary quirk 19: a renewal without a later due date is reported as refused`()
    async throws
  {
    let service = renewing(holds: "<Holds/>")
    service.on("PUT /checkout", 200, Written.checkout("a9", due: "2026-03-04T09:05:07"))
    let adapter = try service.adapter(["renew_by_return": "true"])
    #expect(await reason { try await adapter.renew(item, in: service.call) } == .notRenewable)
  }

  private func renewing(holds: String) -> PlayedService {
    let service = PlayedService()
    service.on(shelf, 200, Written.loan(of: "a9", until: "2026-03-04T09:05:07"))
    service.on(
      "GET /circulation/item/a9", 200,
      "<ItemCirculation><ItemId>a9</ItemId><Checkouts/>\(holds)<Reserves/></ItemCirculation>")
    service.on("PUT /checkin", 200)
    return service
  }

  @Test
  func `CloudLibrary quirk 20: status 200 means an existing loan and 201 a new one`() async throws {
    for (status, isNew) in [(200, false), (201, true)] {
      let service = PlayedService()
      service.on("PUT /checkout", status, Written.checkout("a9", due: "2026-03-24T09:05:07"))
      let borrowed = try await service.adapter().borrowed(item, .checkOut, in: service.call)
      #expect(borrowed.isNew == isNew)
      #expect(borrowed.loan.until == WireDate.instant("2026-03-24T09:05:07"))
    }
  }
}
