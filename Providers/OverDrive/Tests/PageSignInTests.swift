import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import HTTPServer
import MockKit
import OverDriveMock
import ProviderKit
import Secrets
import Synchronization
import Testing

@testable import OverDrive

@Suite struct `Signing in at the service's page` {
  let service = PlayedService()
  private let redirect = "http://127.0.0.1:9/callback"

  private func page(_ settings: [String: String] = ["sign_in": "page"]) throws -> SignInPage? {
    let way = try OverDriveProvider.listing.signIn(try PlayedService.library(settings))
    if case .page(let page) = way { return page }
    return nil
  }

  private func visit(_ page: SignInPage) async throws -> SignInPage.Visit {
    try await page.begin(
      .init(redirect: redirect, state: "s1"), service.session(), service.call)
  }

  private func finish(_ answer: FormFields) async throws -> Credentials {
    let page = try #require(try page())
    return try await page.finish(
      try await visit(page), .redirected(answer), service.session(), service.call)
  }

  @Test func `Signing in at the service's page is for libraries that say so`() throws {
    #expect(try page([:]) == nil)
    #expect(try page(["sign_in": "card"]) == nil)
    #expect(throws: SettingsFault.self) { try page(["sign_in": "fax"]) }
    #expect(try page(["sign_in": "page", "website_id": "", "authorization_name": ""]) != nil)
  }

  @Test func `Signing in at the service's page opens the page with the library's scope`()
    async throws
  {
    let address = try await visit(try #require(try page())).address
    #expect(address.host.text == "oauth.overdrive.com" && address.path == "/auth")
    let query = FormFields(parsing: address.query ?? "")
    #expect(query["scope"] == "accountId:4225" && query["client_id"] == "CARREL")
    #expect(query["redirect_uri"] == redirect && query["response_type"] == "code")
    #expect(query["state"] == "s1" && query["code_challenge"] == nil)
  }

  @Test func `Signing in at the service's page exchanges the code once, with the same way back`()
    async throws
  {
    service.replace("POST /token", 200, #"{"access_token":"a","refresh_token":"r1"}"#)
    let credentials = try await finish(["code": "c", "state": "s1"])
    #expect(credentials["refresh_token"]?.revealText { $0 } == "r1")
    let asked = try #require(service.asked("POST /token").first)
    #expect(asked.form["code"] == "c" && asked.form["redirect_uri"] == redirect)
    #expect(asked.headers["Authorization"] == "Basic Q0FSUkVMOnMzY3JldA==")
  }

  @Test(
    arguments: [
      (["code": "c", "state": "other"], "credentials_rejected"),
      (["error": "access_denied", "state": "s1"], "credentials_rejected"),
      (["state": "s1"], "malformed_response"),
    ] as [(FormFields, String)])
  func `Signing in at the service's page goes nowhere with another answer`(
    _ answer: FormFields, code: String
  ) async {
    #expect(await reason { try await finish(answer) }?.code == code)
    #expect(service.asked("POST /token").isEmpty)
  }

  @Test func `the OverDrive page sign-in stores each new refresh token`() async throws {
    service.replace("POST /token", 200, #"{"access_token":"a1","refresh_token":"r2"}"#)
    service.on("POST /token", 200, #"{"access_token":"a2","refresh_token":"r3"}"#)
    let kept = Kept()
    let reader = Credentials(["refresh_token": Secret("r1")]) { kept.keep($0, $1) }
    let adapter = try service.adapter(["sign_in": "page"], as: reader)
    _ = try await adapter.checkAccount(in: service.call)
    service.pass(3600)
    _ = try await adapter.checkAccount(in: service.call)
    #expect(service.asked("POST /token").map { $0.form["refresh_token"] } == ["r1", "r2"])
    #expect(kept.all == ["refresh_token r2", "refresh_token r3"])
    #expect(service.asked("POST /patrontoken").isEmpty)
  }

  @Test func `Signing in at the service's page is asked for again when it was allowed once`()
    async throws
  {
    service.replace("POST /token", 200, #"{"access_token":"a1","expires_in":3600}"#)
    let reader = try await finish(["code": "c", "state": "s1"])
    #expect(reader["refresh_token"] == nil)
    let adapter = try service.adapter(["sign_in": "page"], as: reader)
    _ = try await adapter.checkAccount(in: service.call)
    #expect(
      service.asked("GET /v1/patrons/me").first?.headers["Authorization"] == "Bearer a1")
    service.pass(3300)
    do throws(CirculationError) {
      _ = try await adapter.checkAccount(in: service.call)
      Issue.record("a token without a life")
    } catch {
      #expect(error.reason == .credentialsRejected)
      #expect(error.providerSays?.contains("new sign-in") == true)
    }
    #expect(service.asked("POST /token").count == 1)
  }

  @Test func `the OverDrive page sign-in is required again after a refused refresh`() async throws {
    service.replace("POST /token", 400, #"{"error":"invalid_grant"}"#)
    let adapter = try service.adapter(
      ["sign_in": "page"], as: Credentials(["refresh_token": Secret("r1")]))
    #expect(
      await reason { try await adapter.checkAccount(in: service.call) } == .credentialsRejected)
  }

  @Test func `a refused OverDrive client key is a configuration error, not a rejected card`()
    async throws
  {
    service.replace("POST /token", 400, #"{"error":"unauthorized_client"}"#)
    #expect(
      await reason { try await service.adapter(as: nil).harvest(from: nil, in: service.call) }?
        .code == "not_configured")
  }

  @Test(arguments: ["always", "once"])
  func `Signing in at the service's page works against a service that plays along`(_ allow: String)
    async throws
  {
    let house = MockHouse(.threeCards, seed: 1, dialects: [OverDriveDialect.dialect])
    let server = Server(ServerSettings([.loopback(port: 0)], loops: 1), house.handler)
    try server.start()
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    let base = try Address("http://\(server.addresses[0])")
    let library = Library(
      id: LibraryID("m"), provider: ProviderID("overdrive"), name: "M",
      endpoints: ["discovery": base, "patron": base, "oauth": base, "patron_oauth": base],
      settings: ["library_id": "4225", "sign_in": "page"],
      secrets: ["client_key": Secret("CARRELMOCK"), "client_secret": Secret("mock-secret")])
    let session = Session(provider: ProviderID("overdrive"), transport: client.transport)
    guard case .page(let page) = try OverDriveProvider.signIn(library) else {
      Issue.record("no page")
      return
    }
    let visit = try await page.begin(
      .init(redirect: redirect, state: "s1"), session, service.call)
    var form = FormFields(parsing: visit.address.query ?? "")
    form.add("username", "23000000000001")
    form.add("password", "1111")
    form.add("allow", allow)
    var post = HTTPClient.Request(.post, base.appending(segment: "auth"), redirects: .returned)
    post.headers.set("Content-Type", "application/x-www-form-urlencoded")
    post.body = .bytes(Array(form.encoded.utf8))
    let back = try #require(try await client.send(post).headers["Location"])
    let reader = try await page.finish(
      visit, SignInPage.Answer(pasted: back), session, service.call)
    #expect((reader["refresh_token"] == nil) == (allow == "once"))
    let adapter = OverDriveProvider(settings: try Settings(library, reader), session: session)
    #expect(try await adapter.checkAccount(in: service.call).loanLimit != nil)
    await client.shutdown()
    await server.stop(within: .zero)
  }
}

private final class Kept: Sendable {
  private let seen = Mutex([String]())
  var all: [String] { seen.withLock { $0 } }
  func keep(_ field: String, _ value: Secret) {
    seen.withLock { $0.append("\(field) \(value.revealText { $0 })") }
  }
}
