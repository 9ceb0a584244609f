import HTTP
import HTTPClient
import Lines
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct `Lines are asked and answered` {
  @Test func `an answer on a line connection ends at any line end, and blank lines are skipped`()
    async throws
  {
    let server = try RawServer { line in
      line.write("\r\n\u{0}\n  one\rtwo\r\n\r\n")
      line.write("thr")
      line.write("ee\n")
      _ = line.line()
    }
    defer { server.stop() }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    #expect(text(try await line.next(by: .now + soon)) == "  one")
    #expect(text(try await line.next(by: .now + soon)) == "two")
    #expect(text(try await line.next(by: .now + soon)) == "three")
    await client.shutdown()
  }

  @Test
  func `forty line connections on one thread talk with a server at the same time`() async throws {
    let server = try LineServer { line in
      while let asked = try? await line.next(by: .now + .seconds(30)) {
        guard (try? await line.send(asked + [0x0D], by: .now + soon)) != nil else { return }
      }
    }
    let client = client()
    let place = try here(server.port)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          guard let line = try? await client.connect(to: place, by: .now + soon) else {
            return false
          }
          for round in 0..<20 {
            let question = "\(number) \(round)"
            let answer = try? await line.ask(Array("\(question)\r".utf8), by: .now + soon)
            guard let answer, text(answer) == question else { return false }
          }
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    await client.shutdown()
    await server.stop()
  }

  @Test func `a line request without an answer times out while others are answered`()
    async throws
  {
    let server = try LineServer { line in
      while let asked = try? await line.next(by: .now + .seconds(30)) {
        if text(asked) == "sleep" { continue }
        try? await line.send(asked + [0x0D], by: .now + soon)
      }
    }
    let client = client()
    let place = try here(server.port)
    let slow = try await client.connect(to: place, by: .now + soon)
    let quick = try await client.connect(to: place, by: .now + soon)
    async let silence = failure { () async throws(LineError) in
      _ = try await slow.ask(Array("sleep\r".utf8), by: .now + .milliseconds(400))
    }
    for _ in 0..<20 {
      #expect(text(try await quick.ask(Array("hey\r".utf8), by: .now + soon)) == "hey")
    }
    let error = await silence
    #expect(error == .timedOut(.asked))
    #expect(error?.mayHaveArrived == true)
    await client.shutdown()
    await server.stop()
  }

  @Test
  func `a line connection that ends in the middle of an answer is reported as closed`() async throws
  {
    let server = try RawServer { line in
      line.write("half of")
    }
    defer { server.stop() }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    let error = await failure { () async throws(LineError) in
      _ = try await line.next(by: .now + soon)
    }
    #expect(
      error.map { [.closed(.answering), .closed(.unsent), .closed(.asked)].contains($0) } == true)
    await client.shutdown()
  }

  @Test
  func `an answer on a line connection is refused at 64 kilobytes without a line end`() async throws
  {
    let server = try RawServer { line in
      // Not before somebody waits for it.
      _ = line.line()
      while line.write(String(repeating: "x", count: 16 << 10)) {}
    }
    defer { server.stop() }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    let error = await failure { () async throws(LineError) in
      _ = try await line.ask(Array("go\r\n".utf8), by: .now + soon)
    }
    #expect(error == .tooLong(most: 65_536))
    await client.shutdown()
  }

  @Test func `an unexpected answer on a line connection prevents the next request`() async throws {
    let server = try LineServer { line in
      let asked = (try? await line.next(by: .now + soon)) ?? []
      // Two answers at once; the second is nobody's.
      try? await line.send(asked + [0x0D] + asked + [0x0D], by: .now + soon)
      _ = try? await line.next(by: .now + soon)
    }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    #expect(text(try await line.ask(Array("first\r".utf8), by: .now + soon)) == "first")
    let error = await failure { () async throws(LineError) in
      _ = try await line.ask(Array("second\r".utf8), by: .now + soon)
    }
    #expect(error == .unasked)
    #expect(error?.mayHaveArrived == false)
    await client.shutdown()
    await server.stop()
  }

  @Test func `a canceled task leaves its line connection at once`() async throws {
    let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
    let server = try LineServer { line in
      _ = try? await line.next(by: .now + .seconds(30))
      hearing.yield()
      _ = try? await line.next(by: .now + .seconds(30))
    }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    let task = Task { () -> LineError? in
      await failure { () async throws(LineError) in
        _ = try await line.ask(Array("hey\r".utf8), by: .now + .seconds(30))
      }
    }
    for await _ in heard { break }
    let began = ContinuousClock.now
    task.cancel()
    let error = await task.value
    #expect(error == .cancelled(.asked))
    #expect(began.duration(to: .now) < .seconds(2))
    await client.shutdown()
    await server.stop()
  }

  @Test
  func `shutting down the line client fails open requests and refuses new ones`() async throws {
    let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
    let server = try LineServer { line in
      _ = try? await line.next(by: .now + .seconds(30))
      hearing.yield()
      _ = try? await line.next(by: .now + .seconds(30))
    }
    let client = client()
    let place = try here(server.port)
    let line = try await client.connect(to: place, by: .now + soon)
    async let waiting = failure { () async throws(LineError) in
      _ = try await line.ask(Array("hey\r".utf8), by: .now + .seconds(30))
    }
    for await _ in heard { break }
    await client.shutdown()
    let first = await waiting
    #expect(first == .stopped(.asked) || first == .closed(.asked))
    let late = await failure { () async throws(LineError) in
      _ = try await client.connect(to: place, by: .now + soon)
    }
    #expect(late == .stopped(.connecting))
    await server.stop()
  }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct `Lines lead only where they may` {
  @Test
  func `the line client's address gate checks numeric addresses and resolved names`() async throws {
    let server = try LineServer { _ in }
    let strict = client { $0.gate = AddressGate() }
    let place = try here(server.port)
    let number = await failure { () async throws(LineError) in
      _ = try await strict.connect(to: place, by: .now + soon)
    }
    #expect(number == .refusedAddress(Refusal("127.0.0.1", .loopback)))
    let pinned = client {
      $0.gate = AddressGate()
      $0.pinnedHosts = ["ils.example": [Address.IP("10.0.0.7")].compactMap(\.self)]
    }
    var elsewhere = place
    elsewhere.host = try Address.Host("ils.example")
    elsewhere.security = .tls(TLSTerms())
    let inside = elsewhere
    let name = await failure { () async throws(LineError) in
      _ = try await pinned.connect(to: inside, by: .now + soon)
    }
    #expect(name == .refusedAddress(Refusal("ils.example", .privateNetwork)))
    await strict.shutdown()
    await pinned.shutdown()
    await server.stop()
  }

  @Test func `a plain-text line beyond this machine is refused unless settings allow it`()
    async throws
  {
    let client = client {
      $0.gate.allowances += ["203.0.113.0/24"].compactMap { AddressGate.Allowance($0) }
    }
    let host = try Address.Host("203.0.113.9")
    let refused = await failure { () async throws(LineError) in
      _ = try await client.connect(
        to: LinePlace(host, port: 6001, .plain(beyondThisMachine: false)), by: .now + soon)
    }
    #expect(refused == .unencrypted(host: "203.0.113.9"))
    #expect(refused?.mayHaveArrived == false)
    let allowed = await failure { () async throws(LineError) in
      _ = try await client.connect(
        to: LinePlace(host, port: 6001, .plain(beyondThisMachine: true)),
        by: .now + .milliseconds(200))
    }
    // Whoever is there or not: it was tried.
    #expect(allowed != .unencrypted(host: "203.0.113.9"))
    await client.shutdown()
  }

  @Test
  func `a line connection to a port without a listener fails as cannot connect`() async throws {
    let client = client()
    // Where nothing ever listens.
    let place = try here(1)
    let error = await failure { () async throws(LineError) in
      _ = try await client.connect(to: place, by: .now + soon)
    }
    guard case .cannotConnect = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    await client.shutdown()
  }
}
