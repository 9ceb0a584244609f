import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import Axis360

@Suite struct `Quirks 13 to 24` {
  let service = PlayedService()
  private let one = Wire.one
  private let shelf = "GET availability/v2"

  @Test func `Axis360 quirk 13: a success code without a message is accepted`() async throws {
    service.on("GET removeHold/v2", Wire.result("r", "removeholdResult", Wire.verdict("0000")))
    try await service.adapter().cancelHold(on: one, in: service.call)
  }

  @Test(arguments: [
    "<status><code>OK</code></status>", "<status><code/></status>", "<status/>", "",
  ])
  func `Axis360 quirk 14: a reply with a missing or non-numeric code is malformed`(
    _ verdict: String
  ) async throws {
    service.on("POST checkout/v2", Wire.checkout(verdict))
    service.on(shelf, Wire.document("availabilityResponse", Wire.loan() + verdict))
    #expect(
      await reason { try await service.adapter().shelf(in: service.call) }?.code
        == "malformed_response")
    let error = Read.failure(Read.decode("loan", Wire.checkout(verdict)))
    #expect(error?.reason.code == "malformed_response")
    #expect(
      Read.failure(Read.decode("loan", Wire.checkout(verdict), 500))?.reason
        == .providerUnavailable)
  }

  @Test func `Axis360 quirk 15: a hold reply without a title belongs to the requested title`()
    async throws
  {
    service.on(shelf, Wire.nothing)
    service.on(
      "GET addtoHold/v2",
      Wire.result(
        "addtoholdResponse", "addtoholdResult",
        Wire.verdict("0000") + "<holdsQueuePosition>3</holdsQueuePosition>"))
    let hold = try await service.adapter().placeHold(on: one, options: .init(), in: service.call)
    #expect(hold.item == one && hold.status == .waiting(position: 3, total: nil))
  }

  private let crowd = """
    <Checkouts><checkout><Patron>99000000000009</Patron><EndDate>1/1/2026 1:00:00 AM</EndDate>
    <Active>true</Active></checkout></Checkouts><Holds><Hold><Patron>98000000000008</Patron>
    <Email>someone.else@example.org</Email><Reserved>true</Reserved></Hold></Holds>
    """

  @Test func `Axis360 quirk 16: checkout and hold lists of other patrons are ignored`() {
    let found = Read.availability(
      crowd + "<availableCopies>1</availableCopies><totalCopies>3</totalCopies>"
        + "<holdsQueueSize>0</holdsQueueSize>")
    #expect(found?.status == .available(.init(total: 3, available: 1, holds: 0)))
    #expect(Read.shelf(Wire.title(crowd)) == Shelf())
  }

  @Test func `Axis360 quirk 17: a hold without its required position is still read`() {
    let hold = "<Holds><Hold><Patron>1</Patron></Hold></Holds><isInHoldQueue>true</isInHoldQueue>"
    #expect(
      Read.shelf(Wire.title(hold))?.holds.map(\.status) == [.waiting(position: nil, total: nil)])
  }

  @Test func `Axis360 quirk 18: the parser drops data about other patrons`() throws {
    let root = try WireXML(parsing: Array(Wire.titles(Wire.title(crowd)).utf8))
    let title = try #require(root["title"].flatMap(WireTitle.init))
    let said = "\(title) \(String(reflecting: title))"
    for word in ["99000000000009", "98000000000008", "someone.else"] {
      #expect(!said.contains(word))
    }
  }

  @Test func `Axis360 quirk 19: inventories get 60 seconds and lookups name at most 125 titles`()
    async throws
  {
    let settings = try Settings(try PlayedService.library(), nil)
    #expect(settings.inventory(since: "01-01-2000 00:00:00", page: 1).tryLimit == .seconds(60))
    #expect(settings.availability(of: [one]).tryLimit == nil)
    service.on(shelf, Wire.nothing)
    let items = (1...130).map { ItemID("00\($0)") }
    let told = try await service.adapter().availability(of: items, in: service.call)
    let counts = service.asked(shelf).map { asked in
      asked.query["titleIds"]?.split(separator: ",").count ?? 0
    }
    #expect(counts == [125, 5] && told.count == 130)
  }

  @Test
  func `Axis360 quirk 20: the inventory request writes dates in the US format`() async throws {
    service.on(
      "GET titleLicense/v3", #"{"pagination":null,"status":{"Code":"0000"},"titles":null}"#)
    let desk = try service.adapter()
    guard
      case .done(let next) = try await desk.harvest(from: nil, in: service.call).progress
    else {
      Issue.record("not done")
      return
    }
    _ = try await desk.harvest(from: next, in: service.call)
    // 2026-01-01T00:00:00Z, less the hour that clocks may differ.
    #expect(
      service.asked("GET titleLicense/v3").map { $0.query["modifiedSince"] } == [
        "01-01-2000 00:00:00", "12-31-2025 23:00:00",
      ])
  }

  @Test func `Axis360 quirk 21: inactive titles are removed and unlisted ones are unknown`()
    async throws
  {
    service.on(
      "GET titleLicense/v3",
      """
      {"pagination":{"currentPage":1,"totalCount":3,"totalPage":1},"status":{"Code":"0000"},
       "titles":[{"TitleID":"01","active":false,"fields":[]},{"TitleID":"02","active":true},
       {"TitleID":"03","active":true}]}
      """)
    service.on(
      shelf,
      Wire.titles(
        Wire.title(
          "<availableCopies>1</availableCopies><totalCopies>1</totalCopies>", id: "03")))
    let page = try await service.adapter().harvest(from: nil, in: service.call)
    #expect(page.changes.first == .removed(ItemID("01")) && page.total == 3)
    #expect(
      page.changes.contains(
        .availability(ItemID("02"), Availability(.unknownToProvider, asOf: Wire.now))))
    #expect(page.editions.map(\.item.rawValue) == ["02", "03"])
    #expect(page.editions.map(\.owned) == [nil, true])
    #expect(service.asked(shelf).first?.query["titleIds"] == "02,03")
  }

  @Test(arguments: ["false", "N", "False"])
  func `Axis360 quirk 22: a returned title that is still on the shelf is not a loan`(_ word: String)
  {
    let title = Wire.title(
      "<isCheckedout>\(word)</isCheckedout><checkoutFormat>ePub</checkoutFormat>"
        + "<checkoutEndDate>1/22/2026 5:40:00 PM</checkoutEndDate>")
    #expect(Read.shelf(title) == Shelf())
  }

  @Test func `Axis360 quirk 23: a checkout without copies checks the shelf before it fails`()
    async throws
  {
    service.on(shelf, Wire.nothing)
    service.on(
      "POST checkout/v2",
      Wire.checkout(Wire.verdict("3113", "Title ID is not available for checkout")))
    let desk = try service.adapter()
    #expect(
      await reason { try await desk.checkOut(one, as: Formats.epub, in: service.call) }
        == .noCopiesAvailable)
    #expect(service.asked(shelf).count == 2)
    // The address for notices is known by then, so a hold needs no question.
    service.on(
      "GET addtoHold/v2",
      Wire.result("addtoholdResponse", "addtoholdResult", Wire.verdict("0000")))
    _ = try await desk.placeHold(on: one, options: .init(), in: service.call)
    #expect(service.asked("GET addtoHold/v2").first?.query["email"] == "ada@example.org")
  }

  @Test func `Axis360 quirk 24: the adapter neither asks for a PIN nor sends one`() async throws {
    service.on(shelf, status: 401, Wire.status("3122"))
    #expect(!Axis360Provider.listing.fields.contains { $0.name == "pin" || $0.isSecret })
    let reader = Credentials(["card": Secret(PlayedService.card), "pin": Secret("70419358")])
    _ = try await service.adapter(as: reader).checkAccount(in: service.call)
    let asked = try #require(service.asked(shelf).first)
    #expect(asked.query.fields.map(\.name) == ["patronId"])
    #expect(!"\(asked)".contains("70419358"))
  }
}
