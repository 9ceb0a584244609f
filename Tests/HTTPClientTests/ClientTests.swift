import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct `A client sends requests and reads replies` {
  @Test func `the HTTP client returns status, repeated headers, body and origin of a reply`()
    async throws
  {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer("203 Fine", ["X-One: a", "x-one:  b ", "Set-Cookie: c=d"], "hello")
    }
    defer { server.stop() }
    let client = try Client.local()
    let reply = try await client.send(.get(server.url("/path?q=1")))
    #expect(reply.status == Status(203))
    #expect(reply.headers.all("X-ONE") == ["a", "b"])
    #expect(reply.body == Array("hello".utf8))
    #expect(reply.address.text == server.url("/path?q=1"))
    #expect(reply.remote == Address.IP("127.0.0.1"))
    #expect(reply.version == .http1)
    #expect(reply.timing.whole > .zero)
    #expect(reply.hops == 0)
  }

  @Test func `the HTTP client sends the request line and headers unchanged`() async throws {
    let seen = Journal<RawConnection.Request>()
    let server = try RawServer { connection in
      while let request = connection.request() {
        seen.append(request)
        connection.answer()
      }
    }
    defer { server.stop() }
    let client = try Client.local { $0.userAgent = "Carrel/1 (+test)" }
    var request = try Request.get(server.url("/a/%2e%2e/b%20c?x=%26#fragment"))
    request.headers = ["X-Empty": "", "X-Text": "grün; a: b"]
    _ = try await client.send(request)
    let got = try #require(seen.all.first)
    #expect(got.line == "GET /a/%2e%2e/b%20c?x=%26 HTTP/1.1")
    #expect(got.header("User-Agent") == "Carrel/1 (+test)")
    #expect(got.header("X-Empty") == "")
    #expect(got.header("X-Text") == "grün; a: b")
    #expect(got.header("Accept-Encoding") == "gzip")
    #expect(got.header("Host") == "127.0.0.1:\(server.port)")
    #expect(got.header("Expect") == nil)
    #expect(got.header("Cookie") == nil)
  }

  struct Upload: Sendable, CustomTestStringConvertible {
    let method: Method
    let body: [UInt8]
    var testDescription: String { "\(method), \(body.count) bytes" }
  }

  @Test(arguments: [
    Upload(method: .post, body: []),
    Upload(method: .post, body: Array("card=1&pin=2".utf8)),
    Upload(method: .put, body: Array(repeating: 7, count: 3_000_000)),
    Upload(method: .patch, body: [0]),
    Upload(method: .delete, body: [1, 2]),
    Upload(method: Method(rawValue: "REPORT"), body: [9]),
  ])
  func `the HTTP client sends a whole body with its length and no content type`(
    _ upload: Upload
  ) async throws {
    let seen = Journal<RawConnection.Request>()
    let server = try RawServer { connection in
      if let request = connection.request() { seen.append(request) }
      connection.answer("201 Created")
    }
    defer { server.stop() }
    let address = try Address(server.url())
    let reply = try await Client.local().send(
      Request(upload.method, address, body: .bytes(upload.body)))
    let got = try #require(seen.all.first)
    #expect(reply.status == .created)
    #expect(got.method == upload.method.rawValue)
    #expect(got.header("Content-Length") == "\(upload.body.count)")
    #expect(got.header("Content-Type") == nil)
    #expect(got.body == upload.body)
  }

  @Test func `the HTTP client streams a file as the request body`() async throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try folder.write(bytes, to: "body")
    let seen = Journal<[UInt8]>()
    let server = try RawServer { connection in
      if let request = connection.request() { seen.append(request.body) }
      connection.answer()
    }
    defer { server.stop() }
    _ = try await Client.local().send(
      Request(.put, Address(server.url()), body: .file(folder.file("body"))))
    #expect(seen.all == [bytes])
  }

  @Test func `the HTTP client refuses a missing file or a folder as a body before it connects`()
    async throws
  {
    let folder = try TemporaryFolder()
    let server = try RawServer { $0.waitForClose() }
    defer { server.stop() }
    let client = try Client.local()
    let address = try Address(server.url())
    let missing = await failure { () async throws(TransportError) in
      try await client.send(Request(.put, address, body: .file(folder.file("none"))))
    }
    #expect(missing == .sending(.errno(2)))
    let directory = await failure { () async throws(TransportError) in
      try await client.send(Request(.put, address, body: .file(folder.path)))
    }
    #expect(directory == .sending(.notRegularFile))
    #expect(server.accepted == 0)
  }

  @Test func `the HTTP client reads a HEAD reply with a length and no body`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
      connection.waitForClose()
    }
    defer { server.stop() }
    let reply = try await Client.local().send(Request(.head, Address(server.url())))
    #expect(reply.headers["Content-Length"] == "99999999999")
    #expect(reply.body.isEmpty)
  }

  @Test func `the HTTP client skips interim replies, joins folded lines and drops trailers`()
    async throws
  {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n")
      connection.write("HTTP/1.1 200 OK\r\nX-Long: one\r\n\t two\r\n")
      connection.write(Array("X-Latin: caf".utf8) + [0xE9])
      connection.write("\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-After: x\r\n\r\n")
    }
    defer { server.stop() }
    let reply = try await Client.local().send(.get(server.url()))
    #expect(reply.status == .ok)
    #expect(reply.headers["Link"] == nil)
    #expect(reply.headers["X-Long"] == "one two")
    #expect(reply.headers["X-Latin"] == "café")
    #expect(reply.headers["X-After"] == nil)
    #expect(reply.body == Array("abc".utf8))
  }

  struct Refused: Sendable {
    let name: String
    let value: String
    let fault: RequestFault
  }

  @Test(arguments: [
    Refused(name: "X", value: "a\r\nY: b", fault: .header(name: "X")),
    Refused(name: "X", value: "a\nY: b", fault: .header(name: "X")),
    Refused(name: "X", value: "a\u{0}", fault: .header(name: "X")),
    Refused(name: "X\r\nY", value: "a", fault: .header(name: "")),
    Refused(name: "X Y", value: "a", fault: .header(name: "")),
    Refused(name: "", value: "a", fault: .header(name: "")),
    Refused(name: "host", value: "evil.example", fault: .reservedHeader(name: "host")),
    Refused(name: "Content-Length", value: "5", fault: .reservedHeader(name: "Content-Length")),
    Refused(
      name: "Transfer-Encoding", value: "chunked",
      fault: .reservedHeader(name: "Transfer-Encoding")),
  ])
  func `the HTTP client refuses a header that would change the framing`(_ row: Refused) async throws
  {
    let client = try Client.local()
    var request = try Request.get("http://127.0.0.1:9/")
    request.headers.add(row.name, row.value)
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .invalidRequest(row.fault))
  }

  @Test(arguments: ["", "GET /\r\nX:", "G ET", "CONNECT"])
  func `the HTTP client refuses a method that is not a token`(_ method: String) async throws {
    let client = try Client.local()
    let request = Request(Method(rawValue: method), try Address("http://127.0.0.1:9/"))
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .invalidRequest(.method))
  }

  @Test(arguments: ["ftp://127.0.0.1/", "file://127.0.0.1/etc/passwd", "smtp://127.0.0.1/"])
  func `A client sends requests and reads replies other protocols are refused`(_ text: String)
    async throws
  {
    let client = try Client.local()
    let request = try Request.get(text)
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .invalidRequest(.scheme))
  }

  @Test func `a stopped HTTP client closes its connections and refuses requests`() async throws {
    let signals = Signals<String>()
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer()
      _ = connection.request()
      signals.send("stalled")
      connection.waitForClose()
      signals.send("closed")
    }
    defer { server.stop() }
    let client = try Client.local()
    _ = try await client.send(.get(server.url()))
    let request = try Request.get(server.url())
    async let stalled = failure { () async throws(TransportError) in try await client.send(request)
    }
    #expect(await signals.next() == "stalled")
    await client.shutdown()
    #expect(await stalled == .stopped)
    #expect(await signals.next() == "closed")
    let after = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(after == .stopped)
  }
}
