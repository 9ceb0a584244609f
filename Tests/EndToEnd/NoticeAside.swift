import Foundation
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

// An aside on the way: being told that holds are ready.
extension `A reader` {
  /// Two offers, each told once by a program of the reader's own and in the inbox, however often it is
  /// looked at.
  func isTold(_ stage: Stage) async throws {
    let posts = Mutex<[String]>([])
    let receiver = try RawServer { connection in
      while let request = connection.request() {
        posts.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        connection.answer("204 No Content")
      }
    }
    defer { receiver.stop() }
    let file = URL(filePath: stage.settings)
    let settings = try Data(contentsOf: file)
    // An address that a patron names is reached on this machine only where the operator lists it.
    try (Data("http:\n  patron_hosts: [127.0.0.1]\n".utf8) + settings).write(to: file)
    defer { #expect(throws: Never.self) { try settings.write(to: file) } }

    try await addsChannels(receiver.url("/hook"), stage)
    try await isWatched(stage)
    #expect(posts.withLock { $0.count } == 2)
    #expect(posts.withLock { $0.allSatisfy { $0.contains(#""type":"hold.ready""#) } })
    try await isWatched(stage)
    #expect(posts.withLock { $0.count } == 2)

    #expect(try await stage.json("notify", "inbox").items.map { $0["kind"] } == ready)
    let text = try await stage.carrel("notify", "inbox", "--unread").output
    #expect(text.contains("is ready at") && text.split(separator: "\n").count == 2)
    #expect(try await stage.json("notify", "inbox", "--read-all").items.count == 2)
    #expect(try await stage.json("notify", "inbox", "--unread").items == [])
    #expect(try await stage.json("notify", "inbox").items.map { $0["read"] } == [true, true])

    #expect(try await stage.json("notify", "test").item["result"] == "sent")
    #expect(posts.withLock { $0.count } == 3)
    let log = try await stage.json("notify", "ls", "--log").items
    #expect(log.map { $0["state"] } == ["sent", "sent", "sent"])
    #expect(log.map { $0["kind"] } == ["test"] + ready)
    receiver.stop()
    let failed = try await stage.json("notify", "test", "hook", exit: 3)
    #expect(failed.item["reason"] == "no connection")
    let key = try await stage.json("notify", "ls", "--push-key").item["key"]?.string
    #expect(key?.count == 87)
    #expect(try await stage.json("notify", "rm", "hook", "--yes").item["state"] == "on")
    #expect(try await stage.json("notify", "rm", "hook", "--yes", exit: 5).items.isEmpty)
    #expect(try await stage.json("notify", "ls").items == [])
  }

  private var ready: [JSONValue] { ["hold_ready", "hold_ready"] }

  private func addsChannels(_ address: String, _ stage: Stage) async throws {
    let add = ["notify", "add", "webhook", "--name", "hook", "--credentials-stdin"]
    let made = try await stage.json(
      "notify", "add", "webhook", "--name", "hook", "--kinds", "hold_ready", "--titles",
      "--credentials-stdin", input: address + "?marker-of-a-hook\n"
    ).item
    #expect(made["key"]?.string?.hasPrefix("whsec_") == true && made["state"] == "on")
    #expect(made["to"]?.string.map { address.hasPrefix($0) } == true)
    let twice = try await stage.carrel(add + ["--json"], input: address + "\n")
    #expect(twice.code == 6 && twice.failure["code"] == "channel_exists")
    let confirmed = try await stage.carrel("notify", "confirm", "hook", "123456", "--json")
    #expect(confirmed.code != 0 && confirmed.failure["code"] == "channel_confirmed")
    let typed = try await stage.carrel("notify", "confirm", "hook", "--json", input: "123456\n")
    #expect(typed.code == confirmed.code && typed.failure["code"] == "channel_confirmed")
    #expect(try await stage.carrel("notify", "confirm", "hook").code == 2)
    let bare = try await stage.carrel(add, input: "http://hooks.example/\n")
    #expect(bare.code == 2 && bare.error.contains("https"))
    let mail = try await stage.json(
      "notify", "add", "email", "--credentials-stdin", input: "ada@library.example\n", exit: 6)
    #expect(mail.failure["code"] == "no_way")
    #expect(
      try await stage.carrel("notify", "add", "email", "--quiet-hours", "25:00-1:00").code == 2)
    #expect(try await stage.json("notify", "ls").item["kinds"] == ["hold_ready"])
    for table in try await stage.tables() {
      let rows = try await stage.rows("SELECT * FROM \(table)").joined().joined()
      #expect(!rows.contains("marker-of-a-hook"), "\(table)")
    }
    #expect(
      stage.endings.allSatisfy { !"\($0.output)\($0.error)".contains("marker-of-a-hook") })
  }

  /// What the schedule does by itself every few minutes.
  private func isWatched(_ stage: Stage) async throws {
    for kind in ["watch", "notices"] {
      try await stage.rows("UPDATE schedule_job SET due_at = 0 WHERE kind = '\(kind)'")
      let done = try await stage.json("sync", "--due").items
      #expect(done.contains { $0["kind"] == .string(kind) && $0["outcome"] == "done" })
    }
  }
}
