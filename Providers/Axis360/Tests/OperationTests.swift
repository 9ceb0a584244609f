import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import Axis360

@Suite struct `What the adapter asks` {
  let service = PlayedService()
  private let one = Wire.one
  private let shelf = "GET availability/v2"

  @Test
  func `the Axis360 adapter sends library and token, and renews the token early`() async throws {
    service.on(shelf, Wire.nothing)
    let desk = try service.adapter()
    for seconds in [0.0, 500, 60] {
      service.pass(seconds)
      _ = try await desk.shelf(in: service.call)
    }
    let asked = service.asked(shelf)
    #expect(asked.allSatisfy { $0.headers["Library"] == "demo" })
    #expect(asked.allSatisfy { $0.headers["Authorization"] == "Bearer token" })
    #expect(service.asked("POST accesstoken").count == 2)
  }

  @Test func `the Axis360 adapter stops after two refused tokens and reports a settings error`()
    async throws
  {
    service.on(shelf, status: 401, Wire.status("1001", "Authorization token is invalid"))
    #expect(
      await reason { try await service.adapter().shelf(in: service.call) }?.code
        == "not_configured")
    #expect(service.asked("POST accesstoken").count == 2)
  }

  @Test
  func `the Axis360 adapter sends no checkout for a title that is already on loan`() async throws {
    service.on(shelf, Wire.titles(Wire.loan("PDF")))
    let outcome = try await service.adapter().checkOut(one, as: nil, in: service.call)
    guard case .borrowed(let loan) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(loan.lockedFormat == Formats.pdf)
    #expect(service.asked("POST checkout/v2").isEmpty, "it would be a renewal")
  }

  @Test
  func `the Axis360 adapter refuses to borrow a missing title or an unknown format`() async throws {
    service.on(shelf, Wire.nothing)
    let (desk, call) = (try service.adapter(), service.call)
    #expect(await reason { try await desk.checkOut(one, as: nil, in: call) } == .noLicenses)
    let odd = Format(id: "stone", content: .other, protection: .unknown)
    #expect(await reason { try await desk.checkOut(one, as: odd, in: call) } == .formatUnavailable)
  }

  @Test func `the Axis360 adapter sends no format when the title lists none`() async throws {
    service.on(shelf, Wire.nothing)
    service.on(shelf, Wire.titles(Wire.title("")))
    service.on("POST checkout/v2", Wire.checkout(Wire.verdict("0000")))
    _ = try await service.adapter().checkOut(one, as: nil, in: service.call)
    let asked = try #require(service.asked("POST checkout/v2").first)
    #expect(asked.query["format"] == nil && asked.query["titleId"] == one.rawValue)
    #expect(asked.query["patronId"] == PlayedService.card && asked.body.isEmpty)
  }

  private let button = "<IsButtonRenew>Y</IsButtonRenew>"

  @Test func `the Axis360 adapter renews a loan with a second checkout in the same format`()
    async throws
  {
    service.on(shelf, Wire.titles(Wire.loan(more: button)))
    service.on(
      "POST checkout/v2",
      Wire.checkout(
        Wire.verdict("0000") + "<expirationDate>2/12/2026 5:40:00 PM +00:00</expirationDate>"))
    guard
      case .borrowed(let loan) = try await service.adapter().renew(one, in: service.call)
    else {
      Issue.record("not renewed")
      return
    }
    #expect(loan.until == Date(timeIntervalSince1970: 1_770_918_000))
    #expect(service.asked("POST checkout/v2").first?.query["format"] == "ePub")
  }

  @Test func `the Axis360 adapter refuses to renew a title that is not renewable or not on loan`()
    async throws
  {
    service.on(shelf, Wire.titles(Wire.loan(more: "<IsButtonRenew>N</IsButtonRenew>")))
    service.on(shelf, Wire.nothing)
    let (desk, call) = (try service.adapter(), service.call)
    #expect(await reason { try await desk.renew(one, in: call) } == .notRenewable)
    #expect(await reason { try await desk.renew(one, in: call) } == .notBorrowed)
    #expect(service.asked("POST checkout/v2").isEmpty)
  }

  @Test
  func `the Axis360 adapter checks whether a refused renewal took effect anyway`() async throws {
    for (until, isRenewed) in [("2/12/2026 5:40:00 PM", true), ("1/22/2026 5:40:30 PM", false)] {
      let service = PlayedService()
      service.on(shelf, Wire.titles(Wire.loan(more: button)))
      service.on(shelf, Wire.titles(Wire.loan(until: until)))
      service.on("POST checkout/v2", Wire.checkout(Wire.verdict("3110")))
      let found = await reason { try await service.adapter().renew(one, in: service.call) }
      #expect(found == (isRenewed ? nil : .notRenewable))
    }
  }

  @Test func `the Axis360 adapter places no hold without an email and prefers the one passed in`()
    async throws
  {
    let bare = Credentials(["card": Secret(PlayedService.card), "email": Secret("nonsense")])
    #expect(
      await reason {
        try await service.adapter(as: bare).placeHold(
          on: one, options: .init(), in: service.call)
      }?.code == "not_configured")
    #expect(service.routes.isEmpty)
    service.on(
      "GET addtoHold/v2",
      Wire.result("addtoholdResponse", "addtoholdResult", Wire.verdict("0000")))
    _ = try await service.adapter().placeHold(
      on: one, options: HoldOptions(email: "a+b@c.org"), in: service.call)
    #expect(service.asked("GET addtoHold/v2").first?.query["email"] == "a+b@c.org")
  }

  @Test func `the Axis360 adapter reports holds as suspended or waiting without a position`()
    async throws
  {
    let fine = Wire.result("HoldResponse", "HoldResult", Wire.verdict("0000"))
    let path = "v2/\(one)/\(PlayedService.card)"
    service.on("GET suspendHold/\(path)", fine)
    service.on("GET activateHold/\(path)", fine)
    let (desk, call) = (try service.adapter(), service.call)
    #expect(try await desk.suspendHold(on: one, days: 7, in: call).word == "suspended")
    #expect(
      try await desk.resumeHold(on: one, in: call).status == .waiting(position: nil, total: nil))
  }

  @Test
  func `the Axis360 adapter needs a card for the shelf but not for availability`() async throws {
    service.on(shelf, Wire.nothing)
    let desk = try service.adapter(as: nil)
    #expect(await reason { try await desk.shelf(in: service.call) } == .credentialsRejected)
    #expect(service.routes.isEmpty)
    let told = try await desk.availability(of: [one], in: service.call)
    #expect(told[one]?.status == .unknownToProvider)
  }

  @Test(arguments: ["username", "password", "library_id", "endpoints.api"])
  func `the Axis360 adapter rejects a library with a missing setting`(_ missing: String) throws {
    let whole = try PlayedService.library()
    let library = Library(
      id: whole.id, provider: whole.provider, name: whole.name,
      endpoints: missing == "endpoints.api" ? [:] : whole.endpoints,
      settings: missing == "library_id" ? [:] : whole.settings,
      secrets: whole.secrets.filter { $0.key != missing })
    let fault = #expect(throws: SettingsFault.self) { try Settings(library, nil) }
    #expect(fault?.key == missing)
  }
}
