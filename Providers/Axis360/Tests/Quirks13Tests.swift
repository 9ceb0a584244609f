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

  @Test func `Axis360 quirk 13: a success may say nothing`() async throws {
    service.on("GET removeHold/v2", Wire.result("r", "removeholdResult", Wire.verdict("0000")))
    try await service.adapter().cancelHold(on: one, in: service.call)
  }

  @Test(arguments: [
    "<status><code>OK</code></status>", "<status><code/></status>", "<status/>", "",
  ])
  func `Axis360 quirk 14: a code that is no number, or missing, is no success`(_ verdict: String)
    async throws
  {
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

  @Test func `Axis360 quirk 15: answers to commands do not name the title`() async throws {
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

  @Test func `Quirk 16: lists of one kind have names of two makes, and both are passed over`() {
    let found = Read.availability(
      crowd + "<availableCopies>1</availableCopies><totalCopies>3</totalCopies>"
        + "<holdsQueueSize>0</holdsQueueSize>")
    #expect(found?.status == .available(.init(total: 3, available: 1, holds: 0)))
    #expect(Read.shelf(Wire.title(crowd)) == Shelf())
  }

  @Test func `Axis360 quirk 17: what is said to be there always may be missing`() {
    let hold = "<Holds><Hold><Patron>1</Patron></Hold></Holds><isInHoldQueue>true</isInHoldQueue>"
    #expect(
      Read.shelf(Wire.title(hold))?.holds.map(\.status) == [.waiting(position: nil, total: nil)])
  }

  @Test func `Axis360 quirk 18: what is told of other readers ends in the parser`() throws {
    let root = try WireXML(parsing: Array(Wire.titles(Wire.title(crowd)).utf8))
    let title = try #require(root["title"].flatMap(WireTitle.init))
    let said = "\(title) \(String(reflecting: title))"
    for word in ["99000000000009", "98000000000008", "someone.else"] {
      #expect(!said.contains(word))
    }
  }

  @Test func `Axis360 quirk 19: inventories are slow, and addresses name 125 titles at most`()
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

  @Test func `Axis360 quirk 20: moments in questions are written the American way`() async throws {
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

  @Test func `Axis360 quirk 21: titles go by a word of the inventory, or by their absence`()
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
  func `Axis360 quirk 22: what was given back lingers on the shelf`(_ word: String) {
    let title = Wire.title(
      "<isCheckedout>\(word)</isCheckedout><checkoutFormat>ePub</checkoutFormat>"
        + "<checkoutEndDate>1/22/2026 5:40:00 PM</checkoutEndDate>")
    #expect(Read.shelf(title) == Shelf())
  }

  @Test func `Axis360 quirk 23: the counts are stale, so the shelf is looked at before giving up`()
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

  @Test func `Axis360 quirk 24: no PIN is asked for, nor sent if one is given`() async throws {
    service.on(shelf, status: 401, Wire.status("3122"))
    #expect(!Axis360Provider.listing.fields.contains { $0.name == "pin" || $0.isSecret })
    let reader = Credentials(["card": Secret(PlayedService.card), "pin": Secret("70419358")])
    _ = try await service.adapter(as: reader).checkAccount(in: service.call)
    let asked = try #require(service.asked(shelf).first)
    #expect(asked.query.fields.map(\.name) == ["patronId"])
    #expect(!"\(asked)".contains("70419358"))
  }
}
