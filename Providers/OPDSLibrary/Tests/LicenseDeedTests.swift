import Circulation
import Crypto
import FoundationEssentials
import HTTP
import JSON
import MockKit
import ProviderKit
import Testing

@testable import OPDSLibrary

@Suite struct `A loan with a licence and without a link for it` {
  private static let press = Result { try LicensePress() }
  private static let type = "application/vnd.readium.lcp.license.v1.0+json"

  private static func license(end: String) throws -> String {
    var order = LicensePress.Order(
      id: "licence-1", issued: "2026-01-01T00:00:00Z", passphrase: Digest.sha256.hash("x"),
      contentKey: Digest.sha256.hash("y"),
      links: [
        ["rel": "hint", "href": "https://lender.example/hint"],
        ["rel": "publication", "href": "https://lender.example/book"],
        ["rel": "status", "href": "https://lender.example/status"],
      ])
    order.rights = ["end": .string(end)]
    return JSONValue.object(try press.get().license(order)).text()
  }

  private static func status(_ word: String, _ links: String) -> String {
    #"{"id":"licence-1","status":"\#(word)","links":[\#(links)]}"#
  }

  private static let back =
    #"{"rel":"return","href":"https://lender.example/return{?id,name}","templated":true}"#
  private static let renew =
    #"{"rel":"renew","href":"https://lender.example/renew{?end,id,name}","templated":true}"#
  private static let fresh = #"{"rel":"license","href":"https://lender.example/fresh"}"#

  private func lender(_ links: String) throws -> PlayedService {
    let way = Wire.loan(type: Self.type)
    let service = PlayedService.lender(shelf: Wire.entry(way))
    service.on("GET /opds/works/1", Wire.entry(way))
    service.on("GET /fulfil", try Self.license(end: "2026-02-01T00:00:00Z"))
    service.on("GET https://lender.example/status", Self.status("active", links))
    return service
  }

  private func reason(_ body: () async throws -> Void) async -> CirculationError.Reason? {
    do {
      try await body()
      return nil
    } catch { return (error as? CirculationError)?.reason }
  }

  @Test
  func `OPDSLibrary returns a loan at its license server once and without the card`() async throws {
    let service = try lender(Self.back)
    service.on(
      "PUT https://lender.example/return?name=Carrel", Self.status("returned", ""))
    let desk = try service.desk()
    #expect(try await desk.shelf(in: service.call).loans.first?.isReturnable == true)
    try await desk.checkIn(Wire.one, in: service.call)
    let deeds = service.asked("PUT https://lender.example/return?name=Carrel")
    #expect(deeds.count == 1 && deeds.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test func `OPDSLibrary renews a loan to the date in the new license`() async throws {
    let service = try lender(Self.renew)
    service.on(
      "PUT https://lender.example/renew?name=Carrel", Self.status("active", Self.fresh))
    service.on("GET https://lender.example/fresh", try Self.license(end: "2026-03-01T00:00:00Z"))
    let outcome = try await service.desk().renew(Wire.one, in: service.call)
    guard case .borrowed(let loan) = outcome else {
      Issue.record("not renewed")
      return
    }
    #expect(loan.until == Date(timeIntervalSince1970: 1_772_323_200))
    #expect(loan.formats.first?.protection == .lcp)
  }

  @Test(arguments: [
    ("renew", CirculationError.Reason.notRenewable), ("renew/date", .notRenewable),
    ("server", .providerUnavailable),
  ])
  func `A loan with a licence and without a link for it says why it is not prolonged`(
    _ word: String, _ wanted: CirculationError.Reason
  )
    async throws
  {
    let service = try lender(Self.renew)
    service.on(
      "PUT https://lender.example/renew?name=Carrel", status: 403,
      #"{"type":"http://readium.org/license-status-document/error/\#(word)","title":"No"}"#)
    let desk = try service.desk()
    #expect(await reason { _ = try await desk.renew(Wire.one, in: service.call) } == wanted)
  }

  @Test func `OPDSLibrary refuses to return a license twice or through a web page`() async throws {
    let service = try lender(Self.back)
    service.on(
      "PUT https://lender.example/return?name=Carrel", status: 403,
      #"{"type":"http://readium.org/license-status-document/error/return/already"}"#)
    let desk = try service.desk()
    #expect(await reason { try await desk.checkIn(Wire.one, in: service.call) } == .notBorrowed)
    let page = try lender(
      #"{"rel":"return","href":"https://lender.example/page","type":["text/html"]}"#)
    let other = try page.desk()
    #expect(
      await reason { try await other.checkIn(Wire.one, in: page.call) }
        == .unsupported(.earlyReturn))
    let none = try lender("")
    let last = try none.desk()
    #expect(await reason { _ = try await last.renew(Wire.one, in: none.call) } == .notRenewable)
  }
}
