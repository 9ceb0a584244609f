import HTTP
import HTTPClient
import Lines
import TestSupport
import Testing

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

  @Test
  func `a line connection accepts a certificate for its host name or IP address`() async throws {
    let server = try echo()
    #expect(try await outcome(server) == nil)
    #expect(try await outcome(server, host: "ils.example") == nil)
    // As behind a tunnel: the host is another than the one that is named.
    #expect(try await outcome(server, host: "other.example", { $0.name = "ils.example" }) == nil)
    await server.stop()
  }

  @Test func `a line connection refuses a wrong name, an unknown issuer and a missing trust file`()
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

  /// The thread may be through with a line before anybody waits for it.
  @Test func `a refused line connection reports its reason every time`() async throws {
    let server = try echo()
    for _ in 0..<100 {
      let refusal = try await outcome(server, host: "other.example")
      #expect(refusal == .tls(.wrongHost))
    }
    await server.stop()
  }

  @Test func `a line connection presents its client certificate when asked`() async throws {
    let server = try echo(askingFor: "\(folder.path)/strange.pem")
    let shown = try await outcome(server) {
      $0.certificate = "\(folder.path)/strange.pem"
      $0.key = "\(folder.path)/strange.key"
    }
    #expect(shown == nil)
    #expect(try await outcome(server) != nil)
    await server.stop()
  }

  @Test func `a TLS line connection to a server without TLS fails in the handshake`() async throws {
    let plain = try RawServer { line in
      line.write("HTTP/1.0 400 Bad Request\r\n\r\n")
      // Until the other side hangs up: one that closes with our greeting unread takes back what it said.
      while line.line() != nil {}
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
