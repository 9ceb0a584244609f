import HTTP
import HTTPClient
import Lines
import TestSupport
import Testing

private let soon = Duration.seconds(5)

/// Clients of this machine, as an operator may have allowed them.
private func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> LineClient {
  var configuration = ClientConfiguration()
  configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
  change(&configuration)
  return LineClient(configuration)
}

private func here(_ port: Int) throws -> LinePlace {
  LinePlace(try Address.Host("127.0.0.1"), port: port, .plain(beyondThisMachine: false))
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

private func failure(_ work: () async throws(LineError) -> Void) async -> LineError? {
  do throws(LineError) {
    try await work()
    return nil
  } catch { return error }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct `Lines are asked and answered` {
  @Test func `an answer ends at any of the usual ends, and what is blank is passed over`()
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

  @Test func `many lines on one thread talk at once with a server of our own`() async throws {
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

  @Test func `whoever is asked and says nothing is given up, and others are served meanwhile`()
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

  @Test func `half a line and then the end is an answer that was begun`() async throws {
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

  @Test func `a line without an end is given up at sixty-four kilobytes`() async throws {
    let server = try RawServer { line in
      while line.write(String(repeating: "x", count: 16 << 10)) {}
    }
    defer { server.stop() }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    let error = await failure { () async throws(LineError) in
      _ = try await line.next(by: .now + soon)
    }
    #expect(error == .tooLong(most: 65_536))
    await client.shutdown()
  }

  @Test func `what came unasked keeps a question from being sent`() async throws {
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

  @Test func `a task that is cancelled leaves its line at once`() async throws {
    let server = try LineServer { line in _ = try? await line.next(by: .now + .seconds(30)) }
    let client = client()
    let line = try await client.connect(to: here(server.port), by: .now + soon)
    let task = Task { () -> LineError? in
      await failure { () async throws(LineError) in
        _ = try await line.next(by: .now + .seconds(30))
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    let began = ContinuousClock.now
    task.cancel()
    let error = await task.value
    #expect(error == .cancelled(.unsent))
    #expect(began.duration(to: .now) < .seconds(2))
    await client.shutdown()
    await server.stop()
  }

  @Test func `shutting down fails what is under way and refuses what comes`() async throws {
    let server = try LineServer { line in _ = try? await line.next(by: .now + .seconds(30)) }
    let client = client()
    let place = try here(server.port)
    let line = try await client.connect(to: place, by: .now + soon)
    async let waiting = failure { () async throws(LineError) in
      _ = try await line.next(by: .now + .seconds(30))
    }
    try await Task.sleep(for: .milliseconds(50))
    await client.shutdown()
    let first = await waiting
    #expect(first == .stopped(.unsent) || first == .closed(.unsent))
    let late = await failure { () async throws(LineError) in
      _ = try await client.connect(to: place, by: .now + soon)
    }
    #expect(late == .stopped(.connecting))
    await server.stop()
  }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct `Lines lead only where they may` {
  @Test func `the gate holds for numbers and for what names turn out to be`() async throws {
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

  @Test func `a line in the clear leads to this machine only, unless that was switched on`()
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

  @Test func `nobody at home is told as such`() async throws {
    let server = try LineServer { _ in }
    let port = server.port
    await server.stop()
    let client = client()
    let place = try here(port)
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

@Suite(.serialized, .timeLimit(.minutes(1))) struct `Lines are encrypted and verified` {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    for name in ["good", "strange"] {
      let made = try await run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
          "-keyout", "\(folder.path)/\(name).key", "-out", "\(folder.path)/\(name).pem", "-subj",
          "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1,DNS:ils.example", "-days", "2",
        ])
      #expect(made.end == .exited(0))
    }
  }

  private func echo(askingFor authority: String? = nil) throws -> LineServer {
    try LineServer(
      tls: .init(
        certificate: "\(folder.path)/good.pem", key: "\(folder.path)/good.key",
        clientAuthority: authority)
    ) { line in
      while let asked = try? await line.next(by: .now + .seconds(30)) {
        guard (try? await line.send(asked + [0x0D], by: .now + soon)) != nil else { return }
      }
    }
  }

  private func outcome(
    _ server: LineServer, host: String = "127.0.0.1", _ change: (inout TLSTerms) -> Void = { _ in },
    trusting trust: ClientConfiguration.Trust = .system
  ) async throws -> LineError? {
    var terms = TLSTerms()
    terms.authorities = "\(folder.path)/good.pem"
    change(&terms)
    let client = client {
      $0.trust = trust
      $0.pinnedHosts = ["ils.example", "other.example"].reduce(into: [:]) {
        $0[$1] = [Address.IP("127.0.0.1")].compactMap(\.self)
      }
    }
    let place = LinePlace(try Address.Host(host), port: server.port, .tls(terms))
    let error = await failure { () async throws(LineError) in
      let line = try await client.connect(to: place, by: .now + soon)
      let long = Array(String(repeating: "long ", count: 8000).utf8)
      let answer = try await line.ask(long + [0x0D], by: .now + soon)
      #expect(answer == long)
    }
    await client.shutdown()
    return error
  }

  @Test func `a certificate with the right name passes, by number and by name`() async throws {
    let server = try echo()
    #expect(try await outcome(server) == nil)
    #expect(try await outcome(server, host: "ils.example") == nil)
    // As behind a tunnel: the host is another than the one that is named.
    #expect(try await outcome(server, host: "other.example", { $0.name = "ils.example" }) == nil)
    await server.stop()
  }

  @Test func `a wrong name, a stranger and a file that is none are refused with their reason`()
    async throws
  {
    let server = try echo()
    #expect(try await outcome(server, host: "other.example") == .tls(.wrongHost))
    #expect(try await outcome(server, { $0.authorities = nil }) == .tls(.selfSigned))
    let strange = "\(folder.path)/strange.pem"
    #expect(
      try await outcome(server, { $0.authorities = nil }, trusting: .file(strange))
        == .tls(.selfSigned))
    #expect(try await outcome(server, { $0.authorities = "/nowhere.pem" }) == .tls(.trustFile))
    await server.stop()
  }

  @Test func `a certificate of our own is shown where it is asked for`() async throws {
    let server = try echo(askingFor: "\(folder.path)/strange.pem")
    let shown = try await outcome(server) {
      $0.certificate = "\(folder.path)/strange.pem"
      $0.key = "\(folder.path)/strange.key"
    }
    #expect(shown == nil)
    #expect(try await outcome(server) != nil)
    await server.stop()
  }

  @Test func `who speaks no TLS is told apart from silence`() async throws {
    let plain = try RawServer { line in
      line.write("HTTP/1.0 400 Bad Request\r\n\r\n")
      _ = line.line()
    }
    defer { plain.stop() }
    let client = client()
    let place = LinePlace(try Address.Host("127.0.0.1"), port: plain.port, .tls(TLSTerms()))
    let error = await failure { () async throws(LineError) in
      _ = try await client.connect(to: place, by: .now + soon)
    }
    #expect(error == .tls(.handshake))
    await client.shutdown()
  }
}
