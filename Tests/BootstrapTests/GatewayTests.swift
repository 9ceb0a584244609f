import HTTP
import HTTPServer
import Log
import Setup
import Testing

@testable import Bootstrap

@Suite struct `The gateway` {
  private func gateway(_ flags: [String: String] = [:], database trouble: String? = nil) throws
    -> Gateway
  {
    let values = flags.map { ConfigurationSources.FlagValue("--set", sets: $0.key, to: $0.value) }
    let configuration = try Configuration(from: ConfigurationSources(flags: values))
    let settings = try ServerSettings(configuration, inherited: [])
    return Gateway(
      configuration, settings: settings,
      fitness: Fitness(settings.readiness) {
        trouble.map { [ReadinessFault(.database, $0)] } ?? []
      })
  }

  private func reply(
    _ gateway: Gateway, _ target: String, _ method: Method = .get, accept: String? = nil
  ) async throws -> (response: Response, text: String) {
    let headers: Headers = accept.map { ["Accept": $0] } ?? [:]
    let request = try Request(
      method, target, headers: headers, policy: gateway.settings.proxies)
    let response = await gateway.handler(request)
    let text = String(decoding: response.reply(to: request).bytes ?? [], as: UTF8.self)
    return (response, text)
  }

  @Test func `The gateway answers the health probe with nothing checked`() async throws {
    let (response, text) = try await reply(gateway(database: "gone"), "/healthz")
    #expect(response.status == .ok)
    #expect(response.headers["Cache-Control"] == "no-store")
    #expect(text == "ok\n")
  }

  @Test func `The gateway is ready when it has started and the database can be written to`()
    async throws
  {
    let fresh = try gateway()
    #expect(try await reply(fresh, "/readyz").response.status == .serviceUnavailable)
    fresh.settings.readiness.become(.ready)
    #expect(try await reply(fresh, "/readyz").text == "ready\n")
    fresh.settings.readiness.become(.draining)
    #expect(try await reply(fresh, "/readyz").text.contains("\"reasons\":[\"stopping\"]"))

    let broken = try gateway(database: "the database cannot be written to")
    broken.settings.readiness.become(.ready)
    let (response, text) = try await reply(broken, "/readyz")
    #expect(response.status == .serviceUnavailable)
    #expect(response.headers["Content-Type"] == "application/problem+json")
    #expect(response.headers["Cache-Control"] == "no-store")
    #expect(response.headers["Retry-After"] == "5")
    #expect(text.contains("\"code\":\"not_ready\""))
    #expect(text.contains("\"reasons\":[\"the database cannot be written to\"]"))
  }

  @Test(arguments: ["/healthz", "/readyz", "/lib/healthz", "/lib/readyz"])
  func `The gateway answers probes outside the base path and under it, to HEAD as well`(
    _ path: String
  ) async throws {
    let gateway = try gateway(["server.public_url": "https://books.example.org/lib"])
    gateway.settings.readiness.become(.ready)
    #expect(try await reply(gateway, path).response.status == .ok)
    let (response, text) = try await reply(gateway, path, .head)
    #expect(response.status == .ok && text.isEmpty)
    #expect(!response.headers.fields.contains { $0.name.lowercased() == "server" })
  }

  @Test func `The gateway is not ready while the job runner is silent, and again when it is heard`()
    async
  {
    let (readiness, runner) = (Readiness(), Pulse(silentFor: .seconds(90)))
    readiness.become(.ready)
    let fitness = Fitness(readiness, runner: runner) { [] }
    #expect(await fitness.reasons() == ["the job runner was not heard for 90 s"])
    runner.beat()
    #expect(await fitness.reasons() == [])
  }

  @Test func `The gateway says that it is starting until the house is open`() async throws {
    let reception = Reception()
    let live = try Request(.get, "/healthz")
    let ready = try Request(.get, "/readyz")
    #expect(await reception.handler(live).status == .ok)
    let closed = await reception.handler(ready)
    #expect(closed.status == .serviceUnavailable)
    let text = String(decoding: closed.reply(to: ready).bytes ?? [], as: UTF8.self)
    #expect(text.contains("\"reasons\":[\"starting\"]"))
    let page = try Request(.get, "/")
    async let waiting = reception.handler(page).status
    reception.open(.immediate { _ in .text("in") })
    #expect(await waiting == .ok)
    #expect(await reception.handler(ready).status == .ok)
    let shut = await Reception(patience: .zero).handler(page)
    #expect(shut.status == .serviceUnavailable)
  }

  @Test func `The gateway shows a start page that runs one script and links only what it has`()
    async throws
  {
    let gateway = try gateway()
    let (response, page) = try await reply(gateway, "/", accept: "text/html,*/*;q=0.8")
    #expect(response.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    #expect(page.contains("<h1>") && page.contains("lang=\"en\"") && !page.contains("<script>"))
    #expect(!page.contains("onclick="))
    let style = try #require(page.firstMatch(of: #/href="(/assets/[^"]+)"/#)?.1)
    let (sheet, text) = try await reply(gateway, String(style))
    #expect(sheet.status == .ok)
    #expect(text.contains("--accent"))
  }

  @Test func `The gateway carries the base path in every link`() async throws {
    let gateway = try gateway(["server.public_url": "https://books.example.org/shelf"])
    let (response, page) = try await reply(gateway, "/shelf/", accept: "text/html")
    #expect(response.status == .ok)
    let links = page.matches(of: #/(?:href|src)="([^"#]+)"/#).map { String($0.1) }
    #expect(!links.isEmpty)
    #expect(links.allSatisfy { $0.hasPrefix("/shelf/") }, "\(links)")
  }

  @Test func `The gateway refuses with a page for people and a document for programs`() async throws
  {
    let gateway = try gateway()
    let (page, html) = try await reply(gateway, "/nothing", accept: "text/html,*/*;q=0.8")
    #expect(page.status == .notFound)
    #expect(html.contains("There is nothing here"))
    let (problem, json) = try await reply(gateway, "/nothing", accept: "*/*")
    #expect(problem.headers["Content-Type"] == "application/problem+json")
    #expect(json.contains("\"code\":\"not_found\""))
    let (wrong, _) = try await reply(gateway, "/", .post)
    #expect(wrong.status == .methodNotAllowed)
    #expect(wrong.headers["Allow"]?.contains("GET") == true)
  }

  @Test func `every route of a gateway without services is marked as open`() throws {
    #expect(try gateway().routes.table.map(\.pattern).contains("/healthz"))
    #expect(try gateway().routes.table.allSatisfy { $0.note == .open })
  }

  @Test(arguments: [
    ["server.listen": "no-address"], ["server.trusted_proxies": "10.0.0.0/99"],
    ["server.public_url": "ftp://x/"],
  ])
  func `The gateway does not start on settings that mean nothing`(flags: [String: String]) {
    #expect(throws: (any Error).self) { try gateway(flags) }
  }
}
