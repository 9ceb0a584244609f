import Circulation
import FoundationEssentials
import HTTP
import Testing

@testable import OverDrive

@Suite struct `Quirks 21 to 30` {
  let service = PlayedService()
  private let one = Titles.one
  private var checkout: String { "/v1/patrons/me/checkouts/\(one.upper)" }

  /// A loan with these formats to fetch and these to choose from.
  private func loan(_ ready: [String], choices: [String] = [], locked: Bool = false) -> String {
    let base = "https://patron.api.overdrive.com\(checkout)/formats"
    let formats = ready.map { format in
      """
      {"formatType":"\(format)","linkTemplates":{"downloadLink":{"href":
       "\(base)/\(format)/downloadlink?errorpageurl={errorpageurl}"}}}
      """
    }
    let action = """
      {"format":{"href":"\(base)","method":"post","fields":[{"name":"reserveId"},
       {"name":"formatType","options":[\(choices.map { "\"\($0)\"" }.joined(separator: ","))]}]}}
      """
    return """
      {"reserveId":"\(one.upper)","isFormatLockedIn":\(locked),
       "formats":[\(formats.joined(separator: ","))],
       "actions":\(choices.isEmpty ? "{}" : action)}
      """
  }

  private func content(_ href: String, _ type: String) -> String {
    #"{"reserveId":"a","links":{"contentlink":{"href":"\#(href)","type":"\#(type)"}}}"#
  }

  @Test func `OverDrive quirk 21: a locked format removes the other format choices`() throws {
    let found = try Read.loan(
      loan(["ebook-pdf-adobe"], choices: ["ebook-epub-adobe"], locked: true))
    #expect(found.formats.map(\.id) == ["ebook-pdf-adobe"])
    let free = try Read.loan(loan(["ebook-overdrive"], choices: ["ebook-epub-adobe"]))
    #expect(free.formats.map(\.id) == ["ebook-overdrive", "ebook-epub-adobe"])
  }

  @Test func `OverDrive quirk 22: an open format is locked before it is downloaded`() async throws {
    service.on("GET \(checkout)", 200, loan(["ebook-overdrive"], choices: ["ebook-epub-open"]))
    service.on(
      "POST \(checkout)/formats", 201,
      """
      {"formatType":"ebook-epub-open","linkTemplates":{"downloadLink":{"href":
       "http://patron.api.overdrive.com\(checkout)/formats/ebook-epub-open/downloadlink"}}}
      """)
    service.on(
      "GET \(checkout)/formats/ebook-epub-open/downloadlink", 200,
      content("https://cdn.example/a.epub", "application/epub+zip"))
    let found = try await service.adapter().fulfil(one, as: nil, in: service.call)
    guard case .file(let link) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(link.address == "https://cdn.example/a.epub" && link.format.id == "ebook-epub-open")
    let locked = try #require(service.asked("POST \(checkout)/formats").first).fields
    #expect(locked == ["reserveId": one.upper, "formatType": "ebook-epub-open"])
  }

  @Test func `OverDrive quirk 23: a locked loan is returned through its download or not at all`()
    async throws
  {
    service.on("GET \(checkout)", 200, loan(["ebook-epub-open"], locked: true))
    service.on("GET \(checkout)", 404, #"{"errorCode":"TitleNotCheckedOut"}"#)
    service.on(
      "GET \(checkout)/formats/ebook-epub-open/downloadlink", 200,
      content("https://fulfill.example/a.epub?Token=1", "application/epub+zip"))
    service.on(
      "GET /a.epub", 302, headers: ["Location": "https://cdn.example/b.epub?Token=2"])
    service.on(
      "GET /b.epub", 302,
      headers: ["Location": "/c?loanEarlyReturnUrl=https%3A%2F%2Fback.example%2Fr%3Fid%3D1"])
    service.on("GET /r", 200, "Returned.")
    try await service.adapter().checkIn(one, in: service.call)
    let returned = try #require(service.asked("GET /r").first)
    #expect(returned.host == "back.example" && returned.query["id"] == "1")
    let strangers = ["GET /a.epub", "GET /b.epub", "GET /r"].flatMap { service.asked($0) }
    #expect(strangers.allSatisfy { $0.headers["Authorization"] == nil })

    let adobe = PlayedService()
    adobe.on("GET \(checkout)", 200, loan(["ebook-epub-adobe"], locked: true))
    #expect(
      await reason { try await adobe.adapter().checkIn(one, in: adobe.call) }
        == .unsupported(.earlyReturn))
  }

  /// What the look afterwards is told is no word about what came before it.
  @Test(arguments: [401, 403, 429, 500])
  func `OverDrive: a failed check after a command leaves its outcome open`(status: Int) async throws
  {
    service.on("GET \(checkout)", 200, loan(["ebook-epub-open"], locked: true))
    service.on("GET \(checkout)", status)
    service.on(
      "GET \(checkout)/formats/ebook-epub-open/downloadlink", 200,
      content("https://fulfill.example/a.epub?Token=1", "application/epub+zip"))
    service.on(
      "GET /a.epub", 302,
      headers: ["Location": "/c?loanEarlyReturnUrl=https%3A%2F%2Fback.example%2Fr%3Fid%3D1"])
    service.on("GET /r", 200, "Returned.")
    var found = await reason { try await service.adapter().checkIn(one, in: service.call) }
    #expect(service.asked("GET /r").count == 1)
    #expect(found?.leavesOutcomeOpen == true, "\(String(describing: found))")

    let lending = PlayedService()
    lending.on("POST /v1/patrons/me/checkouts", 400, #"{"errorCode":"NoCopiesAvailable"}"#)
    lending.on("GET \(checkout)", status)
    found = await reason { try await lending.adapter().checkOut(one, as: nil, in: lending.call) }
    #expect(found?.leavesOutcomeOpen == true, "\(String(describing: found))")
  }

  @Test func `OverDrive quirk 24: a content link works once and is not fetched in advance`()
    async throws
  {
    service.on("GET \(checkout)", 200, loan(["ebook-epub-adobe"], locked: true))
    let route = "GET \(checkout)/formats/ebook-epub-adobe/downloadlink"
    service.on(route, 500)
    #expect(
      await reason { try await service.adapter().fulfil(one, as: nil, in: service.call) }
        == .providerUnavailable)
    #expect(service.asked(route).count == 1, "each request makes another link")
    service.replace(
      route, 200, content("https://fulfill.example/a.acsm", "application/vnd.adobe.adept+xml"))
    let found = try await service.adapter().fulfil(one, as: nil, in: service.call)
    #expect(found.link.singleUse)
    #expect(found.link.expires == Read.now.addingTimeInterval(60))
    #expect(service.asked("GET /a.acsm").isEmpty)
  }

  @Test func `OverDrive quirk 25: the catalog shows no readable format, but the loan does`()
    async throws
  {
    let listed = try Read.edition(
      #"{"id":"a","formats":[{"id":"ebook-overdrive"},{"id":"ebook-kindle"}]}"#)
    #expect(listed.formats.filter(\.isReadableHere).isEmpty)
    let lent = try Read.loan(loan(["ebook-overdrive"], choices: ["ebook-epub-open"]))
    #expect(lent.formats.filter(\.isReadableHere).map(\.id) == ["ebook-epub-open"])
  }

  @Test func `OverDrive quirk 26: collection tokens are renewed, and a branch has its own`()
    async throws
  {
    service.on("GET /v1/libraries/4225", 200, #"{"collectionToken":"next"}"#)
    let found = #"{"totalItems":0,"links":{}}"#
    service.on("GET /v1/collections/next/products", 200, found)
    let adapter = try service.adapter(as: nil)
    _ = try await adapter.harvest(from: nil, in: service.call)
    #expect(service.asked("GET /v1/libraries/4225").count == 2)
    _ = try await adapter.harvest(from: nil, in: service.call)
    #expect(service.asked("GET /v1/libraries/4225").count == 2, "a token is kept for a day")
    service.pass(86_401)
    _ = try await adapter.harvest(from: nil, in: service.call)
    #expect(service.asked("GET /v1/libraries/4225").count == 3)
    let old = HarvestCursor(
      "2026-01-01T00:00:00Z page http://api.overdrive.com/v1/collections/public/products?offset=9")
    _ = try await adapter.harvest(from: old, in: service.call)
    #expect(service.asked("GET /v1/collections/next/products").last?.query["offset"] == "9")

    let child = "GET /v1/libraries/4225/advantageAccounts/3"
    service.on(child, 200, #"{"id":3,"collectionToken":"child"}"#)
    service.on("GET /v1/collections/child/products", 200, found)
    _ = try await service.adapter(["advantage_id": "3"]).harvest(from: nil, in: service.call)
    #expect(service.asked("GET /v1/collections/child/products").count == 1)
  }

  @Test
  func `OverDrive quirk 27: harvests overlap by two hours and drop repeated titles`() async throws {
    let route = "GET /v1/collections/public/products"
    service.on(
      route, 200, #"{"totalItems":2,"products":[{"id":"A"},{"id":"a"},{"id":"B"}],"links":{}}"#)
    service.on("GET /v1/collections/public/bulkmetadata", 200, #"{"metadata":[]}"#)
    let adapter = try service.adapter(as: nil)
    let first = try await adapter.harvest(from: nil, in: service.call)
    #expect(first.editions.map(\.item.rawValue) == ["a", "b"])
    var asked: [String?] = []
    var progress = first.progress
    for _ in 0..<2 {
      guard case .done(let cursor?) = progress else {
        Issue.record("\(progress)")
        return
      }
      service.pass(3600)
      progress = try await adapter.harvest(from: cursor, in: service.call).progress
      asked.append(service.asked(route).last?.query["lastUpdateTime"])
    }
    #expect(asked == ["2025-12-31T22:00:00Z", "2025-12-31T23:00:00Z"])
  }

  @Test
  func `OverDrive quirk 28: a release action does not mean that a hold is suspended`() throws {
    let waiting = try Read.hold(
      """
      {"reserveId":"a","holdListPosition":1,"numberOfHolds":1,
       "actions":{"releaseSuspension":{"href":"https://x/"}}}
      """)
    #expect(waiting.status == .waiting(position: 1, total: 1))
    for kind in [#""Indefinite""#, #""Limited","numberOfDays":7"#] {
      let resting = try Read.hold(
        #"{"reserveId":"a","holdSuspension":{"suspensionType":\#(kind)}}"#)
      #expect(resting.status == .suspended(until: nil), "no end is told that could be trusted")
    }
  }

  @Test func `OverDrive quirk 29: a renewal is a hold, and its refusal means not renewable`()
    async throws
  {
    let route = "POST /v1/patrons/me/holds"
    service.on("GET \(checkout)", 200, #"{"reserveId":"\#(one.upper)"}"#)
    service.on(route, 400, #"{"errorCode":"NotWithinRenewalWindow","message":"m"}"#)
    #expect(
      await reason { try await service.adapter().renew(one, in: service.call) } == .notRenewable)
    service.replace(route, 201, #"{"reserveId":"\#(one.upper)","holdListPosition":1}"#)
    let outcome = try await service.adapter().renew(one, in: service.call)
    guard case .waiting(let hold) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(hold.item == one)
  }

  @Test func `OverDrive quirk 30: titles missing from a search are not removed`() async throws {
    service.on("GET /v1/collections/public/products", 200, #"{"totalItems":0,"links":{}}"#)
    let page = try await service.adapter(as: nil).harvest(from: nil, in: service.call)
    #expect(page.changes.isEmpty, "the service names nothing that left, so neither do we")
  }
}
