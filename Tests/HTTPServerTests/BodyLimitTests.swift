import HTTP
import HTTPServer
import Testing

@Suite struct BodyLimitTests {
  static var routes: Handler {
    var router = Router<Void>()
    router.on(.get, .post, at: Path.root / "form", note: ()) { .text("\($0.body.count)") }
    router.on(.put, at: Path.root / "entry", note: (), body: .document) {
      .text("\($0.body.count)")
    }
    router.on(.post, at: Path.root / "photo", note: (), body: .upload) {
      .text("\($0.body.count)")
    }
    return router.handler.wrapped(in: [.requestID])
  }

  static func head(_ start: String, _ length: Int, _ fields: String = "") -> String {
    "\(start) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(fields)"
      + "Expect: 100-continue\r\n\r\n"
  }

  @Test(arguments: [
    ("POST /nowhere", 4097, 413), ("GET /form", 4097, 413), ("PUT /form", 4097, 413),
    ("OPTIONS *", 4097, 413), ("POST /form", 65_537, 413), ("PUT /entry", 1_114_113, 413),
    ("POST /photo", 16_777_217, 413), ("POST /nowhere", 4096, 100), ("POST /form", 65_536, 100),
    ("PUT /entry", 1_114_112, 100), ("POST /photo", 16_777_216, 100),
  ])
  func `a body is refused before its first byte when its route wants none as large`(
    start: String, length: Int, status: Int
  ) async throws {
    try await RunningServer.run(Self.routes) { running in
      let answer = try await running.connect().ask(Self.head(start, length))
      #expect(answer.status == status)
    }
  }

  @Test func `a body without a length is refused when it passes its route's limit`() async throws {
    try await RunningServer.run(Self.routes) { running in
      let client = try running.connect()
      let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
      let answer = try await client.ask(
        "POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)1\r\nx\r\n")
      #expect(answer.status == 413)
      #expect(try await client.isClosed())
    }
  }

  @Test func `an upload has its room before it is sent, and each client its share`() async throws {
    try await RunningServer.run(Self.routes) {
      $0.limits.uploadsInFlight = 400_000
      $0.limits.uploadsPerClient = 200_000
      $0.proxies.trusted = [IPNetwork("127.0.0.1")].compactMap(\.self)
    } _: { running in
      func from(_ client: Int, _ length: Int = 150_000) -> String {
        Self.head("POST /photo", length, "X-Forwarded-For: 203.0.113.\(client)\r\n")
      }
      let first = try running.connect()
      #expect(try await first.ask(from(1)).status == 100)
      let second = try await running.connect().ask(from(1))
      #expect(second.status == 503)
      #expect(second.headers["Retry-After"] == "2")
      let other = try running.connect()
      #expect(try await other.ask(from(2)).status == 100)
      #expect(try await running.connect().ask(from(3)).status == 503)
      // Small bodies need no room of that kind.
      let small = "POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
      #expect(try await running.connect().ask(small).text == "1")
      // What is answered makes room.
      try await first.send([UInt8](repeating: 1, count: 150_000))
      #expect(try await first.answer().text == "150000")
      #expect(try await first.ask(from(3)).status == 100)
    }
  }

  @Test func `an upload that is larger than a share is taken when it is the only one`() async throws
  {
    try await RunningServer.run(Self.routes) {
      ($0.limits.uploadsInFlight, $0.limits.uploadsPerClient) = (100_000, 50_000)
    } _: { running in
      let client = try running.connect()
      let body = [UInt8](repeating: 1, count: 1 << 20)
      #expect(try await client.ask(Self.head("POST /photo", body.count)).status == 100)
      try await client.send(body)
      #expect(try await client.answer().text == "\(body.count)")
    }
  }

  @Test func `an upload that comes too slowly is ended, and its room is free`() async throws {
    try await RunningServer.run(Self.routes) {
      $0.timeouts.upload = .milliseconds(100)
      $0.limits.uploadsInFlight = 100_000
    } _: { running in
      let slow = try running.connect()
      #expect(try await slow.ask(Self.head("POST /photo", 90_000)).status == 100)
      try await slow.send("x")
      #expect(try await slow.answer().status == 408)
      #expect(try await running.connect().ask(Self.head("POST /photo", 90_000)).status == 100)
    }
  }
}
