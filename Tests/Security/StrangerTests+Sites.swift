import Foundation
import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// A page of another site that a patron's browser shows, and a client that forges what the gateway is called.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StrangerSiteTests {
  /// The headers of a form, and whether it is taken.
  private static func senders(_ site: String) -> [(Headers, Bool)] {
    let own = String(site.dropLast("/lib".count))
    return [
      (["Origin": "https://evil.example"], false),
      (["Origin": "https://evil.example", "Sec-Fetch-Site": "none"], false),
      (["Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"], false),
      (["Origin": "\(own).evil.example"], false), (["Origin": "https://127.0.0.1:1"], false),
      (["Origin": own.replacing("https:", with: "http:")], false), (["Origin": "null"], false),
      (["Origin": "null", "Sec-Fetch-Site": "none"], false),
      (["Origin": own, "Sec-Fetch-Site": "cross-site"], false),
      (["Origin": own, "Sec-Fetch-Site": "same-site"], false), ([:], true),
      (["Origin": own], true), (["Origin": own, "Sec-Fetch-Site": "same-origin"], true),
      (["Origin": "null", "Sec-Fetch-Site": "same-origin"], true),
    ]
  }

  @Test(arguments: Engine.allCases)
  func `a form that carries the Origin of another site is refused whatever else fits`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway)
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        let page = String(
          decoding: try await patron.send("/settings/devices").body, as: UTF8.self)
        let seal = try #require(page.firstMatch(of: /name="seal" value="([^"]*)"/)?.1)
        var names: [String] = []
        for (number, (sender, isTaken)) in Self.senders(gateway.site).enumerated() {
          for (path, form) in [
            (
              "/settings/devices",
              ["do": "add", "name": "app-\(number)", "scope": "read", "seal": String(seal)]
            ),
            ("/look", ["look": "dark"]), ("/tongue", ["tongue": "de"]),
          ] as [(String, FormFields)] {
            var headers = sender
            headers.set("Content-Type", MediaType.form.description)
            var visitor = patron
            let reply = try await visitor.send(
              path, .post, headers, body: Array(form.encoded.utf8))
            #expect(
              (reply.status.code == 403) == !isTaken,
              "\(path) with \(sender.fields): \(reply.status.code)")
          }
          if isTaken { names.append("app-\(number)") }
        }
        let devices = String(
          decoding: try await patron.send("/settings/devices").body, as: UTF8.self)
        for number in 0..<20 {
          #expect(devices.contains(">app-\(number)<") == names.contains("app-\(number)"))
        }
      }
    }
  }

  @Test func `no address behind a sign-in leads to another site, however it is written`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway)
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        for target in [
          "/.//evil.example", "/..//evil.example", "/%2e//evil.example", "/%2E%2E//evil.example",
          "//evil.example", "///evil.example", "/\\evil.example", "/%5Cevil.example",
          "/%2Fevil.example", "/%2F%2Fevil.example", "/my-books/../../evil", "/my-books//evil",
          "/%09/evil.example", "/%0d%0aLocation:%20https://evil.example", "https:evil.example",
          "/;@evil.example", "/@evil.example", "/my-books#//evil.example", "/%73ign-out",
        ] {
          let query: FormFields = ["then": target]
          let reply = try await patron.send("/sign-in?\(query.encoded)")
          #expect(reply.status.code == 303)
          #expect(reply.headers["Location"] == "/lib/", "\(target)")
        }
        for target in ["/my-books", "/search?q=a%20b&page=2", "/works/w1%2F2"] {
          let query: FormFields = ["then": target]
          let reply = try await patron.send("/sign-in?\(query.encoded)")
          #expect(reply.headers["Location"] == "/lib\(target)")
        }
      }
    }
  }

  @Test func `a forged Host reaches no answer that a shared cache may store`() async throws {
    try await Stage.play { stage in
      try await stage.furnish()
      try stage.addSettings("opds:\n  public: true\n")
      let gateways = try await Upstreams(stage, count: 1)
      var named = 0
      for path in [
        "/opds/auth", "/opds/search.xml", "/opds", "/opds/1", "/opds/2", "/opds/1/all",
        "/opds/1/groups", "/opds/shelf", "/", "/sign-in", "/search?q=a", "/manifest.webmanifest",
      ] {
        let reply = try await run(
          "curl",
          [
            "-s", "-i", "-H", "Host: evil.example",
            "http://127.0.0.1:\(gateways.ports[0])\(path)",
          ], environment: Stage.variables
        ).outputText
        guard reply.contains("evil.example") else { continue }
        named += 1
        let caching = reply.lowercased().firstMatch(of: /cache-control: ([^\r\n]*)/)?.1 ?? ""
        #expect(
          caching.contains("private") || caching.contains("no-store"), "\(path): \(caching)")
      }
      #expect(named > 5)
      try await gateways.end()
    }
  }

  @Test(arguments: Engine.allCases)
  func `a book's address opens nothing without the cookie of its own session`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      let held = try await stage.rows("SELECT item FROM book_holder")
      let item = try #require(held.first?.first)
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway)
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        var other = Visitor(gateway, at: "203.0.113.2")
        #expect(try await other.signIn(Mock.ada, "1111") == 303)
        let page = String(
          decoding: try await patron.send("/read/city/\(item)/0").body, as: UTF8.self)
        let source = String(
          try #require(page.firstMatch(of: /src="\/lib(\/book\/[^"#]*)/)?.1))
        let style = source.replacing(/s\/0$/, with: "taste.css")
        var stranger = Visitor(gateway, at: "203.0.113.3")
        for address in [source, style] {
          let own = try await patron.send(address)
          #expect(own.status.code == 200)
          #expect(own.headers["Access-Control-Allow-Origin"] == nil)
          #expect(try await stranger.send(address).status.code == 403)
          #expect(try await other.send(address).status.code == 403)
        }
      }
    }
  }
}
