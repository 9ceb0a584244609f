import HTTP
import HTTPServer
import Synchronization
import Testing

@Suite struct ExchangeTests {
  @Test func `answers on one connection again and again`() async throws {
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      for number in 0..<5 {
        let answer = try await client.get("/a/\(number)")
        #expect(answer.text == "GET /a/\(number) 0")
        #expect(answer.headers["Connection"] == nil)
        #expect(HTTPDate(answer.headers["Date"] ?? "") != nil)
        #expect(answer.headers["Server"] == nil)
      }
    }
  }

  @Test func `closes when the client asks for it`() async throws {
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      let answer = try await client.get("/", "Connection: close")
      #expect(answer.headers["Connection"] == "close")
      #expect(try await client.isClosed())
    }
  }

  @Test func `an HTTP 1.0 client is closed, unless it keeps alive`() async throws {
    try await RunningServer.run(.echo) { running in
      let plain = try running.connect()
      #expect(try await plain.ask("GET / HTTP/1.0\r\n\r\n").headers["Connection"] == "close")
      #expect(try await plain.isClosed())
      let keeping = try running.connect()
      for _ in 0..<2 {
        let answer = try await keeping.ask("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
        #expect(answer.headers["Connection"] == "keep-alive")
      }
    }
  }

  @Test func `pipelined requests are answered in order`() async throws {
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      try await client.send(
        (0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
      for number in 0..<200 { #expect(try await client.answer().text == "GET /\(number) 0") }
    }
  }

  @Test func `a pipeline whose answers nobody reads is not answered ahead`() async throws {
    let asked = Atomic<Int>(0)
    let handler = Handler.immediate { request in
      if request.path.isEmpty { asked.add(1, ordering: .relaxed) }
      return .bytes([UInt8](repeating: 1, count: 1 << 20), .bytes)
    }
    try await RunningServer.run(handler) { running in
      let client = try RawClient(running.address, receiveBuffer: 4096)
      try await client.send(
        String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 300))
      // The loop has seen all of it when it answers somebody else.
      #expect(try await running.connect().get("/other").status == 200)
      #expect(asked.load(ordering: .relaxed) < 20)
      client.openWide()
      for _ in 0..<300 {
        let answer = try await client.answer()
        #expect(answer.body.count == 1 << 20)
      }
    }
  }

  @Test func `a slow answer holds back the quick ones behind it`() async throws {
    let gate = Gate()
    let handler = Handler(
      bodyLimit: { _ in .none },
      answering: { request in
        request.path == ["slow"]
          ? .later {
            await gate.wait()
            return .text("slow")
          } : .now(.text("quick"))
      })
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send(
        ["slow", "quick", "slow", "quick"].map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
          .joined())
      // Another connection is not held back.
      #expect(try await running.connect().get("/quick").text == "quick")
      gate.open()
      for expected in ["slow", "quick", "slow", "quick"] {
        #expect(try await client.answer().text == expected)
      }
    }
  }

  @Test func `async answers come in order, whichever is ready first`() async throws {
    let first = Gate()
    let handler = Handler { request in
      if request.path == ["1"] { await first.wait() } else { first.open() }
      return .text(request.path.joined())
    }
    try await RunningServer.run(handler) { running in
      let (one, two) = (try running.connect(), try running.connect())
      try await one.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await two.get("/3").text == "3")
      #expect(try await one.answer().text == "1")
      #expect(try await one.answer().text == "2")
    }
  }

  @Test func `requests split at every byte are understood`() async throws {
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      let text =
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n2;e=f\r\nde\r\n0\r\nT: u\r\n\r\n"
      for byte in text.utf8 { try await client.send([byte]) }
      #expect(try await client.answer().text == "POST /x 5")
    }
  }

  @Test func `a head alone has the length and no body`() async throws {
    try await RunningServer.run(.immediate { _ in .text("hello") }) { running in
      let client = try running.connect()
      try await client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try await client.answer(toHead: true)
      #expect(answer.status == 200)
      #expect(answer.headers["Content-Length"] == "5")
      #expect(try await client.get("/").text == "hello")
    }
  }

  @Test func `no content means no length`() async throws {
    try await RunningServer.run(.immediate { _ in Response(.noContent) }) { running in
      let client = try running.connect()
      let answer = try await client.get("/")
      #expect(answer.status == 204)
      #expect(answer.headers["Content-Length"] == nil)
      #expect(try await client.get("/").status == 204)
    }
  }

  @Test func `a line end in a field of ours never reaches the wire`() async throws {
    let handler = Handler.immediate { _ in
      Response(headers: ["X-Title": "a\r\nSet-Cookie: evil=1"], body: .bytes([0x61]))
    }
    try await RunningServer.run(handler) { running in
      let answer = try await running.connect().get("/")
      #expect(answer.status == 500)
      #expect(answer.headers["Set-Cookie"] == nil)
    }
  }

  @Test func `a client that sends no more still gets its answer`() async throws {
    let handler = Handler { _ in .text("late") }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      client.finishSending()
      #expect(try await client.answer().text == "late")
      #expect(try await client.answer().text == "late")
      #expect(try await client.isClosed())
    }
  }

  @Test func `a client that leaves cancels its handler`() async throws {
    let (started, cancelled) = (Gate(), Gate())
    let handler = Handler { request in
      started.open()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      #expect(Task.isCancelled)
      #expect(request.presence.isGone)
      return .text("for nobody")
    }
    try await RunningServer.run(handler) {
      $0.timeouts.halfClosed = .zero
    } _: { running in
      var client: RawClient? = try running.connect()
      try await client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await started.wait()
      client = nil
      await cancelled.wait()
    }
  }

  @Test func `a reset tells the handler at once`() async throws {
    let (started, gone) = (Gate(), Gate())
    let handler = Handler { request in
      request.presence.whenGone { gone.open() }
      started.open()
      await gone.wait()
      return .text("for nobody")
    }
    try await RunningServer.run(handler) {
      $0.timeouts.halfClosed = .seconds(600)
    } _: { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await started.wait()
      client.reset()
      await gone.wait()
    }
  }

  @Test func `every answer and refusal is told to the log`() async throws {
    let records = Mutex<[AccessRecord]>([])
    var router = Router<Void>()
    router.immediate(.get, at: Path.root / "works" / .text("id"), note: ()) { _, id in
      .text(id)
    }
    try await RunningServer.run(router.handler) { settings in
      settings.observe = { record in records.withLock { $0.append(record) } }
    } _: { running in
      let client = try running.connect()
      _ = try await client.get("/works/secret-title")
      _ = try await client.get("/nowhere")
      _ = try await client.ask("nonsense\r\n")
      let seen = records.withLock { $0 }
      #expect(seen.map(\.status.code) == [200, 404, 400])
      #expect(seen[0].route == "/works/{id}")
      #expect(seen[0].bytesSent > 12)
      #expect(seen[0].outcome == .answered)
      #expect(seen[0].client == IPAddress("127.0.0.1"))
      #expect(seen[2].outcome == .refused(.malformed(.requestLine)))
      #expect(seen[2].head == nil)
      #expect(Set(seen.map(\.id)).count == 3)
    }
  }
}
