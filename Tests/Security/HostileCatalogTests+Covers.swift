import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// A library whose covers are large, come from many hosts, and never end.
@Suite(.timeLimit(.minutes(5))) struct `A library with endless covers` {
  @Test func `covers that never end take their library's share of memory and of time`()
    async throws
  {
    let (hostile, honest) = (try EndlessCovers(), try PictureCatalog([Bombs.jpeg]))
    defer {
      hostile.stop()
      honest.server.stop()
    }
    try await Stage.play { stage in
      let now = try String(contentsOfFile: stage.settings, encoding: .utf8)
      func library(_ name: String, _ catalog: String) -> String {
        """
          \(name):
            provider: opdslibrary
            name: \(name)
            endpoints:
              catalog: \(catalog)

        """
      }
      let text =
        "http:\n  deadline: 5s\n  allow_hosts: [127.0.0.1]\n" + now
        + library("hostile", hostile.address)
        + library("honest", honest.server.url("/feed"))
      try Data(text.utf8).write(to: URL(filePath: stage.settings))
      try await stage.link(Mock.ada, "1111", as: "city")
      for name in ["hostile", "honest"] {
        try await stage.json(
          "link", "opdslibrary", "--library", name, "--name", name, "--credentials-stdin",
          input: "{}")
        #expect(try await stage.json("harvest", name).item["complete"] == true)
      }
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app()
        let floods = try await Self.covers("flood", app)
        let own = try #require(try await Self.covers("bomb", app).first)
        #expect(floods.count >= 30)
        let before = try ProcessMemory.peak(of: gateway.processID)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for address in floods {
            group.addTask {
              let answer = try await app.ask(address)
              #expect(answer.status == 200)
            }
          }
          await hostile.begun(4)
          let start = ContinuousClock.now
          let cover = try await app.ask(own)
          #expect(cover.bytes.starts(with: [0xFF, 0xD8]))
          #expect(ContinuousClock.now - start < .seconds(5))
          try await group.waitForAll()
        }
        let growth = try ProcessMemory.peak(of: gateway.processID) - before
        #expect(growth < 128 << 10, "\(growth) KiB")
      }
    }
  }

  private static func covers(_ words: String, _ app: FeedApp) async throws -> Set<String> {
    let bytes = try await app.ask(app.site + "/opds/search?query=\(words)").bytes
    return Set(
      String(decoding: bytes, as: UTF8.self).matches(of: /"([^"]*\/covers\/[^"]*)"/)
        .map { String($0.output.1) })
  }
}

/// Ten ports with ten covers each: of each all but the end is sent, and then nothing more.
private final class EndlessCovers: Sendable {
  private let servers: [RawServer]
  private let feed: RawServer
  private let seen: Counter

  var address: String { feed.url("/feed") }

  private final class Counter: Sendable {
    struct State {
      var count = 0
      var waiting: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    let state = Mutex(State())
  }

  init() throws {
    let seen = Counter()
    self.seen = seen
    servers = try (0..<10).map { _ in
      try RawServer { connection in
        guard connection.request() != nil else { return }
        let ready = seen.state.withLock { state in
          state.count += 1
          defer { state.waiting.removeAll { $0.0 <= state.count } }
          return state.waiting.filter { $0.0 <= state.count }
        }
        for one in ready { one.1.resume() }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 10000000\r\n\r\n"
        guard connection.write(Array(head.utf8) + [UInt8](repeating: 0x41, count: 9_900_000))
        else { return }
        _ = connection.request()
      }
    }
    let entries = servers.enumerated().flatMap { host, server in
      (0..<10).map { number in
        """
        <entry><id>urn:f:\(host)-\(number)</id><title>Flood \(host) of \(number)</title>
        <author><name>F\(host * 10 + number)</name></author><updated>2026-01-01T00:00:00Z</updated>
        <link rel="http://opds-spec.org/image" href="\(server.url("/cover/\(number)"))" type="image/png"/>
        <link rel="http://opds-spec.org/acquisition/open-access" href="/\(host)-\(number).epub"
        type="application/epub+zip"/></entry>
        """
      }
    }
    let text = """
      <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f:all</id><title>Floods</title>
      <updated>2026-01-01T00:00:00Z</updated>
      <link rel="self" href="/feed" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
      \(entries.joined(separator: "\n"))</feed>
      """
    feed = try RawServer { connection in
      while connection.request() != nil {
        connection.answer(
          "200 OK", ["Content-Type: application/atom+xml;profile=opds-catalog;kind=acquisition"],
          text)
      }
    }
  }

  /// Until so many covers were asked for.
  func begun(_ count: Int) async {
    await withCheckedContinuation { place in
      let isThere = seen.state.withLock { state in
        if state.count < count { state.waiting.append((count, place)) }
        return state.count >= count
      }
      if isThere { place.resume() }
    }
  }

  func stop() {
    for server in servers + [feed] { server.stop() }
  }
}
