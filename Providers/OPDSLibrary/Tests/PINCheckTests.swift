import Circulation
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import OPDSLibrary

/// Whether an accepted password proves who a patron is.
@Suite struct `A password at an OPDS catalog` {
  @Test func `a password is proved where the shelf refuses those who send none`() async throws {
    let service = PlayedService.lender(shelf: Wire.entry(Wire.loan()))
    service.on("GET /loans", status: 401)
    #expect(try await service.desk().checkAccount(in: service.call).isPINVerified)
    #expect(
      service.asked("GET /loans").map { $0.headers["Authorization"] != nil } == [true, false])
  }

  @Test func `a password is proved where the catalog itself refuses those who send none`()
    async throws
  {
    let service = PlayedService()
    service.on("GET /opds/", status: 401, Wire.authentication(Wire.basic))
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /auth", Wire.authentication(Wire.basic))
    service.on("GET /loans", Wire.feed(""))
    #expect(try await service.desk().checkAccount(in: service.call).isPINVerified)
  }

  @Test func `a password proves nothing where everybody sees the shelf, or none was given`()
    async throws
  {
    let open = PlayedService.lender(shelf: Wire.entry(Wire.loan()))
    #expect(try await !open.desk().checkAccount(in: open.call).isPINVerified)
    let service = PlayedService.lender(shelf: "")
    service.on("GET /loans", status: 401)
    let desk = try service.desk(Credentials(["card": Secret("ada")]))
    #expect(try await !desk.checkAccount(in: service.call).isPINVerified)
  }

  @Test func `a password proves nothing where another host accepted it`() async throws {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on(
      "GET /auth",
      Wire.authentication(
        """
        {"type": "http://opds-spec.org/auth/oauth/password",
         "links": [{"rel": "authenticate", "href": "https://other.example/token"}]}
        """))
    service.on(
      "POST https://other.example/token", #"{"access_token": "t", "token_type": "bearer"}"#)
    service.on("GET /loans", Wire.feed(""))
    service.on("GET /loans", status: 401)
    #expect(try await !service.desk().checkAccount(in: service.call).isPINVerified)
    #expect(service.routes.contains("POST https://other.example/token"))
  }

  @Test func `a distributor's catalog checks no patron's password`() throws {
    func check(_ settings: [String: String]) throws -> PINCheck {
      try OPDSLibraryProvider.listing.pinCheck(
        Library(
          id: LibraryID("l"), provider: ProviderID("opdslibrary"), name: "L", endpoints: [:],
          settings: settings))
    }
    #expect(try check([:]) == .whenChallenged)
    #expect(try check(["distributor_user": "town"]) == .never)
  }
}
