import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Sign-in links that an operator creates` {
  @Test(arguments: Engine.allCases)
  func `a sign-in link survives being opened and ends with its first use`(engine: Engine)
    async throws
  {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let unknown = try await stage.json("admin", "sign-in-link", "nobody", exit: 5)
      #expect(unknown.failure["code"] == "unknown_reader")
      try await RunningGateway.serve(stage) { gateway in
        func link() async throws -> String {
          let told = try await stage.json("admin", "sign-in-link", "reader")
          #expect(told.item["patron"] == "reader")
          let address = try #require(told.item["address"]?.string)
          let path = try #require(address.firstRange(of: "/sign-in/link/"))
          return String(address[path.lowerBound...])
        }
        func follow(_ path: String, _ visitor: inout Visitor) async throws -> Int {
          let moved = try await visitor.send(path)
          #expect(moved.status.code == 303)
          #expect(moved.headers["Location"]?.hasSuffix("/sign-in/link") == true)
          return try await visitor.post("/sign-in/link", [:]).status.code
        }
        let first = try await link()
        // As mail programs and scanners do.
        for number in 0..<10 {
          var scanner = Visitor(gateway, at: "203.0.113.\(number + 10)")
          try await scanner.send(first)
          let page = try await scanner.send("/sign-in/link")
          #expect(page.status.code == 200)
          #expect(String(decoding: page.body, as: UTF8.self).contains("Sign in as reader"))
        }
        var ada = Visitor(gateway)
        #expect(try await follow(first, &ada) == 303)
        #expect(try await ada.send("/my-books").status.code == 200)

        // Used, older, over and unknown ones all end with the same page.
        let older = try await link()
        let over = try await link()
        try await stage.rows("UPDATE sign_in_link SET until = made_at + 1")
        var ends: [String] = []
        for path in [first, older, over, "/sign-in/link/" + String(repeating: "x", count: 43)] {
          var stranger = Visitor(gateway, at: "203.0.113.99")
          try await stranger.send("/sign-in")
          try await stranger.send(path)
          let page = try await stranger.send("/sign-in/link")
          #expect(page.status.code == 410)
          ends.append(String(decoding: page.body, as: UTF8.self))
          let seal = try #require(
            String(decoding: try await stranger.send("/sign-in").body, as: UTF8.self)
              .firstMatch(of: /name="seal" value="([^"]*)"/)?.1)
          let posted = try await stranger.send("/sign-in/link", form: ["seal": String(seal)])
          #expect(posted.status.code == 410)
          ends.append(String(decoding: posted.body, as: UTF8.self))
          #expect(try await stranger.send("/my-books").status.code == 303)
        }
        #expect(Set(ends).count == 1)
        let secret = first.dropFirst("/sign-in/link/".count)
        #expect(!gateway.log.contains(secret))
        let log = try await stage.rows("SELECT account, who FROM registry_audit ORDER BY number")
        #expect(log.contains { $0.first == "office/sign-in-link" })
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a sign-in link that another site submits for a patron is refused`(engine: Engine)
    async throws
  {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        let told = try await stage.json("admin", "sign-in-link", "reader")
        let address = try #require(told.item["address"]?.string)
        let path = try #require(address.firstRange(of: "/sign-in/link/"))
        var victim = Visitor(gateway)
        try await victim.send(String(address[path.lowerBound...]))
        let forged = try await victim.send("/sign-in/link", form: ["seal": "guess"])
        #expect(forged.status.code == 403)
        #expect(try await victim.post("/sign-in/link", [:]).status.code == 303)
      }
    }
  }
}
