// Over 300 lines because it is one list of what a body may become on its way out.

import Compression
import HTTP
import HTTPServer
import Synchronization
import Testing

@Suite struct StreamTests {
  static let pieces = (0..<100).map { number in
    [UInt8](repeating: UInt8(number), count: 1000)
  }

  static func streaming(length: Int? = nil) -> Handler {
    .immediate { _ in
      .stream(
        StreamBody(length: length) { writer in
          for piece in pieces { try await writer.write(piece) }
        }, .bytes)
    }
  }

  @Test func `goes in chunks, and the connection goes on`() async throws {
    try await RunningServer.run(Self.streaming()) { running in
      let client = try running.connect()
      for _ in 0..<2 {
        let answer = try await client.get("/")
        #expect(answer.headers["Transfer-Encoding"] == "chunked")
        #expect(answer.headers["Content-Length"] == nil)
        #expect(answer.body == Self.pieces.flatMap(\.self))
      }
    }
  }

  @Test func `a known length is announced`() async throws {
    try await RunningServer.run(Self.streaming(length: 100_000)) { running in
      let client = try running.connect()
      let answer = try await client.get("/")
      #expect(answer.headers["Content-Length"] == "100000")
      #expect(answer.headers["Transfer-Encoding"] == nil)
      #expect(answer.body.count == 100_000)
      #expect(try await client.get("/").status == 200)
    }
  }

  @Test func `an HTTP 1.0 client sees the end by the close`() async throws {
    try await RunningServer.run(Self.streaming()) { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let text = try await client.rest()
      let head = String(decoding: text.prefix(200), as: UTF8.self)
      #expect(head.contains("Connection: close"))
      #expect(!head.contains("chunked"))
      #expect(text.suffix(100_000) == Self.pieces.flatMap(\.self)[...])
    }
  }

  @Test func `a head alone does not start the stream`() async throws {
    let handler = Handler.immediate { _ in
      .stream(StreamBody { _ in Issue.record("must not run") }, .bytes)
    }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.answer(toHead: true).status == 200)
      try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.answer(toHead: true).status == 200)
    }
  }

  struct Broken: Error {}

  @Test func `a stream that fails never looks complete`() async throws {
    let handler = Handler.immediate { _ in
      .stream(
        StreamBody { writer in
          try await writer.write("half")
          throw Broken()
        }, .bytes)
    }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let text = try await client.restText()
      #expect(text.contains("half"))
      #expect(!text.contains("0\r\n\r\n"))
    }
  }

  @Test(arguments: [3, 5])
  func `a stream that breaks its announced length is broken off`(length: Int) async throws {
    let handler = Handler.immediate { _ in
      .stream(StreamBody(length: length) { try await $0.write("four") }, .bytes)
    }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.restText().hasSuffix(length == 3 ? "" : "four"))
    }
  }

  @Test func `a writer waits for a reader that is slow`() async throws {
    let written = Atomic<Int>(0)
    let stream = StreamBody { writer in
      for _ in 0..<1000 {
        try await writer.write([UInt8](repeating: 1, count: 100_000))
        written.add(100_000, ordering: .relaxed)
      }
    }
    let handler = Handler.immediate { request in
      request.path.isEmpty ? .stream(stream, .bytes) : .text("here")
    }
    try await RunningServer.run(handler) { running in
      let client = try RawClient(running.address, receiveBuffer: 16 << 10)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let other = try running.connect()
      // While the writer is not held back, the count grows between two other answers.
      var (last, same) = (-1, 0)
      while same < 100 {
        #expect(try await other.get("/other").text == "here")
        let now = written.load(ordering: .relaxed)
        same = now == last ? same + 1 : 0
        last = now
      }
      #expect(last < 30_000_000)
      #expect(try await client.answer().body.count == 100_000_000)
    }
  }

  @Test func `a writer whose reader has gone is told so`() async throws {
    let (started, ended) = (Gate(), Gate())
    let handler = Handler.immediate { _ in
      .stream(
        StreamBody { writer in
          defer { ended.open() }
          while true {
            try await writer.write([UInt8](repeating: 1, count: 100_000))
            started.open()
          }
        }, .bytes)
    }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await started.wait()
      client.reset()
      await ended.wait()
    }
  }
}

@Suite struct FileTests {
  static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) }

  struct Fixture {
    let folder: TemporaryFolder
    let handler: Handler

    init() throws {
      folder = try TemporaryFolder()
      let path = folder.file("book.epub", FileTests.bytes)
      handler = Handler { _ in
        do {
          return .file(try FileBody(path: path), .epub)
        } catch {
          return Response(.notFound)
        }
      }
    }
  }

  @Test func `a file arrives whole, with tag and date`() async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let client = try running.connect()
      let answer = try await client.get("/")
      #expect(answer.body == Self.bytes)
      #expect(answer.headers["Content-Type"] == "application/epub+zip")
      #expect(answer.headers["Accept-Ranges"] == "bytes")
      #expect(EntityTag(parsing: answer.headers["ETag"] ?? "") != nil)
      #expect(HTTPDate(answer.headers["Last-Modified"] ?? "") != nil)
      #expect(try await client.get("/").body == Self.bytes)
    }
  }

  /// Far more than the kernels of both sides take.
  @Test func `a file arrives whole at a client that reads later than the kernel can send`()
    async throws
  {
    let bytes = (0..<24 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) }
    let folder = try TemporaryFolder()
    let path = folder.file("book.epub", bytes)
    let handler = Handler.immediate { request in
      request.path.isEmpty
        ? (try? .file(FileBody(path: path), .epub)) ?? Response(.notFound) : .text("here")
    }
    try await RunningServer.run(handler) { running in
      let client = try RawClient(running.address, receiveBuffer: 4096)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      // The loop that answers this has filled the other connection before.
      #expect(try await running.connect().get("/other").text == "here")
      client.openWide()
      #expect(try await client.answer().body == bytes)
      #expect(try await client.get("/other").text == "here")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let field: String
    let part: Range<Int>
    var testDescription: String { field }
  }

  @Test(arguments: [
    Row(field: "bytes=0-0", part: 0..<1), Row(field: "bytes=100-199", part: 100..<200),
    Row(field: "bytes=199999-", part: 199_999..<200_000),
    Row(field: "bytes=-5", part: 199_995..<200_000),
    Row(field: "bytes=150000-", part: 150_000..<200_000),
  ])
  func `a part is exactly that part`(row: Row) async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let client = try running.connect()
      for _ in 0..<2 {
        let answer = try await client.get("/", "Range: \(row.field)")
        #expect(answer.status == 206)
        #expect(
          answer.headers["Content-Range"]
            == "bytes \(row.part.lowerBound)-\(row.part.upperBound - 1)/200000")
        #expect(answer.body == Array(Self.bytes[row.part]))
      }
    }
  }

  @Test func `several parts come as multipart`() async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let client = try running.connect()
      let answer = try await client.get("/", "Range: bytes=0-4,100000-100009")
      #expect(answer.status == 206)
      let type = try #require(MediaType(parsing: answer.headers["Content-Type"] ?? ""))
      #expect(type.essence == "multipart/byteranges")
      let boundary = try #require(type["boundary"])
      let head = "Content-Type: application/epub+zip\r\nContent-Range: bytes "
      var expected = Array("--\(boundary)\r\n\(head)0-4/200000\r\n\r\n".utf8)
      expected += Self.bytes[0..<5]
      expected += Array("\r\n--\(boundary)\r\n\(head)100000-100009/200000\r\n\r\n".utf8)
      expected += Self.bytes[100_000..<100_010]
      expected += Array("\r\n--\(boundary)--\r\n".utf8)
      #expect(answer.body == expected)
      #expect(try await client.get("/").status == 200)
    }
  }

  @Test func `a range behind the end is refused with the length`() async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let answer = try await running.connect().get("/", "Range: bytes=200000-")
      #expect(answer.status == 416)
      #expect(answer.headers["Content-Range"] == "bytes */200000")
    }
  }

  @Test func `If-Range gives the whole file when it has changed`() async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let client = try running.connect()
      let tag = try #require(try await client.get("/").headers["ETag"])
      let same = try await client.get("/", "Range: bytes=0-9", "If-Range: \(tag)")
      #expect(same.status == 206)
      let other = try await client.get("/", "Range: bytes=0-9", "If-Range: \"old\"")
      #expect(other.status == 200)
      #expect(other.body.count == 200_000)
    }
  }

  @Test func `an unchanged file is not sent again`() async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let client = try running.connect()
      let first = try await client.get("/")
      let tag = try #require(first.headers["ETag"])
      let date = try #require(first.headers["Last-Modified"])
      let byTag = try await client.get("/", "If-None-Match: \(tag)")
      #expect(byTag.status == 304)
      #expect(byTag.headers["ETag"] == tag)
      #expect(byTag.headers["Content-Length"] == nil)
      #expect(try await client.get("/", "If-Modified-Since: \(date)").status == 304)
      #expect(try await client.get("/", "If-Match: \"old\"").status == 412)
    }
  }

  @Test func `the head of a part is the head of the whole`() async throws {
    let fixture = try Fixture()
    try await RunningServer.run(fixture.handler) { running in
      let client = try running.connect()
      try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-1\r\n\r\n")
      let answer = try await client.answer(toHead: true)
      #expect(answer.status == 200)
      #expect(answer.headers["Content-Length"] == "200000")
    }
  }

  @Test func `an empty file is a body of no bytes`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("empty", [])
    let handler = Handler { _ in
      (try? FileBody(path: path)).map { .file($0, .bytes) } ?? Response(.notFound)
    }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      #expect(try await client.get("/").headers["Content-Length"] == "0")
      #expect(try await client.get("/", "Range: bytes=0-").status == 416)
    }
  }

  @Test func `only files are files`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileBody.Failure.notFound) { try FileBody(path: folder.path + "/none") }
    #expect(throws: FileBody.Failure.notAFile) { try FileBody(path: folder.path) }
  }
}

@Suite struct CachedBodyTests {
  static let page = Array(
    (0..<2000).map { "<p>Volume \($0)</p>" }.joined().utf8)

  static func cached() -> CachedBody {
    CachedBody(
      page, .html, lastModified: HTTPDate(seconds: 784_111_777),
      headers: ["Cache-Control": "max-age=60"])
  }

  @Test func `a page is sent as it was prepared`() async throws {
    let body = Self.cached()
    try await RunningServer.run(.immediate { _ in .cached(body) }) { running in
      let client = try running.connect()
      for _ in 0..<3 {
        let answer = try await client.get("/")
        #expect(answer.body == Self.page)
        #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(answer.headers["Vary"] == "Accept-Encoding")
        #expect(answer.headers["Cache-Control"] == "max-age=60")
        #expect(answer.headers["ETag"] == body.etag.description)
        #expect(answer.headers["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(answer.headers["Content-Encoding"] == nil)
        #expect(answer.headers.all("Content-Length").count == 1)
        #expect(answer.headers.all("Date").count == 1)
      }
    }
  }

  @Test(arguments: ["Range: bytes=0-999999", "Host: test"])
  func `what a response adds never doubles a prepared field`(field: String) async throws {
    let body = Self.cached()
    let handler = Handler.immediate { _ in
      var response = Response.cached(body)
      for name in ["Cache-Control", "Content-Length", "ETag", "Content-Type", "Date", "X-Own"] {
        response.headers.add(name, "5")
      }
      response.headers.add("Vary", "Cookie")
      return response
    }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      let answer = try await client.ask(
        "GET / HTTP/1.1\r\n\(field)\r\n" + (field.hasPrefix("Host") ? "" : "Host: a\r\n") + "\r\n")
      #expect(answer.headers.all("Cache-Control") == ["max-age=60"])
      #expect(answer.headers.all("ETag") == [body.etag.description])
      #expect(answer.headers.all("Content-Length") == [String(Self.page.count)])
      #expect(answer.headers.all("Content-Type").count == 1)
      #expect(answer.headers.all("Date").count == 1)
      #expect(answer.headers.all("Vary") == ["Accept-Encoding", "Cookie"])
      #expect(answer.headers["X-Own"] == "5")
    }
  }

  @Test func `gzip is sent to whoever can undo it`() async throws {
    let body = Self.cached()
    try await RunningServer.run(.immediate { _ in .cached(body) }, loops: 2) { running in
      var tags: Set<String> = []
      for _ in 0..<8 {
        let answer = try await running.connect().get("/", "Accept-Encoding: br, gzip")
        #expect(answer.headers["Content-Encoding"] == "gzip")
        #expect(answer.headers["Vary"] == "Accept-Encoding")
        #expect(answer.body.count < Self.page.count / 4)
        #expect(try Inflater.inflate(answer.body, as: .gzip, limit: 1 << 20) == Self.page)
        tags.insert(answer.headers["ETag"] ?? "")
      }
      #expect(tags.count == 1)
      #expect(!tags.contains(body.etag.description))
    }
  }

  @Test(arguments: ["identity", "gzip;q=0", "identity, gzip;q=0.5", "br"])
  func `plain bytes are sent to whoever asks for them`(field: String) async throws {
    let body = Self.cached()
    try await RunningServer.run(.immediate { _ in .cached(body) }) { running in
      let answer = try await running.connect().get("/", "Accept-Encoding: \(field)")
      #expect(answer.headers["Content-Encoding"] == nil)
      #expect(answer.body == Self.page)
    }
  }

  @Test func `whoever rules out everything gets nothing`() throws {
    let request = try Request(headers: ["Accept-Encoding": "*;q=0"])
    #expect(Response.cached(Self.cached()).reply(to: request).status == .notAcceptable)
  }

  @Test func `the tag of either form is honored`() async throws {
    let body = Self.cached()
    try await RunningServer.run(.immediate { _ in .cached(body) }) { running in
      let client = try running.connect()
      let zipped = try #require(
        try await client.get("/", "Accept-Encoding: gzip").headers["ETag"])
      let again = try await client.get(
        "/", "Accept-Encoding: gzip", "If-None-Match: \(zipped)")
      #expect(again.status == 304)
      #expect(again.headers["ETag"] == zipped)
      #expect(again.headers["Vary"] == "Accept-Encoding")
      #expect(again.headers["Cache-Control"] == "max-age=60")
      #expect(try await client.get("/", "If-None-Match: \(body.etag)").status == 304)
      #expect(try await client.get("/", "If-None-Match: W/\(body.etag)").status == 304)
      #expect(try await client.get("/", "If-None-Match: \(zipped)").status == 200)
    }
  }

  @Test func `a part is taken from the plain bytes`() async throws {
    let body = Self.cached()
    try await RunningServer.run(.immediate { _ in .cached(body) }) { running in
      let answer = try await running.connect().get(
        "/", "Accept-Encoding: gzip", "Range: bytes=3-8")
      #expect(answer.status == 206)
      #expect(answer.headers["Content-Encoding"] == nil)
      #expect(answer.body == Array(Self.page[3...8]))
    }
  }

  @Test func `a picture is not compressed again`() throws {
    let body = CachedBody(Self.page, .jpeg)
    let request = try Request(headers: ["Accept-Encoding": "gzip"])
    let reply = Response.cached(body).reply(to: request)
    #expect(reply.headers["Content-Encoding"] == nil)
    #expect(reply.headers["Vary"] == nil)
  }

  @Test func `equal pages have equal tags`() {
    #expect(Self.cached().etag == Self.cached().etag)
    #expect(CachedBody([1], .bytes).etag != CachedBody([2], .bytes).etag)
  }

  @Test func `a head alone is answered from the cache`() async throws {
    let body = Self.cached()
    try await RunningServer.run(.immediate { _ in .cached(body) }) { running in
      let client = try running.connect()
      try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try await client.answer(toHead: true)
      #expect(answer.headers["Content-Length"] == String(Self.page.count))
      #expect(answer.headers["ETag"] == body.etag.description)
      #expect(try await client.get("/").body == Self.page)
    }
  }
}
