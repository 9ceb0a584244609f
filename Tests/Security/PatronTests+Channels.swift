import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// A patron has mail and paid short messages sent to strangers.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A patron who has strangers notified` {
  private static let page = "/settings/notices"
  private static let stranger = "stranger@victim.example"

  /// Two gateways where the database takes several.
  private static func serve(
    _ engine: Engine, _ stage: Stage, _ body: ([RunningGateway]) async throws -> Void
  ) async throws {
    try await RunningGateway.serve(stage) { first in
      guard engine != .sqlite else { return try await body([first]) }
      try await RunningGateway.serve(stage) { second in try await body([first, second]) }
    }
  }

  private static func signedIn(
    _ gateways: [RunningGateway], _ card: String, _ pin: String
  ) async throws -> [Visitor] {
    var visitors: [Visitor] = []
    for gateway in gateways {
      var visitor = Visitor(gateway)
      #expect(try await visitor.signIn(card, pin) == 303)
      visitors.append(visitor)
    }
    return visitors
  }

  @Test(arguments: Engine.allCases)
  func `a stranger whose address a patron names gets three codes a day and no test`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      let sink = try MailSink()
      defer { sink.stop() }
      try stage.addSettings(sink.settings)
      try await stage.link(Mock.ada, "1111", as: "city")
      try await Self.serve(engine, stage) { gateways in
        var visitors = try await Self.signedIn(gateways, Mock.ada, "1111")
        let mail: FormFields = [
          "do": "add", "medium": "email", "email-address": Self.stranger,
        ]
        let short: FormFields = ["do": "add", "medium": "sms", "sms-number": "+4930123456"]
        #expect(try await visitors[0].post(Self.page, mail).status.code == 303)
        #expect(try await visitors[0].post(Self.page, short).status.code == 303)
        for number in 0..<20 {
          let place = number % visitors.count
          for name in ["email", "sms"] {
            _ = try await visitors[place].post(Self.page, ["do": "test", "name": name])
          }
        }
        #expect(sink.messages.count == 2)
        var answers: [Int] = []
        for number in 0..<6 {
          let place = number % visitors.count
          let reply = try await visitors[place].post(Self.page, ["do": "code", "name": "email"])
          answers.append(reply.status.code)
          if reply.status.code == 429 {
            #expect(reply.headers["Retry-After"] != nil)
          }
        }
        #expect(answers == [303, 303, 429, 429, 429, 429])
        // To take the channel away and to add it again, or the address with a mark, is no way around.
        _ = try await visitors[0].post(Self.page, ["do": "remove", "name": "email"])
        for address in [Self.stranger, "Stranger+1@victim.example", "str.anger@victim.example"] {
          let form: FormFields = [
            "do": "add", "medium": "email", "email-address": address,
          ]
          #expect(try await visitors[0].post(Self.page, form).status.code == 429)
        }
        #expect(sink.messages(to: Self.stranger).count == 3)
        #expect(sink.messages.count == 4)
      }
      // Nor by command, nor with another card of the attacker's.
      let linked = try await stage.carrel(
        "link", "overdrive", "--library", "city", "--credentials-stdin", "--as", "mallory",
        input: "\(Mock.bruno)\n2222\n")
      #expect(linked.code == 0)
      let added = try await stage.carrel(
        "notify", "add", "email", "--credentials-stdin", "--as", "mallory", "--json",
        input: Self.stranger + "\n")
      #expect(added.code == 8 && added.failure["code"] == "rate_limited")
      for _ in 0..<3 {
        #expect(try await stage.carrel("notify", "test", "sms").code == 3)
      }
      #expect(sink.messages.count == 4)
    }
  }

  @Test(arguments: Engine.allCases)
  func `an address is notified after its patron typed the newest code, and not after a wrong one`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      let sink = try MailSink()
      defer { sink.stop() }
      try stage.addSettings(sink.settings)
      try await stage.link(Mock.ada, "1111", as: "city")
      let made = try await stage.json(
        "notify", "add", "email", "--credentials-stdin", input: "ada@home.example\n")
      #expect(made.item["state"] == "unconfirmed")
      let first = try #require(sink.messages.first?.code)
      #expect(sink.messages.first?.text.contains("ignore this message") == true)
      for row in try await stage.rows("SELECT * FROM notice_channel") {
        #expect(!row.contains { $0.contains(first) })
      }
      try await stage.json("notify", "confirm", "email", "--send-again")
      let second = try #require(sink.messages.last?.code)
      if first != second {
        #expect(try await stage.carrel("notify", "confirm", "email", first).code == 6)
      }
      #expect(try await stage.carrel("notify", "test", "email").code == 3)
      // Not in the words of the command, which other users of the machine see.
      try await stage.json("notify", "confirm", "email", input: "\(second)\n")
      try await stage.json("notify", "test", "email")
      #expect(sink.messages.count == 3)

      // Five wrong codes end one.
      try await stage.json(
        "notify", "add", "sms", "--credentials-stdin", input: "+4930123456\n")
      let code = try #require(sink.messages.last?.code)
      let wrong = code == "000000" ? "000001" : "000000"
      for _ in 0..<5 {
        #expect(try await stage.carrel("notify", "confirm", "sms", wrong).code == 6)
      }
      #expect(try await stage.carrel("notify", "confirm", "sms", code).code == 6)
    }
  }

  @Test func `mail goes to no address on this machine or at a short name`() async throws {
    try await Stage.playOnEach { stage in
      let sink = try MailSink()
      defer { sink.stop() }
      try stage.addSettings(sink.settings)
      try await stage.link(Mock.ada, "1111", as: "city")
      for address in ["v@localhost", "v@mail", "v@127.0.0.1", "v@[127.0.0.1]", "v@a.localhost"] {
        let ending = try await stage.carrel(
          "notify", "add", "email", "--credentials-stdin", input: address + "\n")
        #expect(ending.code == 2, "\(address)")
      }
      #expect(sink.messages.isEmpty)
    }
  }

  @Test func `a patron sends ten tests in an hour, and no more`() async throws {
    try await Stage.playOnEach { stage in
      let hook = try RawServer { connection in
        while connection.request() != nil { connection.answer("204 No Content") }
      }
      defer { hook.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json(
        "notify", "add", "webhook", "--credentials-stdin", input: hook.url("/") + "\n")
      for _ in 0..<10 { try await stage.json("notify", "test") }
      let full = try await stage.carrel("notify", "test", "--json")
      #expect(full.code == 8 && full.failure["code"] == "rate_limited")
    }
  }
}
