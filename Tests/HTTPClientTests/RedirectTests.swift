import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct `Redirects are followed by our own rules` {
  struct Change: Sendable {
    let status: Int
    let method: Method
    let becomes: Method
    let keepsBody: Bool
  }

  @Test(arguments: [
    Change(status: 301, method: .get, becomes: .get, keepsBody: false),
    Change(status: 301, method: .post, becomes: .get, keepsBody: false),
    Change(status: 301, method: .put, becomes: .put, keepsBody: true),
    Change(status: 302, method: .post, becomes: .get, keepsBody: false),
    Change(status: 302, method: .delete, becomes: .delete, keepsBody: true),
    Change(status: 302, method: .head, becomes: .head, keepsBody: false),
    Change(status: 303, method: .post, becomes: .get, keepsBody: false),
    Change(status: 303, method: .put, becomes: .get, keepsBody: false),
    Change(status: 303, method: .head, becomes: .head, keepsBody: false),
    Change(status: 307, method: .post, becomes: .post, keepsBody: true),
    Change(status: 307, method: .get, becomes: .get, keepsBody: false),
    Change(status: 308, method: .put, becomes: .put, keepsBody: true),
    Change(status: 308, method: .patch, becomes: .patch, keepsBody: true),
  ])
  func `the status of a redirect decides whether method and body are kept`(_ row: Change)
    async throws
  {
    let seen = Journal<RawConnection.Request>()
    let server = try RawServer { connection in
      while let request = connection.request() {
        seen.append(request)
        let isHead = request.method == "HEAD"
        if request.target == "/start" {
          connection.answer(
            "\(row.status) Elsewhere", ["Location: next?a=b"], isHead ? "" : "moved")
        } else {
          connection.answer("200 OK", [], isHead ? "" : "there")
        }
      }
    }
    defer { server.stop() }
    let hasBody = row.method != .get && row.method != .head
    let reply = try await Client.local().send(
      Request(
        row.method, Address(server.url("/start")),
        headers: hasBody ? ["Content-Type": "text/x", "X-Keep": "1"] : ["X-Keep": "1"],
        body: hasBody ? .bytes(Array("body".utf8)) : .none))
    #expect(reply.hops == 1)
    #expect(reply.address.target == "/next?a=b")
    let second = try #require(seen.all.last)
    #expect(seen.all.count == 2)
    #expect(server.accepted == 1)
    #expect(second.method == row.becomes.rawValue)
    #expect(second.body == (row.keepsBody ? Array("body".utf8) : []))
    #expect(second.header("Content-Type") == (row.keepsBody ? "text/x" : nil))
    #expect(second.header("X-Keep") == "1")
  }

  @Test func `the HTTP client drops credentials at another origin and does not restore them`()
    async throws
  {
    let seen = Journal<RawConnection.Request>()
    let other = try RawServer { connection in
      guard let request = connection.request() else { return }
      seen.append(request)
      connection.answer("302 Found", ["Location: \(request.header("X-Home") ?? "")/back"])
    }
    let server = try RawServer { connection in
      while let request = connection.request() {
        seen.append(request)
        switch request.target {
        case "/start": connection.answer("302 Found", ["Location: /same"])
        case "/same": connection.answer("307 Found", ["Location: \(other.url("/away"))"])
        default: connection.answer()
        }
      }
    }
    defer {
      server.stop()
      other.stop()
    }
    var request = try Request.get(server.url("/start"))
    request.headers = [
      "Authorization": "Bearer a", "cookie": "b", "Proxy-Authorization": "c", "X-Api-Key": "d",
      "Accept": "e", "X-Home": server.url(""),
    ]
    request.secretHeaders = ["x-api-key"]
    let reply = try await Client.local().send(request)
    #expect(reply.status == .ok)
    #expect(reply.hops == 3)
    let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"]
    let shown = seen.all.map { request in secrets.map { request.header($0) != nil } }
    let (all, none) = ([true, true, true, true], [false, false, false, false])
    #expect(shown == [all, all, none, none])
    #expect(seen.all.map { $0.header("Accept") } == ["e", "e", "e", "e"])
  }

  @Test
  func `the HTTP client redirects no body to another origin unless that is allowed`() async throws {
    let bodies = Journal<[UInt8]>()
    let other = try RawServer { connection in
      guard let request = connection.request() else { return }
      bodies.append(request.body)
      connection.answer()
    }
    // It stays with its connection: one that is given up as the second request comes in loses it, and
    // a POST is not repeated.
    let server = try RawServer { connection in
      while connection.request() != nil {
        connection.answer("307 Elsewhere", ["Location: \(other.url())"])
      }
    }
    defer {
      server.stop()
      other.stop()
    }
    let client = try Client.local()
    var request = Request(.post, try Address(server.url()), body: .bytes(Array("pin=1".utf8)))
    let refused = await failure { () async throws(TransportError) in
      try await client.send(request)
    }
    #expect(refused == .refusedRedirect(.bodyAcrossOrigins))
    #expect(bodies.all.isEmpty)
    request.redirects = .followed(.init(body: .sent))
    _ = try await client.send(request)
    #expect(bodies.all == [Array("pin=1".utf8)])
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/", TransportError.refusedRedirect(.scheme)),
    ("file:///etc/passwd", .refusedRedirect(.scheme)),
    ("javascript:alert(1)", .refusedRedirect(.scheme)),
    ("http://u:p@127.0.0.1/", .refusedRedirect(.malformedLocation)),
    ("http://a\\@127.0.0.1/", .refusedRedirect(.malformedLocation)),
    ("http://[::1/", .refusedRedirect(.malformedLocation)),
    ("http://a:99999/", .refusedRedirect(.malformedLocation)),
    ("", .refusedRedirect(.malformedLocation)),
    ("/one\r\nLocation: /two", .refusedRedirect(.malformedLocation)),
  ])
  func `the HTTP client refuses a redirect with a bad location`(
    _ location: String, _ error: TransportError
  ) async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer("302 Found", ["Location: \(location)"])
    }
    defer { server.stop() }
    let client = try Client.local()
    let request = try Request.get(server.url())
    let got = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(got == error)
  }

  @Test func `the HTTP client escapes spaces and non-ASCII letters in a redirect location`()
    async throws
  {
    let seen = Journal<String>()
    let server = try RawServer { connection in
      while let request = connection.request() {
        seen.append(request.target)
        if request.target == "/" {
          connection.answer("302 Found", ["Location: /ein Büch?a=[1]"])
        } else {
          connection.answer()
        }
      }
    }
    defer { server.stop() }
    _ = try await Client.local().send(.get(server.url()))
    #expect(seen.all == ["/", "/ein%20B%C3%BCch?a=%5B1%5D"])
  }

  @Test(arguments: [0, 1, 5])
  func `the HTTP client ends a redirect chain at its limit`(_ most: Int) async throws {
    let seen = Journal<String>()
    let server = try RawServer { connection in
      while let request = connection.request() {
        seen.append(request.target)
        connection.answer("302 Found", ["Location: \(request.target)x"])
      }
    }
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url())
    request.redirects = .followed(.init(most: most))
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .tooManyRedirects(most: most))
    #expect(seen.all.count == most + 1)
  }

  @Test
  func `the HTTP client returns a redirect on request or when it has no location`() async throws {
    let server = try RawServer { connection in
      while let request = connection.request() {
        let location = request.target == "/to" ? ["Location: /x"] : []
        connection.answer("302 Found", location, "read me")
      }
    }
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url("/to"))
    request.redirects = .returned
    let returned = try await client.send(request)
    #expect(returned.status == .found)
    #expect(returned.body == Array("read me".utf8))
    let placeless = try await client.send(.get(server.url("/none")))
    #expect(placeless.status == .found)
    #expect(placeless.body == Array("read me".utf8))
  }

  @Test func `the HTTP client neither counts nor finishes the body of a redirect`() async throws {
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      guard request.target == "/" else {
        connection.answer("200 OK", [], "ok")
        return
      }
      connection.write("HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n")
      while connection.write([UInt8](repeating: 0x20, count: 10_000)) {}
    }
    defer { server.stop() }
    var request = try Request.get(server.url())
    request.limits.body = 10
    let reply = try await Client.local().send(request)
    #expect(reply.body == Array("ok".utf8))
  }
}
