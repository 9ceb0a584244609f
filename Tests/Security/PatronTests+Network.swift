import Foundation
import HTTP
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// A patron names addresses to find out what there is in the operator's network, or to reach it.
@Suite(.timeLimit(.minutes(5))) struct `A patron who names addresses of the operator's network` {
  @Test func `notifications and profiles reach no host that the operator allowed for libraries`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let inner = try RawServer { connection in
        while connection.request() != nil { connection.answer() }
      }
      defer { inner.stop() }
      try stage.addSettings("http:\n  allow_hosts: [\"127.0.0.1:\(inner.port)\"]\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      let plain = try await stage.carrel(
        "notify", "add", "webhook", "--name", "plain", "--credentials-stdin",
        input: inner.url("/hook") + "\n")
      #expect(plain.code == 2)
      let secure = inner.url("/hook").replacing("http://", with: "https://")
      for (medium, given) in [
        ("webhook", #"{"address": "\#(secure)"}"#),
        ("ntfy", #"{"server": "\#(secure)", "topic": "books"}"#),
        (
          "push",
          """
          {"endpoint": "\(secure)", "auth": "AAAAAAAAAAAAAAAAAAAAAA", \
          "p256dh": "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}
          """
        ),
      ] {
        try await stage.json(
          "notify", "add", medium, "--name", medium, "--credentials-stdin", input: given)
      }
      let profile = try await stage.carrel(
        "link", "bookwyrm", "--name", "wyrm", "--credentials-stdin",
        input: #"{"profile": "\#(inner.url("/user/ada"))"}"#)
      #expect(profile.code != 0 && profile.error.contains("http.patron_hosts"))
      let tests = try await stage.carrel("notify", "test", "--json")
      #expect(tests.code != 0)
      #expect(inner.accepted == 0)
    }
  }

  @Test func `a test of a channel and a linking say the same at the same time for every address`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let silent = try RawServer { $0.waitForClose() }
      defer { silent.stop() }
      let closed = try sparePort()
      try stage.addSettings(
        """
        http:
          patron_hosts: ["127.0.0.1:\(silent.port)", "127.0.0.1:\(closed)"]
          deadline: 2s

        """)
      try await stage.link(Mock.ada, "1111", as: "city")
      let places = [
        "127.0.0.1:\(silent.port)", "127.0.0.1:\(closed)", "10.0.0.9",
        "[::ffff:10.0.0.9]", "nothing.invalid", "router.local",
      ]
      for (number, place) in places.enumerated() {
        try await stage.json(
          "notify", "add", "webhook", "--name", "hook\(number)", "--credentials-stdin",
          input: "https://\(place)/\n")
      }
      try await RunningGateway.serve(stage) { gateway in
        var browser = PageBrowser(gateway: gateway)
        try await browser.signIn(Mock.ada, "1111")
        let tests = try await places.indices.concurrently { [browser] number in
          try await Self.timed(
            browser, "/lib/settings/notices", ["do": "test", "name": "hook\(number)"])
        }
        Self.expectSame(tests, within: .milliseconds(300))
        #expect(tests.allSatisfy { $0.text.contains("no usable answer came from this address") })
        var links: [Answer] = []
        for place in places {
          let path = "/lib/accounts/new?at=" + Address.encoded("https://\(place)/opds")
          links.append(try await Self.timed(browser, path, ["at": "https://\(place)/opds"]))
        }
        Self.expectSame(links, within: .milliseconds(300))
        #expect(links.allSatisfy { $0.text.contains("No usable answer came from this address.") })
      }
    }
  }

  private struct Answer: Sendable {
    let text: String
    let time: Duration
  }

  /// The words that the page alerts with, and how long it took.
  private static func timed(
    _ browser: PageBrowser, _ path: String, _ fields: FormFields
  ) async throws -> Answer {
    var browser = browser
    var form = fields
    form.add("seal", try browser.field("seal", try await browser.ask(path)))
    let start = ContinuousClock.now
    let reply = try await browser.ask(path, form: form)
    let time = ContinuousClock.now - start
    let alert = reply.text.firstMatch(of: /role="alert"[^>]*>([^<]*)</)
    return Answer(text: alert.map { String($0.output.1) } ?? "\(reply.status)", time: time)
  }

  private static func expectSame(_ answers: [Answer], within span: Duration) {
    #expect(Set(answers.map(\.text)).count == 1, "\(answers.map(\.text))")
    let times = answers.map(\.time)
    if let least = times.min(), let most = times.max() {
      #expect(most - least < span, "\(times)")
    }
  }
}

extension Range where Bound == Int {
  fileprivate func concurrently<T: Sendable>(
    _ body: @escaping @Sendable (Int) async throws -> T
  ) async throws -> [T] {
    try await withThrowingTaskGroup(of: [Int: T].self) { group in
      for number in self { group.addTask { [number: try await body(number)] } }
      var found: [Int: T] = [:]
      for try await one in group { found.merge(one) { $1 } }
      return compactMap { found[$0] }
    }
  }
}
