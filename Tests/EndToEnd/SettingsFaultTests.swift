import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// Faults in the settings, as the operator of a real gateway meets them.
@Suite(.timeLimit(.minutes(5))) struct `A gateway whose settings have a fault` {
  @Test func `a gateway disables a library with an unreadable secret and serves the others`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      try stage.addSettings("metrics:\n  listen: 127.0.0.1:0\n")
      let key = stage.key("lantern-client_key")
      let text = try String(contentsOfFile: key, encoding: .utf8)
      try FileManager.default.removeItem(atPath: key)

      let check = try await stage.carrel("config", "check")
      #expect(check.code == 10)
      #expect(check.error.contains("libraries.lantern.client_key_file: "))
      let doctor = try await stage.json("doctor", exit: 3)
      let item = try #require(
        doctor.items.first { $0["check"]?.string == "config" && $0["state"]?.string == "fail" })
      #expect(item["subject"]?.string == "lantern")
      #expect(item["message"]?.string?.contains("library 'lantern' is disabled") == true)

      try await RunningGateway.serve(stage) { gateway in
        #expect(gateway.log.contains("level=error msg=\"a library is disabled\" library=lantern"))
        let scrape = try await Scrape(gateway)
        let provider = "carrel_library_enabled{provider=\"overdrive\",library="
        let before = try await scrape.text()
        #expect(before.contains(provider + "\"lantern\"} 0\n"))
        #expect(before.contains(provider + "\"city\"} 1\n"))
        let app = gateway.app(credentials: false)
        #expect(try await app.ask(gateway.site + "/readyz").text == "ready\n")
        // The other library is asked and answers.
        let checked = try await stage.carrel("account", "check", "city")
        #expect(checked.code == 0, "\(checked.error)")
        let refused = try await stage.carrel(
          "link", "overdrive", "--library", "lantern", "--name", "other", "--credentials-stdin",
          input: "\(Mock.ada)\n1111\n")
        #expect(refused.code == 10)
        #expect(refused.error.contains("libraries.lantern.client_key_file: "))

        try stage.writeKey(text, to: "lantern-client_key")
        gateway.send(SIGHUP)
        try await eventually("the library") { gateway.log.contains("a library is enabled again") }
        #expect(try await scrape.text().contains(provider + "\"lantern\"} 1\n"))
      }
    }
  }

  @Test
  func `a gateway keeps its old settings on SIGHUP when new ones have faults and logs each`()
    async throws
  {
    try await Stage.play { stage in
      try await RunningGateway.serve(stage) { gateway in
        let good = try String(contentsOfFile: stage.settings, encoding: .utf8)
        let bad =
          "log:\n  level: debug\n"
          + good.replacing("provider: overdrive", with: "provider: overdriv", maxReplacements: 1)
          .replacing("website_id", with: "websit_id", maxReplacements: 1)
        try Data(bad.utf8).write(to: URL(filePath: stage.settings))
        gateway.send(SIGHUP)
        try await eventually("the refusal") { gateway.log.contains("the old ones stay") }
        #expect(gateway.log.contains("there is no provider 'overdriv'; did you mean 'overdrive'?"))
        let app = gateway.app(credentials: false)
        #expect(try await app.ask(gateway.site + "/readyz").status == 200)
        #expect(!gateway.log.contains("level=debug"))

        try Data(("log:\n  level: debug\n" + good).utf8).write(to: URL(filePath: stage.settings))
        gateway.send(SIGHUP)
        try await eventually("the settings") { gateway.log.contains("settings read anew") }
      }
      let bad = try String(contentsOfFile: stage.settings, encoding: .utf8)
        .replacing("website_id", with: "websit_id")
      try Data(bad.utf8).write(to: URL(filePath: stage.settings))
      let start = try await stage.carrel("serve", "--port", "0")
      #expect(start.code == 10)
      #expect(start.error.components("did you mean 'libraries.").count == 3, "\(start.error)")
    }
  }
}
