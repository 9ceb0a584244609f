import Archive
import Compression
import GutenbergMock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import Testing

@Suite struct `The site as it is played` {
  private func visit(
    _ body: (_ house: MockHouse, _ get: (String, Headers) async throws -> Reply) async throws ->
      Void
  ) async throws {
    let house = MockHouse(.threeCards, seed: 1, dialects: [GutenbergDialect.dialect])
    try await OpenHouse.run(house) { open in
      try await body(house) { path, headers in
        var request = HTTPClient.Request(.get, try Address(open.base + path))
        (request.headers, request.redirects) = (headers, .returned)
        return try await open.client.send(request)
      }
    }
  }

  @Test func `The site as it is played has an archive with members that are no books`() async throws
  {
    try await visit { _, get in
      let reply = try await get("/cache/epub/feeds/rdf-files.tar.bz2", [:])
      var tar = TarReader()
      tar.feed(try BZip2.decompress(reply.body, limit: 1 << 24))
      var names: [String] = []
      while case .member(let member) = try tar.next() { names.append(member.name) }
      #expect(names.count == 24 + 5)
      #expect(names.contains("cache/epub/DELETE-55495/pg55495.rdf"))
      #expect(names != names.sorted())
    }
  }

  @Test func `The site as it is played tells whether a feed has changed, and gives parts of it`()
    async throws
  {
    try await visit { _, get in
      let path = "/cache/epub/feeds/rdf-files.tar.bz2"
      let whole = try await get(path, [:])
      let tag = try #require(whole.headers["ETag"])
      #expect(try await get(path, ["If-None-Match": tag]).status == .notModified)
      let part = try await get(path, ["Range": "bytes=10-19", "If-Range": tag])
      #expect(part.status.code == 206)
      #expect(part.body == Array(whole.body[10..<20]))
    }
  }

  @Test func `The site as it is played leads from its own names to where files lie`() async throws {
    try await visit { _, get in
      let named = try await get("/ebooks/100.epub3.images", [:])
      #expect(named.status.code == 302)
      #expect(named.headers["Location"]?.hasSuffix("/cache/epub/100/pg100-images-3.epub") == true)
      // A whole book, with its first file as readers look for it.
      let book = try await get("/cache/epub/100/pg100-images-3.epub", [:]).body
      #expect(book.count > 5000 && Array(book[30..<38]) == Array("mimetype".utf8))
      #expect(try await get("/cache/epub/9999/pg9999.rdf", [:]).status == .notFound)
    }
  }

  @Test
  func `the Gutenberg mock refuses searches and can answer with a captcha page`() async throws {
    try await visit { house, get in
      #expect(try await get("/ebooks/search?query=x", [:]).status.code == 403)
      _ = house.main.withState { state in
        state.change("gutenberg", of: "gutenberg") { library, _ in
          library.settings["robots_page"] = true
        }
      }
      let page = try await get("/cache/epub/100/pg100.rdf", [:])
      #expect(page.status == .ok)
      #expect(String(decoding: page.body, as: UTF8.self).contains("captcha"))
    }
  }

  @Test func `the Gutenberg mock's catalog file has titles with line breaks and years BCE`()
    async throws
  {
    try await visit { _, get in
      let table = try await get("/cache/epub/feeds/pg_catalog.csv", [:])
      let text = String(decoding: table.body, as: UTF8.self)
      #expect(text.hasPrefix("Text#,Type,Issued,Title,Language,Authors"))
      #expect(text.contains("428? BCE-348? BCE"))
      #expect(text.replacing("\r\n", with: "").contains("\n"))
    }
  }
}
