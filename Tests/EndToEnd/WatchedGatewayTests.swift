import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// What whoever runs the gateway sees of it, while readers use it.
@Suite(.timeLimit(.minutes(5))) struct `A gateway that is watched` {
  private static let settings = """
    metrics:
      listen: 127.0.0.1:0
    log:
      level: debug
      format: json

    """

  @Test(arguments: Engine.allCases)
  func `a request is traced from the page to the library, and no reader's words are exported`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try stage.addSettings(Self.settings)
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await RunningGateway.serve(stage) { gateway in
        let scrape = try await Scrape(gateway)
        let lent = try await borrow(title.name, by: gateway)
        let id = try #require(lent.headers["X-Request-Id"])
        #expect(id.count == 32, "nginx made it")

        let journal = try await stage.mock.admin(.get, "/requests?limit=10000")
        let asked = (journal["requests"]?.array ?? []).filter {
          $0["request"]?["headers"]?["x-request-id"]?.string == id
        }
        #expect(asked.contains { $0["request"]?["method"]?.string == "POST" })

        let lines = try gateway.log.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
          try JSONValue(parsing: String($0))
        }
        let own = lines.filter { $0["request_id"]?.string == id }
        #expect(own.contains { $0["msg"]?.string == "library asked" })
        let served = try #require(own.first { $0["msg"]?.string == "request served" })
        #expect(served["patron_hash"]?.string?.count == 12)
        #expect(served["method"]?.string == "POST" && served["status"]?.integer == 303)
        #expect(served["route"]?.string?.hasPrefix("/") == true)

        let app = gateway.app(credentials: false)
        #expect(try await app.ask(gateway.site + "/readyz").text == "ready\n")
        let text = try await scrape.text()
        #expect(Scrape.faults(in: text) == [])
        #expect(text.contains("carrel_provider_requests_total{provider=\"overdrive\","))
        #expect(text.contains("carrel_loans 1\n"))
        #expect(text.contains(",method=\"POST\",status=\"303\""))
        #expect(text.contains("carrel_ready 1\n") && text.contains("carrel_database_up 1\n"))
        // What was measured may look like anything, and an id may have a PIN's digits in it.
        let labels = text.replacing(/(?m) \S+$/, with: "")
        for word in [title.name, title.id, Mock.ada, "city-card", "q=", id] {
          #expect(!labels.contains(word), "\(word)")
          if word != id, word != title.id { #expect(!gateway.log.contains(word), "\(word)") }
        }
        #expect(!labels.contains(/\b1111\b/) && !gateway.log.contains(/\b1111\b/))
      }
    }
  }

  @Test func `A gateway that is watched is probed through the proxy, and reads its settings anew`()
    async throws
  {
    try await Stage.play { stage in
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app(credentials: false)
        let root = gateway.site.replacing("/lib", with: "")
        for path in ["/healthz", "/readyz", "/lib/healthz", "/lib/readyz"] {
          let answer = try await app.ask(root + path)
          #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-store", "\(path)")
          #expect(try await app.ask(root + path, .head).status == 200)
        }
        #expect(try await app.ask(gateway.site + "/metrics").status == 404, "it is off")

        #expect(!gateway.log.contains("level=debug"))
        try stage.addSettings("log:\n  level: debug\nserver:\n  idle_timeout: 70s\n")
        gateway.send(SIGHUP)
        try await eventually("the settings") { gateway.log.contains("settings read anew") }
        #expect(gateway.log.contains("settings=server.idle_timeout"))
        try stage.addSettings("nonsense: 1\n")
        gateway.send(SIGHUP)
        try await eventually("the refusal") { gateway.log.contains("the old ones stay") }
        #expect(try await app.ask(gateway.site + "/readyz").status == 200)
      }
    }
  }

  @Test func `A gateway that is watched keeps its numbers for whoever has the token`() async throws
  {
    try await Stage.play { stage in
      let token = "a-token-of-many-letters"
      try stage.writeKey(token + "\n", to: "metrics")
      try stage.addSettings("metrics:\n  token_file: \(stage.key("metrics"))\n")
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app(credentials: false)
        let closed = try await app.ask(gateway.site + "/metrics")
        #expect(closed.status == 401 && closed.code == "token_required")
        #expect(closed.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        let wrong = try await app.ask(
          gateway.site + "/metrics", .get, ["Authorization": "Bearer \(token)x"])
        #expect(wrong.status == 401)
        let open = try await app.ask(
          gateway.site + "/metrics", .get, ["Authorization": "Bearer \(token)"])
        #expect(open.status == 200 && open.headers["Content-Type"]?.contains("0.0.4") == true)
        #expect(Scrape.faults(in: String(decoding: open.bytes, as: UTF8.self)) == [])
        #expect(!gateway.log.contains(token))
      }
    }
  }

  private func borrow(_ title: String, by gateway: RunningGateway) async throws -> FeedApp.Answer {
    var browser = PageBrowser(gateway: gateway)
    try await browser.signIn(Mock.ada, "1111")
    let query = FormFields([.init("q", title)]).encoded
    let found = try await browser.ask("/lib/search?\(query)")
    let book = String(try #require(found.text.firstMatch(of: /class="line" href="([^"]*)"/)).1)
    let page = try await browser.ask(book)
    var form: FormFields = [:]
    for name in ["do", "library", "item"] { form.add(name, try browser.field(name, page)) }
    form.add("seal", try browser.field("seal", page))
    let lent = try await browser.ask(book, form: form)
    #expect(lent.status == 303)
    return lent
  }
}
