import Foundation
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct `A gateway that is killed while it sends a notice` {
  @Test(arguments: Engine.allCases)
  func `a notice of a killed gateway is sent again by the next one with the same id`(
    _ engine: Engine
  ) async throws {
    let heard = Mutex<[String]>([])
    let isSilent = Mutex(true)
    let receiver = try RawServer { connection in
      while let request = connection.request() {
        heard.withLock { $0.append(request.header("webhook-id") ?? "") }
        // The first sender waits for an answer until it is killed.
        if isSilent.withLock({ $0 }) { return connection.waitForClose() }
        connection.answer("204 No Content")
      }
    }
    defer { receiver.stop() }
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.bruno, "2222", as: "bruno")
      try await stage.json("sync")
      // Everything is planned, and nothing is to be told yet.
      try await stage.json("sync", "--due")
      let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
      let more = "http:\n  patron_hosts: [127.0.0.1]\nnotices:\n  loan_due: 30d\n"
      try Data((more + text).utf8).write(to: URL(filePath: stage.settings))
      let made = try await stage.json(
        "notify", "add", "webhook", "--credentials-stdin", input: receiver.url("/") + "\n")
      #expect(made.item["state"] == "on")
      try await due("watch", stage)
      try await stage.json("sync", "--due")
      let open = "SELECT count(*) FROM notice_sending WHERE state = 'waiting'"
      let waiting = try await stage.rows(open)
      #expect(waiting == [["2"]])

      try await due("notices", stage)
      let process = try stage.start(["sync", "--due"])
      let end = ContinuousClock.now + .seconds(30)
      while heard.withLock({ $0.isEmpty }), ContinuousClock.now < end { await Task.yield() }
      process.send(SIGKILL)
      _ = try await process.waitForEnd()
      isSilent.withLock { $0 = false }
      #expect(
        try await stage.rows("SELECT state FROM notice_sending ORDER BY state")
          == [["sending"], ["waiting"]])

      // Its leases run out.
      try await stage.rows("UPDATE notice_sending SET leased_until = 0 WHERE state = 'sending'")
      try await due("notices", stage)
      try await stage.json("sync", "--due")
      let names = heard.withLock { $0 }
      #expect(names.count == 3 && Set(names).count == 2)
      #expect(
        try await stage.rows("SELECT state FROM notice_sending") == [["sent"], ["sent"]])
      try await due("notices", stage)
      try await stage.json("sync", "--due")
      #expect(heard.withLock { $0.count } == 3)
    }
  }

  private func due(_ kind: String, _ stage: Stage) async throws {
    try await stage.rows(
      "UPDATE schedule_job SET due_at = 0, leased_until = 0 WHERE kind = '\(kind)'")
  }
}
