import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// What a patron who is signed in can find out by linking cards, and what strangers can keep a patron
/// from.
@Suite(.timeLimit(.minutes(10))) struct `Linking a card` {
  @Test(arguments: Engine.allCases)
  func `strangers who guess at a card keep its patron from no new PIN`(engine: Engine) async throws
  {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var owner = Visitor(gateway, at: "198.51.100.1")
        #expect(try await owner.signIn(Mock.ada, "1111") == 303)
        let accounts = String(decoding: try await owner.send("/accounts").body, as: UTF8.self)
        let account = try #require(accounts.firstMatch(of: /\/(accounts\/of\/[^"\/]+)"/)).output.1
        for guess in 0..<12 {
          var stranger = Visitor(gateway, at: "203.0.\(guess).1")
          _ = try await stranger.feed(as: Mock.ada, "90\(10 + guess)")
        }
        // From another address, so that it is the session alone which tells the patron.
        var moved = Visitor(gateway, at: "198.51.100.77")
        moved.cookies = owner.cookies.filter { !$0.key.hasSuffix("carrel_device") }
        try await stage.mock.change(Mock.ada, ["pin": "2222"])
        func renew(_ pin: String) async throws -> Int {
          try await moved.post(
            "/\(account)", ["do": "renew", "with-card": Mock.ada, "with-pin": .init(pin)]
          ).status.code
        }
        #expect(try await renew("9999") == 401)
        #expect(try await renew("2222") == 303)
        // The right PIN made this browser a known one, with a count of its own.
        moved.cookies = moved.cookies.filter { !$0.key.hasSuffix("carrel_device") }
        // That is no way to guess on and on: ten wrong ones a day are heard.
        for guess in 0..<9 { #expect(try await renew("80\(10 + guess)") == 401) }
        #expect(try await renew("2222") == 429)
        var stranger = Visitor(gateway, at: "203.0.200.1")
        #expect(try await stranger.feed(as: "2300-0000000001", "2222") == 429)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron who links the cards of others is heard ten times for one and twenty in all`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let ending = try await stage.carrel(
        "link", "overdrive", "--library", "city", "--credentials-stdin", "--as", "mallory",
        input: "\(Mock.bruno)\n2222\n")
      #expect(ending.code == 0)
      try await RunningGateway.serve(stage) { gateway in
        var mallory = Visitor(gateway, at: "198.51.100.1")
        #expect(try await mallory.signIn(Mock.bruno, "2222") == 303)
        let cookies = mallory.cookies
        func link(_ card: String, _ pin: String, _ place: Int) async throws -> Int {
          // Each from another network.
          var visitor = Visitor(gateway, at: "203.0.\(place).1")
          visitor.cookies = cookies
          return try await visitor.post(
            "/accounts/new?at=city",
            to: "/accounts/new",
            ["at": "city", "with-card": .init(card), "with-pin": .init(pin)]
          ).status.code
        }
        let first = try await (0..<12).asyncMap { try await link(Mock.ada, "90\(10 + $0)", $0) }
        #expect(first == Array(repeating: 401, count: 10) + [429, 429])
        let second = try await (0..<12).asyncMap {
          try await link("2300000000\(1000 + $0)", "1234", 20 + $0)
        }
        #expect(second == Array(repeating: 401, count: 10) + [429, 429])
        var stranger = Visitor(gateway, at: "203.0.113.9")
        #expect(try await stranger.feed(as: Mock.ada, "1111") == 429)
        // What is guessed at others leaves the patron's own cards alone.
        var own = Visitor(gateway, at: "198.51.100.2")
        #expect(try await own.feed(as: Mock.bruno, "2222") == 200)
      }
    }
  }
}

extension Range<Int> {
  /// One after the other.
  fileprivate func asyncMap<T>(_ transform: (Int) async throws -> T) async throws -> [T] {
    var all: [T] = []
    for number in self { all.append(try await transform(number)) }
    return all
  }
}
