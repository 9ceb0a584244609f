import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

/// A stranger who knows the number of a card, has many network addresses and guesses at PINs; and
/// patrons who sign in meanwhile.
@Suite struct `A stranger` {
  @Test(arguments: Engine.allCases)
  func `a stranger gets ten PINs heard while the owner's app signs in every few guesses`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var owner = Visitor(gateway, at: "198.51.100.1")
        var heard = 0
        for guess in 0..<36 {
          var stranger = Visitor(gateway, at: "203.0.113.\(guess % 8)")
          if try await stranger.feed(as: Mock.ada, "90\(10 + guess)") == 401 { heard += 1 }
          guard guess % 5 == 0 else { continue }
          // With other blanks each time, so that it is no pair that is remembered.
          var typed = Mock.ada
          typed.insert("-", at: typed.index(typed.startIndex, offsetBy: 1 + guess / 5))
          #expect(try await owner.feed(as: typed, "1111") == 200)
        }
        #expect(heard == 10)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `wrong guesses lock out strangers, and not the patron's browser, app and passwords`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let added = try await stage.json("admin", "device", "add", "phone")
      let password = try #require(added.item["password"]?.string)
      try await RunningGateway.serve(stage) { gateway in
        var browser = Visitor(gateway, at: "198.51.100.1")
        #expect(try await browser.signIn(Mock.ada, "1111") == 303)
        _ = try await browser.post("/sign-out", [:])
        var app = Visitor(gateway, at: "198.51.100.2")
        #expect(try await app.feed(as: Mock.ada, "1111") == 200)
        #expect(try await app.feed(as: Mock.ada, "1110") == 401, "so the pair is not remembered")
        for guess in 0..<20 {
          var stranger = Visitor(gateway, at: "203.0.113.\(guess)")
          _ = try await stranger.feed(as: Mock.ada, "90\(10 + guess)")
        }
        // From wherever the browser is now.
        var moved = Visitor(gateway, at: "198.51.100.99")
        moved.cookies = browser.cookies
        browser = moved
        #expect(try await browser.signIn("2300-0000000001", "1111") == 303)
        #expect(try await app.feed(as: "23000-000000001", "1111") == 200)
        var tablet = Visitor(gateway, at: "198.51.100.98")
        #expect(try await tablet.feed(as: Mock.ada, password) == 200)
        var stranger = Visitor(gateway, at: "203.0.113.200")
        #expect(try await stranger.signIn("230000-00000001", "1111") == 429)
        #expect(try await stranger.feed(as: "2300000-0000001", "1111") == 429)

        // A cookie is good for ten wrong ones, and then its browser is a stranger.
        var thief = Visitor(gateway, at: "203.0.113.201")
        thief.cookies = moved.cookies
        for guess in 0..<10 {
          #expect(try await thief.signIn(Mock.ada, "80\(10 + guess)") == 401)
        }
        #expect(try await thief.signIn("23000000-000001", "1111") == 429)
        // Nor does that of another patron help, or one that was changed.
        try await stage.link(Mock.bruno, "2222", as: "bruno")
        var bruno = Visitor(gateway, at: "198.51.100.3")
        #expect(try await bruno.signIn(Mock.bruno, "2222") == 303)
        _ = try await bruno.post("/sign-out", [:])
        #expect(try await bruno.signIn("230000000-00001", "1111") == 429)
        var forger = Visitor(gateway, at: "198.51.100.4")
        forger.cookies = browser.cookies
        let name = try #require(forger.cookies.keys.first { $0.hasSuffix("carrel_device") })
        let token = try #require(forger.cookies[name])
        forger.cookies[name] = (token.hasPrefix("A") ? "B" : "A") + token.dropFirst()
        _ = try await forger.post("/sign-out", [:])
        #expect(try await forger.signIn("2300000000-0001", "1111") == 429)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `ten of a hundred PINs tried at once for one card are heard`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        let heard = try await statuses(of: 0..<100) { guess in
          var stranger = Visitor(gateway, at: "203.0.113.\(guess)")
          return try await stranger.feed(as: Mock.ada, "9\(100 + guess)")
        }.count { $0 == 401 }
        #expect(heard == 10)
      }
    }
  }
}

/// Many patrons behind one network address.
@Suite struct `A school` {
  @Test(arguments: Engine.allCases)
  func `a school of two hundred signs in at once, and of wrong PINs thirty are heard`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      let pupils = (0..<200).map { "2400000000\(1_000 + $0)" }
      try await stage.mock.change([
        "cards": .array(pupils.map { ["card": .string($0), "pin": "1111"] })
      ])
      for (place, number) in pupils.enumerated() where place < 20 {
        try await stage.link(number, "1111", as: "c\(place)")
      }
      let settings = try String(contentsOfFile: stage.settings, encoding: .utf8)
      try settings.replacing(
        "    provider: overdrive\n", with: "    provider: overdrive\n    members: true\n",
        maxReplacements: 1
      ).write(toFile: stage.settings, atomically: true, encoding: .utf8)
      try await RunningGateway.serve(stage) { gateway in
        let answers = try await statuses(of: 0..<200) { number in
          var pupil = Visitor(gateway, at: "198.51.100.1")
          return number % 2 == 0
            ? try await pupil.signIn(pupils[number], "1111")
            : try await pupil.feed(as: pupils[number], "1111")
        }
        #expect(answers.count { $0 == 303 } == 100 && answers.count { $0 == 200 } == 100)

        let wrong = try await statuses(of: 0..<300) { number in
          var pupil = Visitor(gateway, at: "198.51.100.2")
          return try await pupil.feed(as: pupils[number % 200], "7\(100 + number)")
        }
        #expect(wrong.count { $0 == 401 } == 30)
        #expect(wrong.count { $0 == 429 } == 270)
      }
    }
  }
}

/// All at once.
private func statuses(
  of numbers: Range<Int>, _ ask: @escaping @Sendable (Int) async throws -> Int
) async throws -> [Int] {
  try await withThrowingTaskGroup(of: Int.self) { group in
    for number in numbers { group.addTask { try await ask(number) } }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}
