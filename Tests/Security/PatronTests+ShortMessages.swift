import JSON
import JourneySupport
import TestSupport
import Testing

/// A patron has short messages sent that the operator pays for, and fills the table of channels.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A patron who costs the operator money` {
  @Test func `as many short messages go out in a day as the operator set, and doctor says so`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let sink = try MailSink()
      defer { sink.stop() }
      try stage.addSettings(sink.settings + "  sms_per_day: 3\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      for number in 0..<5 {
        let added = try await stage.carrel(
          "notify", "add", "sms", "--name", "n\(number)", "--credentials-stdin",
          input: "+493012345\(number)\n")
        #expect((added.code == 0) == (number < 3), "\(added.error)")
        if number == 3 { #expect(added.error.contains("limit of short messages")) }
      }
      #expect(sink.messages.count == 3)
      let checks = try await stage.carrel("doctor", "--json")
      #expect(checks.output.contains("All 3 short messages of this day are used"))
      let code = try #require(sink.messages.first?.code)
      try await stage.json("notify", "confirm", "n0", input: "\(code)\n")
      #expect(try await stage.carrel("notify", "test", "n0").code == 3)
      #expect(sink.messages.count == 3)
    }
  }

  @Test func `where no short messages are wanted none is sent, and no number can be added`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let sink = try MailSink()
      defer { sink.stop() }
      try stage.addSettings(sink.settings + "  sms_per_day: 0\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      let added = try await stage.json(
        "notify", "add", "sms", "--credentials-stdin", input: "+4930123456\n", exit: 6)
      #expect(added.failure["code"] == "no_way" && sink.messages.isEmpty)
    }
  }

  @Test func `a patron has twenty channels and no more`() async throws {
    try await Stage.playOnEach { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      for number in 0..<21 {
        let added = try await stage.carrel(
          "notify", "add", "webhook", "--name", "h\(number)", "--credentials-stdin", "--json",
          input: "https://hooks.example/x\n")
        #expect(added.code == (number < 20 ? 0 : 6), "\(added.error)")
        if number == 20 { #expect(added.failure["code"] == "too_many_channels") }
      }
    }
  }
}
