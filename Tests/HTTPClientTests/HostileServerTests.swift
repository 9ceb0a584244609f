import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct `Whatever a server says, the answer is one typed error` {
  enum Expected: Sendable {
    case malformed
    case lost
    case tooLarge(SizeLimit)

    func matches(_ error: TransportError?) -> Bool {
      switch (self, error) {
      case (.malformed, .malformedReply), (.lost, .connectionLost): true
      case (.tooLarge(let limit), .tooLarge(let got)): limit == got
      default: false
      }
    }
  }

  struct Speech: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let expected: Expected

    init(_ name: String, _ text: String, _ expected: Expected) {
      self.init(name, Array(text.utf8), expected)
    }

    init(_ name: String, _ bytes: [UInt8], _ expected: Expected) {
      (testDescription, self.bytes, self.expected) = (name, bytes, expected)
    }
  }

  /// The limits of these requests: 1000 bytes of body, 2000 of headers, 20 headers.
  @Test(arguments: [
    Speech("nothing", "", .lost),
    Speech("garbage", "\u{1}\u{2}\u{3}garbage\r\n\r\n", .malformed),
    Speech("another protocol", "220 smtp.example ESMTP\r\n", .malformed),
    Speech("half a status line", "HTTP/1.", .lost),
    Speech("half the headers", "HTTP/1.1 200 OK\r\nX: y\r\n", .lost),
    Speech("a status of letters", "HTTP/1.1 abc\r\n\r\n", .malformed),
    Speech("a status beyond all", "HTTP/1.1 99999 X\r\n\r\n", .malformed),
    Speech("an unknown version", "HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n", .malformed),
    Speech("a change of protocol", "HTTP/1.1 101 Go\r\nUpgrade: h2c\r\n\r\n", .malformed),
    Speech("a cut body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .lost),
    Speech("a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx", .malformed),
    Speech(
      "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      .malformed),
    Speech(
      "a bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n",
      .lost),
    Speech(
      "a cut chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nab", .lost),
    Speech(
      "a zero byte in a header", "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 0\r\n\r\n",
      .malformed),
    Speech(
      "a header without colon", "HTTP/1.1 200 OK\r\nhello\r\nContent-Length: 0\r\n\r\n",
      .malformed),
    Speech(
      "broken gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
      .malformed),
    Speech(
      "an unknown encoding",
      "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5\r\n\r\nhello", .malformed),
    Speech(
      "too long a body, announced", "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
      .tooLarge(.body(most: 1000))),
    Speech(
      "a length beyond all numbers",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      .tooLarge(.body(most: 1000))),
    Speech(
      "too long a body, without length",
      "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1001),
      .tooLarge(.body(most: 1000))),
    Speech(
      "too long a body, in chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(repeating: "64\r\n\(String(repeating: "x", count: 100))\r\n", count: 11),
      .tooLarge(.body(most: 1000))),
    Speech(
      "too many headers",
      "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 21) + "\r\n",
      .tooLarge(.headerCount(most: 20))),
    Speech(
      "too long headers",
      "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 2000))\r\n\r\n",
      .tooLarge(.headerBytes(most: 2000))),
    Speech(
      "one header line of megabytes",
      "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 2_000_000))",
      .tooLarge(.headerBytes(most: 2000))),
    Speech(
      "interim answers without end",
      String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 10_000),
      .tooLarge(.headerBytes(most: 2000))),
    Speech(
      "trailers without end",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        + String(repeating: "A: b\r\n", count: 10_000),
      .tooLarge(.headerBytes(most: 2000))),
  ])
  func `Whatever a server says, the answer is one typed error: and the client lives on`(
    _ speech: Speech
  ) async throws {
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      guard request.target != "/after" else {
        connection.answer("200 OK", [], "fine")
        return
      }
      connection.write(speech.bytes)
    }
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url())
    request.limits = .init(body: 1000, headerBytes: 2000, headerCount: 20)
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(speech.expected.matches(error), "\(String(describing: error))")
    let after = try await client.send(.get(server.url("/after")))
    #expect(after.body == Array("fine".utf8))
  }

  @Test func `the HTTP client stops at its limit of header lines`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\n")
      while connection.write("X-More: and more\r\n") {}
    }
    defer { server.stop() }
    let client = try Client.local()
    let request = try Request.get(server.url())
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .tooLarge(.headerCount(most: 200)))
  }

  @Test func `the HTTP client stops a gzip bomb at its body limit`() async throws {
    // Ten megabytes of zeros in ten kilobytes; gzip by the tool, so that no code of ours makes it.
    let folder = try TemporaryFolder()
    try folder.write([UInt8](repeating: 0, count: 10 << 20), to: "zeros")
    try run("gzip", "-9", folder.file("zeros"))
    let bomb = try #require(folder.read("zeros.gz"))
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer("200 OK", ["Content-Encoding: gzip"], bomb)
    }
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url())
    request.limits.body = 1 << 20
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .tooLarge(.body(most: 1 << 20)))
    request.limits.body = 10 << 20
    let whole = try await client.send(request)
    #expect(whole.body.count == 10 << 20)
    #expect(whole.headers["Content-Encoding"] == "gzip")
  }

  @Test func `the HTTP client reports a reset as a lost connection`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      connection.resetOnClose()
    }
    defer { server.stop() }
    let client = try Client.local()
    let request = try Request.get(server.url())
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .connectionLost(let phase, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(phase == .receiving)
    #expect(error?.mayHaveArrived == true)
  }

  @Test func `the HTTP client reports a closed port as a failed connection`() async throws {
    let server = try RawServer { _ in }
    let url = server.url()
    server.stop()
    let client = try Client.local()
    let request = try Request.get(url)
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .cannotConnect(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == 7)
    #expect(error?.mayHaveArrived == false)
  }

  @Test func `no HTTP client error shows a query, a header or a body`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write(
        "HTTP/1.1 200 marker-secret\r\nX: marker-secret\r\nbroken marker-secret\r\n\r\n")
    }
    defer { server.stop() }
    let client = try Client.local()
    let urls = [
      server.url("/?token=marker-secret"), "http://10.0.0.1/?token=marker-secret",
      "http://127.0.0.1:1/?marker-secret", "http://nowhere.invalid/?marker-secret",
    ]
    for url in urls {
      var request = Request(.post, try Address(url), body: .bytes(Array("marker-secret".utf8)))
      request.headers = ["Authorization": "marker-secret"]
      let error = await failure { () async throws(TransportError) in
        try await client.send(request)
      }
      #expect(error != nil)
      #expect(!String(reflecting: error).contains("marker-secret"))
    }
  }
}
