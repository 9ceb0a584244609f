import Circulation
import FoundationEssentials
import ProviderKit
import Secrets
import Testing

@testable import CloudLibrary

/// The last ten oddities of the adapter's README, each by its number.
@Suite struct `Oddities 21 to 30` {
  private let shelf = "GET /circulation/patron/21234000000001"
  private let item = ItemID("a9")
  private static let status = "the patron document status was"

  @Test func `CloudLibrary quirk 21: the due date of an existing loan is read from the shelf`()
    async throws
  {
    let service = PlayedService()
    service.on(
      "PUT /checkout", 400, Read.error("\(Self.status) LOAN and not one of CAN_LOAN,RESERVATION"))
    service.on(shelf, 200, Written.loan(of: "a9", until: "2026-03-20T00:00:00"))
    let borrowed = try await service.adapter().borrowed(item, .checkOut, in: service.call)
    #expect(borrowed.loan.until == WireDate.instant("2026-03-20T00:00:00"))
    #expect(!borrowed.isNew)
    let silent = PlayedService()
    silent.on("PUT /checkout", 201, Written.checkout("a9", due: nil))
    silent.on(shelf, 200, Written.loan(of: "a9", until: "2026-03-24T00:00:00"))
    #expect(
      try await silent.adapter().borrowed(item, .checkOut, in: silent.call).loan.until
        == WireDate.instant("2026-03-24T00:00:00"))
  }

  @Test
  func `CloudLibrary quirk 22: a 404 means that there is no such hold or loan`() async throws {
    let service = PlayedService()
    let adapter = try service.adapter()
    #expect(
      await reason { try await adapter.cancelHold(on: item, in: service.call) } == .notOnHold)
    #expect(await reason { try await adapter.checkIn(item, in: service.call) } == .notBorrowed)
  }

  @Test
  func `CloudLibrary quirk 23: a 200 with an error body is not taken as a return`() async throws {
    let service = PlayedService()
    service.on("PUT /checkin", 200, Read.error("Unknown error"))
    let adapter = try service.adapter()
    #expect(
      await reason { try await adapter.checkIn(item, in: service.call) } == .providerUnavailable)
    let odd = PlayedService()
    odd.on("PUT /checkin", 200, "<html><body>Please wait</body></html>")
    odd.on(shelf, 200, Written.loan(of: "a9", until: "2026-03-24T00:00:00"))
    let other = try odd.adapter()
    #expect(await reason { try await other.checkIn(item, in: odd.call) } == .providerUnavailable)
  }

  @Test
  func `CloudLibrary quirk 23: an empty reply, or the shelf, confirms a return`() async throws {
    for body in ["", "<CheckinResult/>"] {
      let service = PlayedService()
      service.on("PUT /checkin", 200, body)
      try await service.adapter().checkIn(item, in: service.call)
      #expect(service.routes == ["PUT /checkin"])
    }
    let odd = PlayedService()
    odd.on("PUT /checkin", 200, "OK, thanks")
    odd.on(shelf, 200, Written.emptyShelf)
    try await odd.adapter().checkIn(item, in: odd.call)
  }

  @Test func `CloudLibrary quirk 24: availability does not use the unreliable title summary`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /item/summary/a9", 500, Read.error("Unknown error"))
    service.on("GET /items/a9", 200, Written.items("a9"))
    let told = try await service.adapter().availability(of: [item], in: service.call)
    #expect(told[item]?.canBeHadNow == true)
    #expect(service.asked("GET /item/summary/a9").isEmpty)
  }

  @Test
  func `CloudLibrary quirk 25: an unreleased title can be put on hold but not borrowed`() throws {
    let soon = try Read.item(
      "<CanCheckout>FALSE</CanCheckout><CanHold>TRUE</CanHold><TotalCopies>2</TotalCopies>"
        + "<AvailableCopies>2</AvailableCopies><OnHoldCount>0</OnHoldCount>")
    #expect(soon.availability(asOf: Read.now).word == "queued")
  }

  @Test
  func `CloudLibrary quirk 26: the position of a new hold is read from the shelf`() async throws {
    let service = PlayedService()
    service.on(
      "PUT /placehold", 201,
      "<PlaceHoldResult><ItemId>a9</ItemId><AvailabilityDateInUTC>2026-04-01T00:00:00</AvailabilityDateInUTC></PlaceHoldResult>"
    )
    service.on(
      shelf, 200,
      "<PatronCirculation><Holds><Item><ItemId>a9</ItemId><Position>7</Position></Item></Holds></PatronCirculation>"
    )
    let adapter = try service.adapter()
    let hold = try await adapter.placeHold(on: item, options: HoldOptions(), in: service.call)
    #expect(hold.status == .waiting(position: 7, total: nil))
  }

  @Test
  func `CloudLibrary quirk 26: a hold succeeds even if its position cannot be read`() async throws {
    let service = PlayedService()
    service.on("PUT /placehold", 200, "<PlaceHoldResult><ItemId>a9</ItemId></PlaceHoldResult>")
    service.on(shelf, 500)
    let adapter = try service.adapter()
    let hold = try await adapter.placeHold(on: item, options: HoldOptions(), in: service.call)
    #expect(hold.status == .waiting(position: nil, total: nil))
  }

  @Test(arguments: [
    ("CAN_LOAN", CirculationError.Reason.currentlyAvailable), ("HOLD", .alreadyOnHold),
    ("RESERVATION", .alreadyOnHold), ("LOAN", .alreadyBorrowed), ("CAN_WISH", .noLicenses),
    ("CAN_HOLD", .unsupported(.holds)),
  ])
  func `CloudLibrary quirk 26: a bare 405 is explained by the title's status`(
    word: String, meaning: CirculationError.Reason
  ) async throws {
    let service = PlayedService()
    service.on("PUT /placehold", 405)
    service.on(
      "GET /item/status/21234000000001/a9", 200,
      "<List><DocumentStatus><id>a9</id><status>\(word)</status></DocumentStatus></List>")
    let adapter = try service.adapter()
    let heard = await reason {
      try await adapter.placeHold(on: item, options: HoldOptions(), in: service.call)
    }
    #expect(heard == meaning)
  }

  @Test func `CloudLibrary quirk 27: a record that is read again removes no title`() async throws {
    let service = PlayedService()
    service.on("GET /data/marc", 200, "<collection>\(Read.record("001=a9"))</collection>")
    service.on("GET /items/a9", 200, Written.items("a9"))
    let page = try await service.adapter().harvest(from: nil, in: service.call)
    #expect(!page.changes.contains { if case .removed = $0 { true } else { false } })
  }

  @Test
  func `CloudLibrary quirk 27: a title that the service leaves out is removed`() async throws {
    let service = PlayedService()
    service.on("GET /data/cloudevents", 200, Written.events(("REMOVED", "a9"), ("CHECKIN", "b9")))
    service.on("GET /items/a9,b9", 200, Written.items("b9"))
    let start = Stretch(
      from: service.date.addingTimeInterval(-600), length: 86_400, heard: service.date)
    let page = try await service.adapter().harvest(
      from: Place.events(start).cursor, in: service.call)
    #expect(page.changes.contains(.removed(item)))
    #expect(page.editions.map(\.item) == [ItemID("b9")])
  }

  @Test func `CloudLibrary quirk 27: a second empty page ends the crawl if the service works`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /data/marc", 200)
    service.on("GET /items/0", 200, "<ArrayOfItem/>")
    let adapter = try service.adapter()
    guard case .done = try await adapter.harvest(from: nil, in: service.call).progress else {
      Issue.record("not the end")
      return
    }
    #expect(service.asked("GET /data/marc").count == 2)
    let broken = PlayedService()
    broken.on("GET /data/marc", 200)
    broken.on("GET /items/0", 200)
    let other = try broken.adapter()
    #expect(
      await reason { try await other.harvest(from: nil, in: broken.call) } == .providerUnavailable)
  }

  @Test func `CloudLibrary quirk 28: the shelf is requested for the linked card`() async throws {
    let service = PlayedService()
    service.on("GET /circulation/patron/77%2088", 200, Written.emptyShelf)
    let other = Credentials(["card": .init("77 88"), "pin": .init("1")])
    #expect(try await service.adapter(as: other).shelf(in: service.call) == Shelf())
  }

  @Test
  func `CloudLibrary quirk 29: an audiobook with a duration in milliseconds is read`() throws {
    let edition = try Read.item(
      "<BookFormat>MP3</BookFormat><Narrator>Callow, Simon; Mann, Bruce</Narrator>"
        + "<Duration>0016022000</Duration><OnSaleDate>2016-09-03</OnSaleDate>"
    ).edition()
    #expect(edition.medium == .audiobook)
    #expect(
      edition.contributors.filter { $0.role == .narrator }.map(\.name)
        == ["Simon Callow", "Bruce Mann"])
    #expect(edition.published == PartialDate(year: 2016, month: 9, day: 3))
  }

  @Test(arguments: [("en", "eng"), ("fr", "fre"), ("de", "ger"), ("zh", "chi"), ("es", "spa")])
  func `CloudLibrary quirk 30: languages of two and three letters give the same code`(
    two: String, three: String
  ) throws {
    let item = try Read.item("<Language>\(two)</Language>").edition()
    let field = "008=210402s2013||||||||||||o|||||||||||\(three)|d"
    let record = try Read.marc(Read.record("001=a9", field)).records[0].edition()
    #expect(item.languages == [two])
    #expect(record.languages == [two])
  }
}
