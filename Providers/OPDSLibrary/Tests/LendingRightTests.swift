import Circulation
import Conformance
import Crypto
import FoundationEssentials
import HTTP
import JSON
import LCP
import OPDS
import ProviderKit
import Secrets
import Testing

@testable import OPDSLibrary

@Suite struct `Lending from a distributor's rights` {
  private static let home = PlayedService.home
  private static let lcp = "application/vnd.readium.lcp.license.v1.0+json"
  private static let template =
    "https://books.example/checkouts{?id,checkout_id,patron_id,expires,passphrase,hint,hint_url}"

  private static let title = """
    {"metadata":{"title":"Book 1","identifier":"urn:x:1"},
    "links":[{"rel":"self","href":"/opds/titles/1","type":"application/opds-publication+json"}],
    "licenses":[{"metadata":{"identifier":"urn:right:1","format":"application/epub+zip",
    "protection":{"format":"\(lcp)"}},"links":[{"rel":"self","href":"/rights/1"},
    {"rel":"http://opds-spec.org/acquisition/borrow","href":"\(template)","templated":true}]}]}
    """

  private static func info(_ available: Int, _ active: String = "") -> String {
    """
    {"identifier":"urn:right:1","status":"available","terms":{"concurrency":2},
    "checkouts":{"available":\(available),"active":[\(active)]}}
    """
  }

  private static func status(_ word: String) -> String {
    """
    {"id":"l","status":"\(word)","links":[{"rel":"self","href":"https://books.example/loans/1"},
    {"rel":"license","href":"https://books.example/licences/1","type":"\(lcp)"},
    {"rel":"return","href":"https://books.example/return/1{?id,name}","templated":true}]}
    """
  }

  private let call = Call(
    patron: PatronID("ada"), deadline: .now + .seconds(30), requestID: "request-1")

  private func distributor() -> PlayedService {
    let service = PlayedService()
    let json: Headers = ["Content-Type": "application/opds+json"]
    service.on(
      "GET /opds/", headers: json,
      #"{"metadata":{"title":"Stacks"},"links":[],"publications":[\#(Self.title)]}"#)
    service.on(
      "GET /opds/titles/1", headers: ["Content-Type": "application/opds-publication+json"],
      Self.title)
    return service
  }

  private let item = ItemID("titles/1")

  @Test func `Lending from a distributor's rights counts the copies that are free`() async throws {
    let service = distributor()
    service.on("GET /rights/1", Self.info(1))
    let told = try await service.desk().availability(of: [item], in: call)[item]
    #expect(told?.status == .available(.init(total: 2, available: 1, holds: nil)))
  }

  @Test
  func `OPDSLibrary borrows a licensed copy once, under a pseudonym, and gets its passphrase`()
    async throws
  {
    let service = distributor()
    let desk = try service.desk()
    let name = desk.pseudonym(in: call)
    // Looked at for a loan that is there, then for a copy.
    for info in [Self.info(1), Self.info(1), Self.info(0, active(name))] {
      service.on("GET /rights/1", info)
    }
    service.on("GET /loans/1", Self.status("ready"))
    #expect(!name.contains("ada") && name.utf8.count == 36)
    let other = Call(patron: PatronID("bob"), deadline: .now + .seconds(9), requestID: "r")
    #expect(desk.pseudonym(in: other) != name)
    // Whatever the address is filled in with, this answers.
    service.onAny("POST /checkouts?", status: 201, Self.status("ready"))
    let outcome = try await desk.checkOut(item, as: nil, in: call)
    guard case .borrowed(let loan) = outcome else {
      Issue.record("not lent")
      return
    }
    let posted = try #require(service.routes.first { $0.hasPrefix("POST") })
    #expect(posted.contains("patron_id=\(name)") && posted.contains("id=urn%3Aright%3A1"))
    #expect(loan.keys?.passphrase?.utf8.count == 64)
    #expect(posted.contains("passphrase=\(loan.keys?.passphrase ?? "-")"))
    #expect(loan.formats.map(\.protection) == [.lcp] && loan.until != nil)
    let handed = try await desk.fulfil(item, as: nil, in: call)
    #expect(handed.link.address == "https://books.example/licences/1")
    #expect(try await desk.shelf(in: call).loans.map(\.item) == [item])
    service.on("PUT /return/1?name=Carrel", Self.status("returned"))
    try await desk.checkIn(item, in: call)
    #expect(service.asked("PUT /return/1?name=Carrel").count == 1)
  }

  private func active(_ patron: String) -> String {
    """
    {"id":"c","patron":"\(patron)","href":"https://books.example/loans/1","expires":"2026-02-01T00:00:00Z"}
    """
  }

  @Test func `OPDSLibrary reports a used-up license and requests no copy`() async throws {
    let used = distributor()
    used.on(
      "GET /rights/1",
      #"{"identifier":"urn:right:1","status":"unavailable","checkouts":{"left":0,"available":1}}"#)
    #expect(await reason { try await used.desk().checkOut(item, as: nil, in: call) } == .noLicenses)
    #expect(!used.routes.contains { $0.hasPrefix("POST") })
    let told = try await used.desk().availability(of: [item], in: call)[item]
    #expect(told?.status.canBeHadNow == false)
  }

  @Test func `Lending from a distributor's rights says that all copies are out`() async throws {
    let service = distributor()
    service.on("GET /rights/1", Self.info(0))
    let desk = try service.desk()
    await #expect(throws: CirculationError.self) {
      try await desk.checkOut(item, as: nil, in: call)
    }
    let late = distributor()
    late.on("GET /rights/1", Self.info(1))
    late.onAny(
      "POST /checkouts?", status: 400,
      #"{"type":"http://opds-spec.org/odl/error/checkout/unavailable","title":"out"}"#)
    do {
      _ = try await late.desk().checkOut(item, as: nil, in: call)
      Issue.record("lent")
    } catch { #expect((error as? CirculationError)?.reason == .noCopiesAvailable) }
  }
}
