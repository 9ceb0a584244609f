import HTTP
import HTTPClient
import TestSupport
import Testing

/// The limits here are short, and what they cut off would last for ever: a test that fails hangs
/// for the suite's watchdog, one that passes waits for nothing but its limit.
@Suite(.timeLimit(.minutes(2))) struct `Time runs out in every phase` {
  @Test func `the HTTP client stops waiting for a silent server at the deadline`() async throws {
    let signals = Signals<String>()
    let server = try RawServer { connection in
      _ = connection.request()
      connection.waitForClose()
      signals.send("closed")
    }
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url())
    request.deadline = .at(.now + .seconds(1))
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .deadlineExceeded(.waiting))
    #expect(await signals.next() == "closed")
  }

  @Test func `an HTTP request with a past deadline opens no connection`() async throws {
    let server = try RawServer { $0.waitForClose() }
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url())
    request.deadline = .at(.now)
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .deadlineExceeded(.resolving))
    #expect(error?.mayHaveArrived == false)
    #expect(server.accepted == 0)
  }

  @Test func `the deadline of an HTTP request covers all its redirects together`() async throws {
    let server = try RawServer { connection in
      while let request = connection.request() {
        guard request.target.utf8.count < 4 else { return connection.waitForClose() }
        connection.answer("302 Found", ["Location: \(request.target)x"])
      }
    }
    defer { server.stop() }
    let client = try Client.local { $0.timeout = .seconds(1) }
    let request = try Request.get(server.url())
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .deadlineExceeded = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `the HTTP client gives up on a server that stalls in the body`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      connection.waitForClose()
    }
    defer { server.stop() }
    let client = try Client.local { $0.pace = .init(bytes: 1, per: .milliseconds(150)) }
    var request = try Request.get(server.url())
    request.deadline = .never
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .timedOut(.receiving))
  }

  @Test func `the HTTP client gives up on a server that sends too slowly`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
      while connection.write("x") { busyWait(.milliseconds(5)) }
    }
    defer { server.stop() }
    let client = try Client.local { $0.pace = .init(bytes: 100_000, per: .milliseconds(200)) }
    var request = try Request.get(server.url())
    request.deadline = .never
    request.limits.body = 200_000_000
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .timedOut(.receiving))
  }

  @Test func `the HTTP client gives up on a server that does not read the body`() async throws {
    let server = try RawServer { connection in
      _ = connection.line()
      busyWait(.seconds(20), unless: { connection.isClosedByPeer })
    }
    defer { server.stop() }
    let client = try Client.local { $0.pace = .init(bytes: 1, per: .milliseconds(200)) }
    let body = [UInt8](repeating: 1, count: 64 << 20)
    let request = Request(.put, try Address(server.url()), body: .bytes(body), deadline: .never)
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .timedOut(.sending))
  }

  @Test func `the HTTP client times out in an endless TLS handshake`() async throws {
    let server = try RawServer { $0.waitForClose() }
    defer { server.stop() }
    let client = try Client.local { $0.connectTimeout = .milliseconds(200) }
    let request = try Request.get("https://127.0.0.1:\(server.port)/")
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .timedOut(.securing))
    #expect(error?.mayHaveArrived == false)
  }

  @Test func `a stalled host does not delay HTTP requests to another host`() async throws {
    let signals = Signals<String>()
    let stalled = try RawServer { connection in
      _ = connection.request()
      signals.send("stalled")
      connection.waitForClose()
    }
    let server = try RawServer { connection in
      while connection.request() != nil { connection.answer() }
    }
    defer {
      stalled.stop()
      server.stop()
    }
    let client = try Client.local { $0.connectionsPerHost = 2 }
    let request = try Request.get(stalled.url())
    let waiting = (0..<20).map { _ in Task { try? await client.send(request) } }
    #expect(await signals.next() == "stalled")
    for _ in 0..<50 {
      #expect(try await client.send(.get(server.url())).status == .ok)
    }
    #expect(stalled.accepted <= 2)
    for task in waiting { task.cancel() }
    for task in waiting { #expect(await task.value == nil) }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A cancelled task breaks its transfer off` {
  enum Stage: String, Sendable, CaseIterable { case waiting, receiving, securing }

  @Test(arguments: Stage.allCases)
  func `A cancelled task breaks its transfer off and the server sees the connection close`(
    _ stage: Stage
  ) async throws {
    let signals = Signals<String>()
    let server = try RawServer { connection in
      if stage != .securing { _ = connection.request() }
      if stage == .receiving {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      }
      signals.send("reached")
      connection.waitForClose()
      signals.send("closed")
    }
    defer { server.stop() }
    let client = try Client.local()
    let scheme = stage == .securing ? "https" : "http"
    let request = try Request.get("\(scheme)://127.0.0.1:\(server.port)/")
    let task = Task {
      await failure { () async throws(TransportError) in try await client.send(request) }
    }
    #expect(await signals.next() == "reached")
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(await signals.next() == "closed")
  }

  @Test
  func `an HTTP request that is canceled before it begins opens no connection`() async throws {
    let server = try RawServer { $0.waitForClose() }
    defer { server.stop() }
    let client = try Client.local()
    let request = try Request.get(server.url())
    let start = Signals<Void>()
    let task = Task {
      _ = await start.next()
      return await failure { () async throws(TransportError) in try await client.send(request) }
    }
    task.cancel()
    start.send(())
    #expect(await task.value == .cancelled)
    #expect(server.accepted == 0)
  }

  @Test func `an HTTP request that waits for a free connection can be canceled`() async throws {
    let signals = Signals<String>()
    let server = try RawServer { connection in
      _ = connection.request()
      signals.send("reached")
      connection.waitForClose()
    }
    defer { server.stop() }
    let client = try Client.local { $0.connectionsPerHost = 1 }
    let request = try Request.get(server.url())
    let first = Task {
      await failure { () async throws(TransportError) in try await client.send(request) }
    }
    #expect(await signals.next() == "reached")
    let second = Task {
      await failure { () async throws(TransportError) in try await client.send(request) }
    }
    second.cancel()
    #expect(await second.value == .cancelled)
    var third = request
    third.deadline = .at(.now + .milliseconds(100))
    let queued = third
    let late = await failure { () async throws(TransportError) in try await client.send(queued) }
    #expect(late == .deadlineExceeded(.resolving))
    first.cancel()
    #expect(await first.value == .cancelled)
    #expect(server.accepted == 1)
  }
}
