import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct `Several gateways on one database` {
  /// A reader's app that keeps places in books, which is a write with a read to hold it against.
  private struct App: Sendable {
    let headers: [(String, String)]

    init(_ stage: Stage) async throws {
      let added = try await stage.json("admin", "device", "add", "kobo").item
      let password = try #require(added["password"]?.string)
      headers = [
        ("x-auth-user", "reader"),
        ("x-auth-key", Hex.encode(Digest.md5.hash(password))),
      ]
    }

    func keep(_ document: Int, at upstreams: Upstreams) async -> HTTPClient.Reply? {
      await upstreams.ask(
        "/opds/kosync/syncs/progress", .put,
        body: [
          "document": .string("book\(document)"), "percentage": JSONValue(0.5),
          "progress": "/body/p[3]", "device": "Kobo", "device_id": "k1",
        ], headers: headers)
    }

    func has(_ document: Int, at upstreams: Upstreams) async -> Bool {
      let reply = await upstreams.ask(
        "/opds/kosync/syncs/progress/book\(document)", headers: headers)
      guard let body = reply?.body, let json = try? JSONValue(parsing: body) else { return false }
      return json["progress"] == "/body/p[3]"
    }
  }

  private final class Count: Sendable {
    private let state = Mutex((asked: 0, failed: [String](), kept: [Int]()))

    func note(_ reply: HTTPClient.Reply?, _ what: String, kept: Int? = nil) {
      // Who is called off hears no answer.
      if Task.isCancelled { return }
      state.withLock { state in
        state.asked += 1
        if let status = reply?.status, status.isSuccess {
          if let kept { state.kept.append(kept) }
        } else {
          state.failed.append("\(what): \(reply.map { "\($0.status.code)" } ?? "no answer")")
        }
      }
    }

    var asked: Int { state.withLock { $0.asked } }
    var failed: [String] { state.withLock { $0.failed } }
    var kept: [Int] { state.withLock { $0.kept } }
  }

  /// Readers that ask without a pause until they are called off.
  private func load(_ app: App, _ upstreams: Upstreams, _ count: Count) -> Task<Void, Never> {
    Task {
      await withTaskGroup(of: Void.self) { group in
        for reader in 0..<4 {
          group.addTask {
            var number = reader
            while !Task.isCancelled {
              switch reader {
              case 0: count.note(await upstreams.ask("/sign-in"), "page")
              case 1: count.note(await upstreams.ask("/opds/auth"), "document")
              default:
                let reply = await app.keep(number, at: upstreams)
                count.note(reply, "place", kept: number)
                number += 4
              }
            }
          }
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `gateways are restarted one by one without a failed request, also behind nginx`(
    isFronted: Bool
  ) async throws {
    try await Stage.play(.postgres) { stage in
      let app = try await App(stage)
      let upstreams = try await Upstreams(stage, frontPort: isFronted ? try sparePort() : nil)
      let count = Count()
      let load = load(app, upstreams, count)
      try await eventually { count.asked > 100 }
      for place in [0, 1, 0, 1] {
        #expect(try await upstreams.restart(place) == .exited(0))
        let asked = count.asked
        try await eventually { count.asked > asked + 50 }
      }
      load.cancel()
      await load.value
      #expect(count.failed == [])
      #expect(count.kept.count > 50)
      for document in count.kept { #expect(await app.has(document, at: upstreams)) }
      try await upstreams.end()
    }
  }

  @Test func `gateways answer 503 while the database is away and lose no confirmed change`()
    async throws
  {
    let cluster = try await PostgresCluster()
    try await cluster.withDatabase { address in
      try await Stage.play(on: address) { stage in
        let app = try await App(stage)
        let upstreams = try await Upstreams(stage)
        let before = Count()
        var work = load(app, upstreams, before)
        try await eventually { before.asked > 100 }
        work.cancel()
        await work.value
        #expect(before.failed == [])

        let during = Count()
        work = load(app, upstreams, during)
        try await cluster.stop()
        let asked = during.asked
        try await eventually { during.asked > asked + 20 }
        let away = await app.keep(1_000_001, at: upstreams)
        #expect(away?.status == .serviceUnavailable && away?.headers["Retry-After"] != nil)
        try await cluster.start()
        try await eventually("an answer") {
          await app.keep(1_000_003, at: upstreams)?.status == .ok
        }
        work.cancel()
        await work.value
        #expect(during.failed.allSatisfy { $0.hasSuffix(" 503") }, "\(Set(during.failed))")

        let after = Count()
        work = load(app, upstreams, after)
        try await eventually { after.asked > 100 }
        work.cancel()
        await work.value
        #expect(after.failed == [])
        for document in before.kept + during.kept + after.kept {
          #expect(await app.has(document, at: upstreams), "\(document)")
        }
        try await upstreams.end()
      }
    }
    try await cluster.end()
  }

  @Test func `gateways continue with the standby database and lose no confirmed change`()
    async throws
  {
    let cluster = try await PostgresCluster()
    let address = "postgresql://carrel@/postgres?host=\(cluster.folder)"
    try await cluster.withStandby(of: address) { standby in
      // What is acknowledged is on both.
      try await cluster.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try await cluster.query("SELECT pg_reload_conf()")
      let both = "\(address),\(cluster.folder)&port=5432,5433&target_session_attrs=read-write"
      try await Stage.play(on: both) { stage in
        let app = try await App(stage)
        let upstreams = try await Upstreams(stage)
        let count = Count()
        let work = load(app, upstreams, count)
        try await eventually { count.kept.count > 50 }
        #expect(count.failed == [])
        try await cluster.stop()
        let asked = count.asked
        try await eventually { count.asked > asked + 20 }
        try await standby.promote()
        let kept = count.kept.count
        try await eventually("places are kept again") { count.kept.count > kept + 50 }
        work.cancel()
        await work.value
        #expect(count.failed.allSatisfy { $0.hasSuffix(" 503") }, "\(Set(count.failed))")
        for document in count.kept {
          #expect(await app.has(document, at: upstreams), "\(document)")
        }
        try await upstreams.end()
      }
    }
    try await cluster.end()
  }

  @Test func `Several gateways on one database slow whoever guesses at any of them`() async throws {
    try await Stage.play(.postgres) { stage in
      _ = try await App(stage)
      let upstreams = try await Upstreams(stage)
      var answers: [Int] = []
      for number in 0..<40 {
        let reply = try await upstreams.send(
          "/opds/kosync/users/auth", .get, nil,
          [("x-auth-user", "reader"), ("x-auth-key", "\(number)")],
          to: upstreams.ports[number % 2])
        answers.append(reply.status.code)
      }
      // Thirty wrong words from one place, wherever they were said.
      #expect(answers.filter { $0 == 401 }.count == 30)
      #expect(answers.suffix(10).allSatisfy { $0 == 429 })
      #expect(try await upstreams.restart(0) == .exited(0))
      let still = try await upstreams.send(
        "/opds/kosync/users/auth", .get, nil, [("x-auth-user", "reader"), ("x-auth-key", "x")],
        to: upstreams.ports[0])
      #expect(still.status.code == 429)
      try await upstreams.end()
    }
  }

  @Test func `Several gateways on one database do each due job once`() async throws {
    try await Stage.play(.postgres) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let upstreams = try await Upstreams(stage, count: 3)
      try await eventually("a job's end") {
        try await stage.rows("SELECT count(*) FROM schedule_job WHERE ended_at IS NOT NULL")
          != [["0"]]
      }
      // Those that fall due by themselves meanwhile are left out of the count.
      func turns() async throws -> [[String]] {
        try await stage.rows(
          "SELECT kind, subject, turn FROM schedule_job WHERE period > 3600000 ORDER BY 1, 2")
      }
      let before = try await turns()
      for _ in 0..<5 {
        try await stage.rows("UPDATE schedule_job SET due_at = 0 WHERE owner IS NULL")
        try await eventually("all jobs done") {
          try await stage.rows(
            "SELECT count(*) FROM schedule_job WHERE due_at = 0 OR owner IS NOT NULL") == [["0"]]
        }
      }
      let after = try await turns()
      #expect(!before.isEmpty && after.count == before.count)
      for (one, other) in zip(before, after) {
        #expect(Int(other[2]) == Int(one[2]).map { $0 + 5 }, "\(one) \(other)")
      }
      // Every turn was somebody's alone: nobody's end was refused, and none is left in doubt.
      let jobs = try await stage.rows(
        "SELECT kind, turn, failures FROM schedule_job ORDER BY kind")
      #expect(!jobs.isEmpty && jobs.allSatisfy { $0[2] == "0" }, "\(jobs)")
      try await upstreams.end()
    }
  }
}
