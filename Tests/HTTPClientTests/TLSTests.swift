import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct `TLS is verified, and HTTP/2 used where offered`
{
  private func withServer(_ work: (WebServer) async throws -> Void) async throws {
    let server = try WebServer()
    do {
      try await work(server)
      server.stop()
    } catch {
      server.stop()
      throw error
    }
  }

  private func client(_ server: WebServer, trust: ClientConfiguration.Trust? = nil) throws -> Client
  {
    try Client.local {
      $0.trust = trust ?? .file(server.authority)
      $0.gate = AddressGate(allowing: [.init("127.0.0.0/8")].compactMap(\.self))
      $0.pinnedHosts = ["books.example": [Address.IP("127.0.0.1")].compactMap(\.self)]
    }
  }

  @Test func `the HTTP client uses HTTP 2 and reuses a connection with a good certificate`()
    async throws
  {
    try await withServer { server in
      let client = try client(server)
      for host in ["127.0.0.1", "books.example"] {
        let reply = try await client.send(.get(server.url(.good, host: host)))
        #expect(reply.version == .http2)
        #expect(reply.body == Array("HTTP/2.0 ".utf8))
        // Seconds since 1970, told once for each connection.
        #expect(reply.certificateEnd ?? 0 > 1_767_225_600)
        #expect(try await client.send(.get(server.url(.good, host: host))).certificateEnd == nil)
      }
      let request = try Request.get(server.url(.good))
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<100 {
          group.addTask {
            var request = request
            request.headers = ["X-Probe": "\(number)"]
            let reply = try? await client.send(request)
            return reply?.body == Array("HTTP/2.0 \(number)".utf8)
          }
        }
        for await isRight in group { #expect(isRight) }
      }
    }
  }

  @Test func `the HTTP client refuses every bad certificate with its reason`() async throws {
    let faults: [(WebServer.Certificate, TLSFault)] = [
      (.expired, .expired), (.notYetValid, .notYetValid), (.wrongHost, .wrongHost),
      (.selfSigned, .selfSigned), (.strangersAuthority, .unknownAuthority),
    ]
    try await withServer { server in
      let client = try client(server)
      for (certificate, fault) in faults {
        let request = try Request.get(server.url(certificate))
        let error = await failure { () async throws(TransportError) in
          try await client.send(request)
        }
        guard case .tls(let got, _) = error else {
          Issue.record("\(certificate): \(String(describing: error))")
          continue
        }
        #expect(got == fault)
        #expect(error?.mayHaveArrived == false)
      }
    }
  }

  @Test func `the HTTP client trusts an authority only where it is configured`() async throws {
    try await withServer { server in
      let request = try Request.get(server.url(.good))
      let system = try client(server, trust: .system)
      let unknown = await failure { () async throws(TransportError) in
        try await system.send(request)
      }
      guard case .tls(.unknownAuthority, _) = unknown else {
        Issue.record("\(String(describing: unknown))")
        return
      }
      let both = try client(server, trust: .systemAnd(server.authority))
      #expect(try await both.send(request).status.isSuccess)
      let missing = try client(server, trust: .file(server.folder.file("none.pem")))
      let fileless = await failure { () async throws(TransportError) in
        try await missing.send(request)
      }
      guard case .tls(.trustFile, _) = fileless else {
        Issue.record("\(String(describing: fileless))")
        return
      }
    }
  }

  @Test func `uploads, downloads and cancellation work over HTTP 2`() async throws {
    try await withServer { server in
      let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
      try server.folder.write(bytes, to: "file")
      let client = try client(server)
      let target = try TemporaryFolder()
      var request = try Request.get(server.url(.good, "/file"))
      request.deadline = .never
      _ = try await Download(request, to: target.file("copy")).run(over: client.transport)
      #expect(target.read("copy") == bytes)
      let upload = Request(.put, try Address(server.url(.good, "/put/up")), body: .bytes(bytes))
      let stored = try await client.send(upload)
      #expect(stored.version == .http2)
      #expect(stored.status == .created)
      #expect(server.folder.read("put/up") == bytes)
      let empty = Request(.post, try Address(server.url(.good)))
      #expect(try await client.send(empty).status == .ok)
      let again = try Request.get(server.url(.good, "/file"))
      let task = Task {
        await failure { () async throws(TransportError) in try await client.send(again) }
      }
      task.cancel()
      #expect([.cancelled, nil].contains(await task.value))
      #expect(try await client.send(.get(server.url(.good))).status == .ok)
    }
  }

  @Test func `the HTTP client refuses a redirect from https to http by default`() async throws {
    try await withServer { server in
      let plain = try RawServer { connection in
        _ = connection.request()
        connection.answer()
      }
      defer { plain.stop() }
      let client = try client(server)
      var request = try Request.get(server.url(.good, "/down?port=\(plain.port)"))
      let sent = request
      let error = await failure { () async throws(TransportError) in try await client.send(sent) }
      #expect(error == .refusedRedirect(.downgrade))
      #expect(plain.accepted == 0)
      request.redirects = .followed(.init(downgrade: .followed))
      #expect(try await client.send(request).status == .ok)
    }
  }
}
