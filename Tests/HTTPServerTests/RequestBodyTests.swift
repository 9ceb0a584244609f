import Glibc
import HTTP
import HTTPServer
import Testing

@Suite struct RequestBodyTests {
  static let sum = Handler.immediate { request in
    .text("\(request.body.count) \(request.body.reduce(0) { $0 &+ UInt64($1) })")
  }

  @Test func `a body as large as the cap arrives whole`() async throws {
    try await RunningServer.run(Self.sum) { running in
      let body = [UInt8](repeating: 7, count: 16 << 20)
      let client = try running.connect()
      async let sent: Void = client.send(
        Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
      #expect(try await client.answer().text == "\(body.count) \(body.count * 7)")
      try await sent
      // And the connection goes on.
      #expect(try await client.get("/").text == "0 0")
    }
  }

  @Test func `one byte more is refused before it is sent`() async throws {
    try await RunningServer.run(Self.sum) { running in
      let client = try running.connect()
      let answer = try await client.ask(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \((16 << 20) + 1)\r\n\r\n")
      #expect(answer.status == 413)
      #expect(try await client.isClosed())
    }
  }

  @Test func `a chunked body is refused when it passes the cap`() async throws {
    try await RunningServer.run(Self.sum) {
      $0.limits.body = 1000
    } _: { running in
      let client = try running.connect()
      let chunk = "190\r\n" + String(repeating: "x", count: 400) + "\r\n"
      let answer = try await client.ask(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk
          + chunk)
      #expect(answer.status == 413)
      #expect(try await client.isClosed())
    }
  }

  @Test func `a gigabyte is refused without being kept`() async throws {
    try await RunningServer.run(Self.sum) {
      $0.timeouts.linger = .seconds(60)
    } _: { running in
      // Other tests run beside this one, hence the wide margin.
      let before = residentBytes()
      let client = try running.connect()
      try await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n")
      // The client sends on as if it had not noticed; the answer has to survive that.
      let sent = await elsewhere {
        let block = [UInt8](repeating: 1, count: 1 << 20)
        var sent = 0
        for _ in 0..<1024 {
          let count = client.sendNow(block)
          sent += count
          if count < block.count { break }
        }
        return sent
      }
      #expect(sent == 1 << 30)
      #expect(try await client.answer().status == 413)
      #expect(residentBytes() - before < 512 << 20)
    }
  }

  @Test func `a client that asks first is invited`() async throws {
    try await RunningServer.run(Self.sum) { running in
      let client = try running.connect()
      try await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      #expect(try await client.answer().status == 100)
      try await client.send([1, 2, 3])
      #expect(try await client.answer().text == "3 6")
    }
  }

  @Test func `a client that asks first is refused before it sends`() async throws {
    try await RunningServer.run(Self.sum) { running in
      let client = try running.connect()
      let answer = try await client.ask(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
      #expect(answer.status == 413)
    }
  }

  @Test func `a body that is there already needs no invitation`() async throws {
    try await RunningServer.run(Self.sum) { running in
      let answer = try await running.connect().ask(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n\u{5}")
      #expect(answer.text == "1 5")
    }
  }

  @Test func `all bodies together have a cap`() async throws {
    try await RunningServer.run(Self.sum) {
      $0.limits.bodiesInFlight = 1000
    } _: { running in
      let (one, two) = (try running.connect(), try running.connect())
      let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 800\r\n\r\n"
      try await one.send(post + String(repeating: "a", count: 799))
      // Answered only after the bytes of the first have been counted.
      #expect(try await running.connect().get("/").status == 200)
      let refused = try await two.ask(post + String(repeating: "a", count: 800))
      #expect(refused.status == 503)
      try await one.send("a")
      #expect(try await one.answer().status == 200)
      let again = try await running.connect().ask(post + String(repeating: "a", count: 800))
      #expect(again.status == 200)
    }
  }
}

private func residentBytes() -> Int {
  guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
  defer { unsafe fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  unsafe fgets(&line, 128, file)
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * sysconf(Int32(_SC_PAGESIZE))
}
