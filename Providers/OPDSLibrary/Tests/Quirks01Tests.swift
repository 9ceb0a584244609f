import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import OPDSLibrary

/// The numbers are those of the adapter's README.
@Suite struct `Quirks 1 to 13` {
  private let one = Wire.one

  @Test func `OPDSLibrary quirk 1: a catalog without sign-in is harvested without credentials`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.entry(Wire.open)))
    let desk = try service.desk(nil)
    #expect(try await desk.harvest(from: nil, in: service.call).editions.map(\.item) == [one])
    #expect(try await desk.checkAccount(in: service.call).withheld.contains(.lending))
    #expect(service.asked.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test(arguments: ["caf&eacute;&nbsp;&hearts;", "R&D &nosuch;", "<br>", "<a href='/x?y=1&z=2'/>"])
  func `OPDSLibrary quirk 1: a first page with undeclared entities or bad markup is read`(
    _ odd: String
  ) async throws {
    let service = PlayedService.lender(shelf: Wire.entry(Wire.loan()))
    service.on("GET /opds/", Wire.feed("<subtitle>\(odd)</subtitle>\(Wire.links)"))
    service.on("GET /all", Wire.feed("<subtitle>\(odd)</subtitle>\(Wire.entry(Wire.open))"))
    #expect(try await service.desk().checkAccount(in: service.call).withheld.isEmpty)
    #expect(
      try await service.desk().harvest(from: nil, in: service.call).editions.map(\.item) == [one])
  }

  @Test func `OPDSLibrary quirk 1: a shelf with undeclared entities is read whole`() async throws {
    let loan = Wire.entry(Wire.loan()).replacing("Book 1", with: "R&D &eacute; &nosuch;")
    let shelf = try await PlayedService.lender(shelf: loan).desk().shelf(
      in: PlayedService().call)
    #expect(shelf.loans.map(\.item) == [one])
  }

  @Test func `OPDSLibrary quirk 1: a catalog offers no loans without sign-in and is harvested`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.entry(Wire.open)))
    service.onAny("GET /opds/", Wire.feed(Wire.entry(Wire.open)))
    let library = Library(
      id: LibraryID("l"), provider: ProviderID("opdslibrary"), name: "L",
      endpoints: ["catalog": try Address("\(PlayedService.home)/opds/")])
    let open = try OPDSLibraryProvider.listing.make(library, nil, service.session())
    #expect(type(of: open).capabilities.isDisjoint(with: [.shelf, .lending, .holds]))
    #expect(try await open.harvest(from: nil, in: service.call).editions.map(\.item) == [one])
    #expect(try await open.checkAccount(in: service.call).withheld.contains(.lending))
    let member = try OPDSLibraryProvider.listing.make(
      library, PlayedService.ada, service.session())
    #expect(type(of: member).capabilities.contains(.lending))
  }

  struct Door: Sendable {
    var headers: Headers = [:]
    let body: String
  }

  @Test(arguments: [
    Door(body: Wire.authentication(Wire.basic)),
    Door(
      headers: ["Link": #"<https://books.example/auth>; rel="http://opds-spec.org/auth/document""#],
      body: "<p>Closed"),
    Door(headers: ["WWW-Authenticate": "Basic realm=x"], body: "<html>401</html>"),
  ])
  func `OPDSLibrary quirk 2: a 401 reply leads to the sign-in of the catalog`(_ door: Door)
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", status: 401, headers: door.headers, door.body)
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /auth", Wire.authentication(Wire.basic))
    service.on("GET /loans", Wire.feed(Wire.entry(Wire.loan())))
    #expect(try await service.desk().shelf(in: service.call).loans.map(\.item) == [one])
    #expect(service.asked("GET /loans").last?.headers["Authorization"]?.hasPrefix("Basic ") == true)
  }

  @Test func `OPDSLibrary quirk 2: a sign-in that needs a browser is a configuration error`()
    async throws
  {
    let saml = #"{"type": "http://librarysimplified.org/authtype/SAML-2.0"}"#
    let other = PlayedService()
    other.on("GET /opds/", Wire.feed(Wire.links))
    other.on("GET /auth", Wire.authentication(saml))
    #expect(
      await reason { try await other.desk().shelf(in: other.call) }?.code == "not_configured")
  }

  @Test func `OPDSLibrary quirk 3: the first requests carry no card`() async throws {
    let service = PlayedService.lender()
    _ = try await service.desk().shelf(in: service.call)
    #expect(service.asked("GET /opds/").allSatisfy { $0.headers["Authorization"] == nil })
    #expect(service.asked("GET /auth").allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test func `OPDSLibrary quirk 4: a password with special characters gets a token`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on(
      "GET /auth",
      Wire.authentication(
        """
        {"type": "http://opds-spec.org/auth/oauth/password",
         "links": [{"rel": "authenticate", "href": "/token"}]}
        """))
    service.on("POST /token", #"{"access_token": "t1", "token_type": "bearer", "expires_in": 100}"#)
    service.on("GET /loans", Wire.feed(Wire.entry(Wire.loan())))
    let desk = try service.desk()
    _ = try await desk.shelf(in: service.call)
    #expect(
      service.asked("POST /token")[0].body
        == "grant_type=password&username=ada&password=1%262%20%25%2B%C3%A9")
    #expect(service.asked("GET /loans")[0].headers["Authorization"] == "Bearer t1")
    service.pass(99)
    _ = try await desk.shelf(in: service.call)
    #expect(service.asked("POST /token").count == 2)
  }

  @Test
  func `OPDSLibrary quirk 4: Palace's token is requested with Basic authentication`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on(
      "GET /auth",
      Wire.authentication(
        """
        {"type": "http://thepalaceproject.org/authtype/basic-token",
         "links": [{"rel": "authenticate", "href": "/me/token"}]}
        """))
    service.on("POST /me/token", #"{"access_token": "t1", "expires_in": 100}"#)
    service.on("GET /loans", Wire.feed(""))
    _ = try await service.desk().shelf(in: service.call)
    #expect(
      service.asked("POST /me/token")[0].headers["Authorization"]?.hasPrefix("Basic ") == true)
    #expect(service.asked("GET /loans")[0].headers["Authorization"] == "Bearer t1")
  }

  @Test
  func `OPDSLibrary quirk 5: another host gets neither the card nor the password`() async throws {
    let service = PlayedService()
    service.on(
      "GET /opds/", Wire.feed(Wire.links.replacing("/loans", with: "https://evil.example/")))
    service.on("GET /auth", Wire.authentication(Wire.basic))
    service.on("GET https://evil.example/", Wire.feed(""))
    _ = try await service.desk().shelf(in: service.call)
    #expect(service.asked("GET https://evil.example/")[0].headers["Authorization"] == nil)
    let other = PlayedService()
    other.on("GET /opds/", Wire.feed(Wire.links))
    other.on(
      "GET /auth",
      Wire.authentication(
        """
        {"type": "http://opds-spec.org/auth/oauth/password",
         "links": [{"rel": "authenticate", "href": "http://evil.example/token"}]}
        """))
    #expect(await reason { try await other.desk().shelf(in: other.call) }?.code == "not_configured")
    #expect(!other.routes.contains { $0.hasPrefix("POST") })
  }

  @Test(arguments: ["available", "ready"])
  func `OPDSLibrary quirk 6: a plain acquisition link is a loan in any availability state`(
    _ state: String
  )
    async throws
  {
    let service = PlayedService.lender(shelf: Wire.entry(Wire.loan(status: state)))
    let shelf = try await service.desk().shelf(in: service.call)
    #expect(shelf.loans.first?.until == Date(timeIntervalSince1970: 1_769_904_000))
    #expect(shelf.holds.isEmpty)
  }

  @Test func `OPDSLibrary quirk 7: a title without free copies is not requested for a loan`()
    async throws
  {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("unavailable", copies: (1, 0))))
    #expect(
      await reason { try await service.desk().checkOut(one, as: nil, in: service.call) }
        == .noCopiesAvailable)
    #expect(!service.routes.contains { $0.hasSuffix("/borrow") })
  }

  @Test func `OPDSLibrary quirk 8: a borrow refused as PUT is repeated as GET`() async throws {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available")))
    service.on("PUT /borrow", status: 405)
    service.on("GET /borrow", Wire.entry(Wire.loan()))
    guard case .borrowed = try await service.desk().checkOut(one, as: nil, in: service.call) else {
      Issue.record("not lent")
      return
    }
    #expect(service.routes.suffix(2) == ["PUT /borrow", "GET /borrow"])
  }

  @Test func `OPDSLibrary quirk 9: a hold made instead of a loan is canceled`() async throws {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available")))
    service.on("PUT /borrow", Wire.entry(Wire.borrow("reserved") + Wire.revoke))
    service.on("PUT /revoke")
    #expect(
      await reason { try await service.desk().checkOut(one, as: nil, in: service.call) }
        == .noCopiesAvailable)
    #expect(service.routes.last == "PUT /revoke")
  }

  @Test
  func `OPDSLibrary quirk 9: a hold made instead of a loan is reported if it cannot be canceled`()
    async throws
  {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("available")))
    service.on("PUT /borrow", Wire.entry(Wire.borrow("reserved")))
    let outcome = try await service.desk().checkOut(one, as: nil, in: service.call)
    #expect(outcome.hold?.isReady == false)
  }

  @Test func `OPDSLibrary quirk 10: a loan made instead of a hold is returned`() async throws {
    let service = PlayedService.lender()
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("unavailable", copies: (1, 0))))
    service.on("PUT /borrow", Wire.entry(Wire.loan() + Wire.revoke))
    service.on("PUT /revoke")
    #expect(
      await reason {
        try await service.desk().placeHold(on: one, options: .init(), in: service.call)
      } == .currentlyAvailable)
    #expect(service.routes.last == "PUT /revoke")
  }

  @Test func `OPDSLibrary quirk 11: a loan is renewed by the borrow link of its catalog entry`()
    async throws
  {
    let service = PlayedService.lender(shelf: Wire.entry(Wire.loan()))
    service.on("GET /opds/works/1", Wire.entry(Wire.borrow("unavailable", copies: (1, 0))))
    service.on("PUT /borrow", Wire.entry(Wire.loan(until: "2026-02-22T00:00:00Z")))
    guard case .borrowed(let loan) = try await service.desk().renew(one, in: service.call) else {
      Issue.record("not renewed")
      return
    }
    #expect(loan.until == Date(timeIntervalSince1970: 1_771_718_400))
  }

  @Test
  func `OPDSLibrary quirk 12: a hold without a cancel link is canceled by DELETE`() async throws {
    let hold = """
      {"metadata": {"title": "Shelf"}, "links": [], "publications": [
       {"metadata": {"title": "Book", "identifier": "urn:x:1"}, "links": [
        {"rel": "self", "href": "/opds/works/1", "type": "application/opds-publication+json"},
        {"rel": "http://opds-spec.org/acquisition/borrow", "href": "/borrow", "properties": {
         "availability": {"state": "reserved"}, "cancellable": true}}]}]}
      """
    let other = PlayedService()
    other.on("GET /opds/", Wire.feed(Wire.links))
    other.on("GET /auth", Wire.authentication(Wire.basic))
    other.on("GET /loans", hold)
    other.on("DELETE /borrow", status: 204)
    try await other.desk().cancelHold(on: one, in: other.call)
    #expect(other.routes.last == "DELETE /borrow")
  }

  @Test(arguments: [
    "<entry><id>urn:x:9</id></entry>", Wire.entry(""),
    "<entry><title>Lost</title><id>urn:x:9</id><link rel=\"issues\" href=\"/i\"/></entry>",
  ])
  func `OPDSLibrary quirk 13: a shelf with an unreadable entry is malformed`(_ entry: String)
    async throws
  {
    let service = PlayedService.lender(shelf: Wire.entry(Wire.loan(), number: 2), entry)
    #expect(
      await reason { try await service.desk().shelf(in: service.call) }?.code
        == "malformed_response")
  }
}

extension BorrowOutcome {
  fileprivate var hold: Hold? { if case .waiting(let hold) = self { hold } else { nil } }
}
