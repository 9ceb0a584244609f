import Foundation
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A gateway that cannot serve` {
  private static let monitored = "metrics:\n  listen: 127.0.0.1:0\n"

  @Test(arguments: Engine.allCases)
  func `with a wrong vault key a gateway does not start, and one that runs stays ready`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        try Data([UInt8](repeating: 7, count: 32)).write(to: URL(filePath: stage.vaultKey))
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: stage.vaultKey)
        let late = try await stage.carrel("serve", "--port", "0", "--json")
        #expect(late.code == 12, "\(late.error)")
        #expect(late.error.contains("\"vault_key_wrong\""), "\(late.error)")
        let app = gateway.app(credentials: false)
        #expect(try await app.ask(gateway.site + "/readyz").text == "ready\n")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a locked vault is reported by readyz, metrics and log until it is opened`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try stage.addSettings(Self.monitored)
      try await stage.link(Mock.ada, "1111", as: "city")
      let key = stage.key("aside")
      try FileManager.default.moveItem(atPath: stage.vaultKey, toPath: key)
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app(credentials: false)
        let answer = try await app.ask(gateway.site + "/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.contains("\"reasons\":[\"the vault is locked\"]"))
        #expect(!answer.text.contains(stage.home))
        let scrape = try await Scrape(gateway)
        let text = try await scrape.text()
        #expect(text.contains("carrel_ready 0\n") && text.contains("carrel_vault_open 0\n"))
        #expect(text.contains("carrel_readiness_fault{fault=\"vault\"} 1\n"))
        let said = gateway.log.split(separator: "\n").filter { $0.contains("is not ready") }
        #expect(said.count == 1)
        #expect(said.first?.contains("level=error") == true)
        try FileManager.default.moveItem(atPath: key, toPath: stage.vaultKey)
        try await eventually("the vault") {
          try await app.ask(gateway.site + "/readyz").text == "ready\n"
        }
        #expect(gateway.log.contains("the gateway is ready again"))
      }
    }
  }

  @Test func `a killed gateway is counted at the next start, and one that was stopped is not`()
    async throws
  {
    try await Stage.play { stage in
      try stage.addSettings(Self.monitored)
      for signal in [SIGTERM, SIGKILL] {
        let process = try stage.start(["serve", "--port", "0"])
        #expect(try await process.nextLine() != nil)
        process.send(signal)
        _ = try await process.waitForEnd()
      }
      try await RunningGateway.serve(stage) { gateway in
        let text = try await Scrape(gateway).text()
        #expect(text.contains("carrel_crashes_total 1\n"))
        #expect(gateway.log.contains("ended without a clean stop"))
      }
    }
  }

  @Test
  func `the metrics show the time of the last backup and the state of the disk`() async throws {
    try await Stage.play { stage in
      try stage.addSettings(Self.monitored)
      try await stage.json("admin", "backup", stage.key("a.backup"))
      try await RunningGateway.serve(stage) { gateway in
        let text = try await Scrape(gateway).text()
        #expect(text.contains("\ncarrel_backup_last_success_timestamp_seconds "))
        for family in ["free_bytes", "size_bytes", "free_inodes", "inodes"] {
          #expect(text.contains("carrel_disk_\(family){folder=\"data\"} "), "\(family)")
        }
      }
    }
  }
}
