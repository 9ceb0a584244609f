import Foundation
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct `Addresses that patrons linked before http.patron_hosts` {
  @Test(arguments: Engine.allCases)
  func `earlier catalogs and webhooks keep working and doctor asks to list their hosts`(
    _ engine: Engine
  ) async throws {
    let posts = Mutex(0)
    let receiver = try RawServer { connection in
      while connection.request() != nil {
        posts.withLock { $0 += 1 }
        connection.answer("204 No Content")
      }
    }
    defer { receiver.stop() }
    try await Stage.play(engine) { stage in
      let library = stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == "lantern" }
      let address = try #require(library?["endpoints"]?["catalog"]?.string)
      let settings = try Data(contentsOf: URL(filePath: stage.settings))
      func set(_ key: String) throws {
        try (Data("http:\n  \(key): [127.0.0.1]\n".utf8) + settings)
          .write(to: URL(filePath: stage.settings))
      }
      try set("patron_hosts")
      try await stage.json(
        "link", "opdslibrary", "--library", address, "--name", "village", "--credentials-stdin",
        input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
      try await stage.json(
        "notify", "add", "webhook", "--name", "hook", "--credentials-stdin",
        input: receiver.url("/hook") + "\n")
      try await asBefore(stage)
      try set("allow_hosts")

      try await stage.json("account", "check", "village")
      try await stage.json("notify", "test", "hook")
      #expect(posts.withLock { $0 } == 1)
      let doctor = try await stage.carrel("doctor", "--json")
      let asked = (doctor.document["items"]?.array ?? []).filter {
        $0["check"]?.string == "patron-hosts"
      }
      #expect(asked.count == 2 && asked.allSatisfy { $0["state"]?.string == "warn" })
      #expect(asked.contains { $0["subject"]?.string == "127.0.0.1:\(receiver.port)" })
      // What is linked from now on is judged by the new setting alone.
      let late = try await stage.carrel(
        "link", "opdslibrary", "--library", "http://127.0.0.1:9/opds", "--credentials-stdin",
        input: "{}")
      #expect(late.code != 0 && late.error.contains("http.patron_hosts"))

      try set("patron_hosts")
      let listed = try await stage.carrel("doctor", "--json")
      #expect(!listed.output.contains("patron-hosts"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `earlier accounts of a service at a private host keep working and doctor asks to list it`(
    _ engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      let libraries = stage.mock.ready["libraries"]?.array ?? []
      let played = libraries.first { $0["provider"]?.string == "bookwyrm" }?["endpoints"]
      let profile = try #require(played?["profile"]?.string)
      let settings = try Data(contentsOf: URL(filePath: stage.settings))
      func set(_ key: String) throws {
        try (Data("http:\n  \(key): [127.0.0.1]\n".utf8) + settings)
          .write(to: URL(filePath: stage.settings))
      }
      func link(_ name: String) async throws -> Int32 {
        try await stage.carrel(
          "link", "bookwyrm", "--name", name, "--credentials-stdin",
          input: #"{"profile": "\#(profile)"}"#
        ).code
      }
      try set("patron_hosts")
      #expect(try await link("early") == 0)
      try await asBefore(stage)
      try set("allow_hosts")
      #expect(try await stage.json("list", "sync").item["state"]?.string == "fresh")
      let doctor = try await stage.carrel("doctor", "--json")
      let asked = (doctor.document["items"]?.array ?? []).filter {
        $0["check"]?.string == "patron-hosts"
      }
      #expect(asked.count == 1 && asked[0]["state"]?.string == "warn")
      #expect(asked.first?["subject"]?.string?.hasPrefix("127.0.0.1:") == true)
      // What is linked from now on is judged by the new setting alone.
      #expect(try await link("late") != 0)
    }
  }

  /// The database as the program of before leaves it.
  private func asBefore(_ stage: Stage) async throws {
    try await stage.rows("DROP TABLE gateway_earlier_address")
    try await stage.rows(
      "DELETE FROM carrel_migration WHERE name = 'addresses-before-patron-hosts'")
  }
}
