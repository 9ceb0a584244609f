import HTTP
import HTTPClient
import JSON
import LibraryDeskMock
import Lines
import TestSupport
import Testing

@testable import MockKit

private let soon = Duration.seconds(5)

/// A maker's server, and somebody who types at it.
private struct Typist {
  let house: MockHouse
  let line: LineConnection

  static func sit(at maker: String, _ body: (Typist) async throws -> Void) async throws {
    let house = MockHouse(dialects: [SIP2Dialect.dialect])
    let desk = try LineDesk(house.main, provider: SIP2Dialect.name, library: maker)
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = LineClient(configuration)
    let place = LinePlace(
      try Address.Host("127.0.0.1"), port: desk.port, .plain(beyondThisMachine: false))
    let line = try await client.connect(to: place, by: .now + soon)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(Typist(house: house, line: line)))
    } catch { result = .failure(error) }
    await client.shutdown()
    await desk.stop()
    try result.get()
  }

  func say(_ text: String) async throws -> String {
    String(decoding: try await line.ask(Array((text + "\r").utf8), by: .now + soon), as: UTF8.self)
  }

  @discardableResult func signIn() async throws -> String {
    try await say("9300CNcarrel|COmock-machine-secret|CPMAIN|")
  }

  func asked(_ operation: String) -> Int {
    house.main.withState { $0.journal.entries.count { $0.operation == operation } }
  }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct `A server for self-service machines is played` {
  @Test func `the SIP2 mock checks checksums, echoes sequence numbers and resends on request`()
    async throws
  {
    try await Typist.sit(at: "generic") { typist in
      // The worked example of the paper's rules: the sum of that sequence is right.
      let refused = try await typist.say("9300CNcarrel|COs3cret|CPMAIN|AY0AZF4B3")
      #expect(refused == "940AY0AZFDFE")
      #expect(try await typist.say("9300CNcarrel|COs3cret|CPMAIN|AY0AZF4B4") == "96AZFEF6")
      #expect(try await typist.say("97AZFEF5").hasPrefix("940AZ"))
      #expect(try await typist.say("nonsense") == "96AZFEF6")
      #expect(try await typist.signIn() == "941")
      #expect(typist.asked("unreadable") == 2)
    }
  }

  @Test func `the SIP2 mock answers no request before the login`() async throws {
    try await Typist.sit(at: "generic") { typist in
      let early = try await typist.say("1720261120    143001AOMAIN|AB39000000800000|")
      #expect(early.hasPrefix("96"))
      try await typist.signIn()
      let known = try await typist.say("1720261120    143001AOMAIN|AB39000000800000|")
      #expect(known.hasPrefix("18"))
      #expect(known.contains("|AB39000000800000|AJ"))
      let unknown = try await typist.say("1720261120    143001AOMAIN|AB4711|")
      #expect(unknown.hasPrefix("18010101"))
      #expect(unknown.hasSuffix("AB4711|AJ|"))
    }
    try await Typist.sit(at: "evergreen") { typist in
      await #expect(throws: LineError.self) {
        _ = try await typist.say("1720261120    143001AOMAIN|AB39000000800000|")
      }
    }
  }

  @Test(arguments: SIP2Dialect.makers)
  func `the SIP2 mock marks wrong PINs and unknown cards as each vendor does`(
    _ maker: String
  ) async throws {
    try await Typist.sit(at: maker) { typist in
      try await typist.signIn()
      if maker == "wise" { _ = try await typist.say("9900802.00") }
      func patron(_ card: String, _ pin: String) async throws -> String {
        try await typist.say(
          "6300020261120    143000          AOMAIN|AA\(card)|AC|AD\(pin)|")
      }
      let right = try await patron("23000000000001", "1111")
      #expect(right.hasPrefix("64"))
      #expect(right.contains("|BLY|") && right.contains("|CQY|"))
      let wrong = try await patron("23000000000001", "2222")
      #expect(wrong.contains("|BLY|") && wrong.contains("|CQN|"))
      // The whole record all the same.
      #expect(wrong.contains("Ada Fairweather"))
      let unknown = try await patron("1", "2222")
      #expect(unknown.contains("BLN|"))
      let bare = try await patron("23000000000001", "")
      let judges = !["evergreen", "koha", "tlc"].contains(maker)
      #expect(bare.contains("CQN|") == judges)
    }
  }

  @Test func `a hold placed through the SIP2 mock is a hold of its library`() async throws {
    try await Typist.sit(at: "koha") { typist in
      try await typist.signIn()
      let answer = try await typist.say(
        "15+20261120    143005BSMTH|BY2|AOMAIN|AA23000000000001|AD1111|AB39000000800000|BOY|")
      #expect(answer.hasPrefix("161"))
      #expect(answer.contains("|BSMTH|"))
      let holds = typist.house.main.withState { state in
        state.library("koha", of: SIP2Dialect.name)?.lending.holds(by: "23000000000001")
          .map(\.title)
      }
      #expect(holds == ["8000"])
      #expect(typist.asked("hold") == 1)
    }
  }

  @Test func `the SIP2 mock's log contains no PIN and no login password`() async throws {
    try await Typist.sit(at: "koha") { typist in
      try await typist.signIn()
      _ = try await typist.say(
        "6300020261120    143000          AOMAIN|AA23000000000001|AC|AD1111|")
      let world = typist.house.main
      let shown = world.withState { $0.journal.entries.map(\.raw) }.map { world.shown($0).text() }
      #expect(shown.count == 2)
      #expect(!shown.contains { $0.contains("AD1111") || $0.contains(SIP2Dialect.login.password) })
    }
  }
}
