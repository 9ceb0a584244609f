import HTTP
import HTTPClient
import JSON
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// What a patron can take from others by linking catalogs of their own.
@Suite(.timeLimit(.minutes(5))) struct `A patron with catalogs of their own` {
  /// Feeds with a title or without one; each leads to the next.
  private static func catalog(
    _ asked: Asked, titles: Int, isEndless: Bool, areAlike: Bool = false
  ) throws -> RawServer {
    try RawServer { connection in
      while let request = connection.request() {
        let number = asked.count()
        let books = (0..<titles).map { book -> JSONValue in
          [
            "metadata": [
              "title": .string(areAlike ? "The Cartographer" : "Own \(book)"),
              "author": "Chinua Whitlock", "identifier": .string("urn:own:\(book)"),
            ],
            "links": [
              [
                "rel": "http://opds-spec.org/acquisition/open-access",
                "type": "application/epub+zip", "href": .string("/book/\(book)"),
              ]
            ],
          ]
        }
        var links: [JSONValue] = [
          ["rel": "self", "href": .string(request.target), "type": "application/opds+json"]
        ]
        if isEndless {
          links.append(
            ["rel": "next", "href": .string("/next/\(number)"), "type": "application/opds+json"])
        }
        let feed: JSONValue = [
          "metadata": ["title": "Own"], "links": .array(links), "publications": .array(books),
        ]
        connection.answer("200 OK", ["Content-Type: application/opds+json"], feed.text())
      }
    }
  }

  private final class Asked: Sendable {
    private let state = Mutex(0)
    var all: Int { state.withLock { $0 } }

    func count() -> Int {
      state.withLock { count in
        count += 1
        return count
      }
    }
  }

  private static func link(
    _ stage: Stage, _ server: RawServer, _ number: Int, exit: Int32 = 0
  ) async throws -> Ending {
    try await stage.json(
      "link", "opdslibrary", "--library", server.url("/c\(number)/"), "--name", "c\(number)",
      "--credentials-stdin", input: "{}", exit: exit)
  }

  @Test func `a patron who links an eleventh catalog is told the limit in JSON, by text and page`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let server = try Self.catalog(Asked(), titles: 2, isEndless: false)
      defer { server.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      for number in 0..<10 { _ = try await Self.link(stage, server, number) }
      let refusal = try await Self.link(stage, server, 10, exit: 6)
      #expect(refusal.failure["code"]?.string == "too_many_catalogs")
      #expect(refusal.error.contains("at most 10 catalogs"))
      let text = try await stage.carrel(
        "link", "opdslibrary", "--library", server.url("/c10/"), "--credentials-stdin", input: "{}")
      #expect(text.code == 6 && text.error.contains("at most 10 catalogs"))
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        let at = server.url("/c10/")
        let page = try await ada.post(
          "/accounts/new?at=" + Address.encoded(at), to: "/accounts/new", ["at": .init(at)])
        #expect(page.status == .conflict)
        #expect(String(decoding: page.body, as: UTF8.self).contains("At most 10 catalogs"))
      }
    }
  }

  @Test func `a patron who unlinks a catalog leaves none of its titles in the tables`() async throws
  {
    try await Stage.playOnEach { stage in
      let server = try Self.catalog(Asked(), titles: 300, isEndless: false)
      defer { server.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      let titles = "SELECT count(*) FROM catalog_edition"
      let catalogs = "SELECT count(*) FROM catalog_library WHERE name LIKE '%://%'"
      _ = try await Self.link(stage, server, 0)
      #expect(try await stage.json("harvest", "c0").item["editions"]?.integer == 300)
      #expect(try await stage.rows(titles) == [["300"]])
      try await stage.json("unlink", "c0", "--yes")
      try await stage.json("sync", "--due")
      #expect(try await stage.rows(catalogs) == [["0"]])
      #expect(try await stage.json("search", "own").items.isEmpty)
    }
  }

  @Test func `a patron's catalog of one book a thousand times makes few comparisons`() async throws
  {
    try await Stage.playOnEach { stage in
      let server = try Self.catalog(Asked(), titles: 1_000, isEndless: false, areAlike: true)
      defer { server.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      _ = try await Self.link(stage, server, 0)
      #expect(try await stage.json("harvest", "c0").item["editions"]?.integer == 1_000)
      let kin = try await stage.rows("SELECT count(*) FROM catalog_kin")
      #expect(Int(kin.first?.first ?? "") ?? .max < 1_000, "\(kin)")
    }
  }

  @Test func `a patron's catalog without any title is left after two thousand feeds`() async throws
  {
    try await Stage.play { stage in
      let asked = Asked()
      let server = try Self.catalog(asked, titles: 0, isEndless: true)
      defer { server.stop() }
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      _ = try await Self.link(stage, server, 0)
      let harvest = try await stage.json("harvest", "c0")
      #expect(harvest.item["complete"]?.bool == true)
      #expect(harvest.output.contains("20000 titles"))
      #expect(asked.all < 2_020)
      // It is not read again as soon as another.
      #expect(try await stage.rows("SELECT cut_short FROM catalog_library") == [["1"]])
    }
  }
}
