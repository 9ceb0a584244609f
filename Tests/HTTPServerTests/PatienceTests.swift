import HTTP
import HTTPServer
import Testing

/// Time-outs and caps. The configured times are short; the tests only wait for the server to act.
@Suite struct PatienceTests {
  @Test func `a head that does not end is given up with 408`() async throws {
    try await RunningServer.run(.echo) {
      $0.timeouts.head = .milliseconds(100)
    } _: { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\nHost:")
      #expect(try await client.answer().status == 408)
      #expect(try await client.isClosed())
    }
  }

  @Test func `bytes that trickle do not stretch the time for a head`() async throws {
    try await RunningServer.run(.echo) {
      $0.timeouts.head = .milliseconds(300)
    } _: { running in
      let client = try running.connect()
      try await client.send("GET / HTTP/1.1\r\n")
      let trickle = Task {
        while !Task.isCancelled, client.sendNow(Array("X: y\r\n".utf8)) > 0 {
          // The trickle itself is what is tested; the test waits for the server's answer only.
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      #expect(try await client.answer().status == 408)
      trickle.cancel()
    }
  }

  @Test func `a connection without a byte is closed without a word`() async throws {
    try await RunningServer.run(.echo) {
      $0.timeouts.head = .milliseconds(100)
    } _: { running in
      let isClosed = try await running.connect().isClosed()
      #expect(isClosed)
    }
  }

  @Test func `a body that stops is given up with 408`() async throws {
    try await RunningServer.run(.echo) {
      $0.timeouts.body = .milliseconds(100)
    } _: { running in
      let client = try running.connect()
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
      #expect(try await client.answer().status == 408)
      #expect(try await client.isClosed())
    }
  }

  @Test func `an idle connection is closed`() async throws {
    try await RunningServer.run(.echo) {
      $0.timeouts.idle = .milliseconds(100)
    } _: { running in
      let client = try running.connect()
      #expect(try await client.get("/").status == 200)
      #expect(try await client.isClosed())
    }
  }

  @Test func `a handler without end is answered with 503 and cancelled`() async throws {
    let cancelled = Gate()
    let handler = Handler { _ in
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      return .text("too late")
    }
    try await RunningServer.run(handler) {
      $0.timeouts.request = .milliseconds(100)
    } _: { running in
      let client = try running.connect()
      #expect(try await client.get("/").status == 503)
      await cancelled.wait()
      #expect(try await client.isClosed())
    }
  }

  @Test func `a client that takes nothing is cut off`() async throws {
    let ended = Gate()
    let handler = Handler.immediate { _ in
      .stream(
        StreamBody { writer in
          defer { ended.open() }
          while true { try await writer.write([UInt8](repeating: 1, count: 1 << 20)) }
        }, .bytes)
    }
    try await RunningServer.run(handler) {
      $0.timeouts.write = .milliseconds(200)
    } _: { running in
      let client = try RawClient(running.address, receiveBuffer: 4096)
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await ended.wait()
    }
  }

  @Test func `500 clients that trickle stop nobody else, and are closed`() async throws {
    try await RunningServer.run(.echo, loops: 2) { settings in
      settings.timeouts.head = .seconds(2)
    } _: { running in
      var slow: [RawClient] = []
      for _ in 0..<500 {
        let client = try running.connect()
        #expect(client.sendNow(Array("GET / HTTP/1.1\r\nHost: a\r\nX:".utf8)) > 0)
        slow.append(client)
      }
      let quick = try running.connect()
      for round in 0..<20 {
        for client in slow { _ = client.sendNow([0x61]) }
        #expect(try await quick.get("/\(round)").status == 200)
      }
      for client in slow {
        #expect(try await client.answer().status == 408)
        #expect(try await client.isClosed())
      }
      #expect(try await quick.get("/").status == 200)
    }
  }

  @Test func `one address gets so many connections and no more`() async throws {
    try await RunningServer.run(.echo) { settings in
      settings.limits.connectionsPerAddress = 2
    } _: { running in
      let (one, two) = (try running.connect(), try running.connect())
      #expect(try await one.get("/").status == 200)
      #expect(try await two.get("/").status == 200)
      let three = try running.connect()
      #expect(try await three.answer().status == 429)
      #expect(try await three.isClosed())
      // Who leaves makes room.
      _ = try await one.get("/", "Connection: close")
      #expect(try await one.isClosed())
      while running.server.connections > 1 { await Task.yield() }
      #expect(try await running.connect().get("/").status == 200)
    }
  }

  @Test func `a server where every connection is being answered takes no more`() async throws {
    let (begun, gate) = (Gate(), Gate())
    let handler = Handler { _ in
      begun.open()
      await gate.wait()
      return .text("here")
    }
    try await RunningServer.run(handler, loops: 2) {
      $0.limits.connections = 1
    } _: { running in
      let one = try running.connect()
      try await one.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await begun.wait()
      let two = try running.connect()
      #expect(try await two.answer().status == 503)
      #expect(try await two.isClosed())
      gate.open()
      #expect(try await one.answer().status == 200)
    }
  }

  @Test func `a trusted proxy may hold as many as it needs`() async throws {
    try await RunningServer.run(.echo) { settings in
      settings.limits.connectionsPerAddress = 1
      settings.proxies.trusted = [IPNetwork("127.0.0.0/8")].compactMap(\.self)
    } _: { running in
      let clients = try (0..<5).map { _ in try running.connect() }
      for client in clients {
        let answer = try await client.get("/")
        #expect(answer.status == 200)
      }
    }
  }
}
