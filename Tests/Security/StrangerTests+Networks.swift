import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// A stranger with many addresses of one network, and one who tries the same PIN again and again.
@Suite(.timeLimit(.minutes(10))) struct `A stranger with a network` {
  @Test(arguments: Engine.allCases)
  func `a network of addresses is heard three hundred times in an hour`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        func heard(_ count: Int, _ address: (Int) -> String) async throws -> Int {
          var heard = 0
          for guess in 0..<count {
            var stranger = Visitor(gateway, at: address(guess))
            if try await stranger.feed(as: "9\(1_000_000 + guess)", "1234") == 401 { heard += 1 }
          }
          return heard
        }
        #expect(try await heard(330) { "203.0.113.\($0 % 66)" } == 300)
        #expect(try await heard(1) { _ in "203.0.112.1" } == 1, "the next network is another")
        // A provider gives its customers networks of 48 to 64 bits.
        #expect(try await heard(40) { "2001:db8:1:1::\($0 + 1)" } == 30)
        #expect(
          try await heard(300) { "2001:db8:1:\(String($0 % 66 + 2, radix: 16))::1" } == 270)
        #expect(try await heard(1) { _ in "2001:db8:2:1::1" } == 1)
        // Nor are more heard when they come at once.
        let burst = try await withThrowingTaskGroup(of: Int.self) { group in
          for guess in 0..<400 {
            group.addTask {
              var stranger = Visitor(gateway, at: "192.0.2.\(guess % 100)")
              return try await stranger.feed(as: "8\(1_000_000 + guess)", "1234")
            }
          }
          return try await group.reduce(0) { $0 + ($1 == 401 ? 1 : 0) }
        }
        #expect(burst == 300)
        // So many are more than usual, and the operator hears of it.
        let warned = try await stage.carrel("doctor", "--json").document["items"]?.array?
          .filter { $0["check"]?.string == "sign-ins" }
        #expect(warned?.count == 1 && warned?.first?["state"]?.string == "warn")
        // A patron whose browser is known there signs in all the same.
        var owner = Visitor(gateway, at: "198.51.100.1")
        #expect(try await owner.signIn(Mock.ada, "1111") == 303)
        _ = try await owner.post("/sign-out", [:])
        var moved = Visitor(gateway, at: "203.0.113.5")
        moved.cookies = owner.cookies
        #expect(try await moved.signIn("2300-0000000001", "1111") == 303)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a library is asked once in a quarter of an hour about a PIN that it refused`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try stage.admitMembers()
      try await RunningGateway.serve(stage) { gateway in
        var stranger = Visitor(gateway, at: "203.0.113.1")
        #expect(try await stranger.feed(as: Mock.ada, "2222") == 401)
        // That it is not asked again shows in an answer which would be another one now.
        try await stage.mock.change(Mock.ada, ["pin": "2222"])
        var other = Visitor(gateway, at: "198.51.100.1")
        #expect(try await other.feed(as: Mock.ada, "2222") == 401)
        #expect(try await other.signIn(Mock.ada, "2222", library: "city") == 401)
        // Of another PIN nothing is known, and of that PIN nothing at another card.
        try await stage.mock.change(Mock.ada, ["pin": "3333"])
        #expect(try await other.feed(as: Mock.ada, "3333") == 200)
        #expect(try await other.feed(as: Mock.bruno, "2222") == 200)
      }
    }
  }
}

extension Stage {
  /// Whoever has a card of the first library may sign in.
  func admitMembers() throws {
    let text = try String(contentsOfFile: settings, encoding: .utf8)
    try text.replacing(
      "    provider: overdrive\n", with: "    provider: overdrive\n    members: true\n",
      maxReplacements: 1
    ).write(toFile: settings, atomically: true, encoding: .utf8)
  }
}
