import Foundation
import HTTP
import JSON
import JourneySupport
import OPDS
import Synchronization
import TestSupport
import Testing

/// A patron links a catalog of their own by its address. Of the network the operator allowed patrons this one
/// host and port.
@Suite(.timeLimit(.minutes(5))) struct `A hostile catalog that a patron linked` {
  /// Requests that a server of the operator's got for paths that only the catalog names.
  private final class Inner: Sendable {
    private let kept: Mutex<[String]>
    let server: RawServer

    init() throws {
      final class Box: Sendable { let paths = Mutex<[String]>([]) }
      let box = Box()
      server = try RawServer { connection in
        while let request = connection.request() {
          box.paths.withLock { $0.append(request.target) }
          connection.answer("200 OK", ["Content-Type: application/epub+zip"], "an inner secret")
        }
      }
      kept = Mutex([])
      paths = { box.paths.withLock { $0 } }
    }

    private let paths: @Sendable () -> [String]
    var reached: [String] { paths().filter { $0.hasPrefix("/inner") } }
  }

  private static func feed(_ titles: [(title: String, file: String, cover: String)], next: String?)
    -> String
  {
    let entries = titles.enumerated().map { number, one in
      """
      <entry><title>\(one.title)</title><id>urn:evil:\(number)</id>
      <updated>2026-01-01T00:00:00Z</updated><author><name>An Author</name></author>
      <link rel="http://opds-spec.org/acquisition/open-access" type="application/epub+zip" href="\(one.file)"/>
      <link rel="http://opds-spec.org/image" type="image/jpeg" href="\(one.cover)"/></entry>
      """
    }
    let more = next.map { #"<link rel="next" type="\#(atom)" href="\#($0)"/>"# } ?? ""
    return """
      <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">
      <id>urn:evil</id><title>Evil</title><updated>2026-01-01T00:00:00Z</updated>
      <link rel="self" type="\(atom)" href="/opds"/>\(more)\(entries.joined())</feed>
      """
  }

  private static let atom = "application/atom+xml;profile=opds-catalog;kind=acquisition"

  @Test func `links and redirects of a patron's catalog reach no host that the operator allowed`()
    async throws
  {
    try await Stage.playOnEach { stage in
      let (allowed, configured) = (try Inner(), try Inner())
      let isLong = Mutex(false)
      let seen = Mutex<[String]>([])
      let catalog = try RawServer { connection in
        while let request = connection.request() {
          seen.withLock { $0.append(request.target) }
          let target = request.target
          if target.hasPrefix("/moved") {
            connection.answer("302 Found", ["Location: \(allowed.server.url("/inner-moved"))"])
            continue
          }
          guard target.hasPrefix("/opds") else {
            connection.answer("200 OK", ["Content-Type: application/epub+zip"], "no book")
            continue
          }
          connection.answer(
            "200 OK", ["Content-Type: \(Self.atom)"],
            Self.feed(
              [
                (
                  "Allowed Quarry", allowed.server.url("/inner.epub"),
                  allowed.server.url("/inner.jpg")
                ),
                (
                  "Configured Quarry", configured.server.url("/inner.epub"),
                  configured.server.url("/inner.jpg")
                ), ("Moved Quarry", "/moved.epub", "/moved.jpg"),
                ("Own Quarry", "/own.epub", "/own.jpg"),
              ], next: isLong.withLock { $0 } ? allowed.server.url("/inner-next") : nil))
        }
      }
      defer { for server in [allowed.server, configured.server, catalog] { server.stop() } }
      try Self.settings(stage, allowed.server, configured.server, catalog)
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json(
        "link", "opdslibrary", "--library", catalog.url("/opds"), "--name", "evil",
        "--credentials-stdin", input: "{}")
      #expect(try await stage.json("harvest", "evil").item["editions"]?.integer == 4)
      for title in ["Allowed", "Configured", "Moved", "Own"] {
        let found = try await stage.json("search", "\(title) Quarry", "--limit", "20").items
        let offer = found.first { $0["title"]?.string == "\(title) Quarry" }?["offers"]?[0]
        let id = try #require(offer?["id"]?.string)
        #expect(try await stage.carrel("get", id, "--json").code != 0)
      }
      try await RunningGateway.serve(stage) { gateway in
        let app = gateway.app()
        let start = try #require(try await app.ask(gateway.start).feed)
        let books = try await app.search("Quarry", from: start).everyPublication
        #expect(books.count == 4)
        for book in books {
          for link in book.acquisitions.map(\.link) + book.images {
            let answer = try await app.ask(link.href)
            #expect(!answer.text.contains("inner secret"))
          }
        }
      }
      isLong.withLock { $0 = true }
      _ = try await stage.carrel("harvest", "evil", "--full")
      #expect(allowed.reached == [])
      #expect(configured.reached == [])
      // What lies at the catalog's own place was fetched all the same.
      #expect(seen.withLock { Set($0) }.isSuperset(of: ["/own.epub", "/own.jpg", "/moved.epub"]))
    }
  }

  private static func settings(
    _ stage: Stage, _ allowed: RawServer, _ configured: RawServer, _ catalog: RawServer
  ) throws {
    try stage.addSettings(
      """
      http:
        allow_hosts: ["127.0.0.1:\(allowed.port)"]
        patron_hosts: ["127.0.0.1:\(catalog.port)"]

      """)
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    let library = """
      libraries:
        inner:
          provider: opdslibrary
          name: Inner
          endpoints:
            catalog: \(configured.url("/opds"))

      """
    try Data(text.replacing("libraries:\n", with: library).utf8)
      .write(to: URL(filePath: stage.settings))
  }

  @Test(arguments: ["http://catalog.example.org/opds", "http://93.184.216.34/opds"])
  func `a card is sent to no catalog over plain http, through no proxy and by no retry`(
    _ address: String
  ) async throws {
    try await Stage.playOnEach { stage in
      let heads = Mutex<[String]>([])
      let proxy = try RawServer { connection in
        while let request = connection.request() {
          heads.withLock { $0.append(request.head + String(decoding: request.body, as: UTF8.self)) }
          guard request.header("Authorization") != nil else {
            connection.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""])
            continue
          }
          connection.answer(
            "200 OK", ["Content-Type: \(Self.atom)"], Self.feed([], next: nil))
        }
      }
      defer { proxy.stop() }
      try stage.addSettings("http:\n  proxy: http://127.0.0.1:\(proxy.port)\n  deadline: 2s\n")
      let linking = try await stage.carrel(
        "link", "opdslibrary", "--library", address, "--name", "plain", "--credentials-stdin",
        input: #"{"card": "marker-of-a-card", "pin": "marker-of-a-pin"}"#)
      #expect(linking.code != 0)
      #expect(linking.error.contains("https") && linking.error.contains("http.patron_hosts"))
      let sent = heads.withLock { $0 }
      #expect(!sent.isEmpty)
      let pair = Data("marker-of-a-card:marker-of-a-pin".utf8).base64EncodedString()
      #expect(sent.allSatisfy { !$0.contains("marker-of-a") && !$0.contains(pair) })
    }
  }
}
