import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A proxy is used where it is configured` {
  @Test func `the HTTP client sends a plain request to the proxy with full address and login`()
    async throws
  {
    let seen = Journal<RawConnection.Request>()
    let proxy = try RawServer { connection in
      while let request = connection.request() {
        seen.append(request)
        connection.answer("200 OK", [], "via")
      }
    }
    defer { proxy.stop() }
    var configuration = ClientConfiguration()
    configuration.proxies = Proxies(http: .init("http://us%65r:p%3Aw@127.0.0.1:\(proxy.port)"))
    let reply = try await Client(configuration).send(.get("http://books.example/a?b"))
    #expect(reply.body == Array("via".utf8))
    let got = try #require(seen.all.first)
    #expect(got.line == "GET http://books.example/a?b HTTP/1.1")
    #expect(got.header("Proxy-Authorization") == "Basic dXNlcjpwOnc=")
    #expect(got.header("Authorization") == nil)
  }

  @Test func `the HTTP client reports a refused proxy tunnel by its status`() async throws {
    let seen = Journal<RawConnection.Request>()
    let proxy = try RawServer { connection in
      if let request = connection.request() { seen.append(request) }
      connection.answer("403 Forbidden")
    }
    defer { proxy.stop() }
    var configuration = ClientConfiguration()
    configuration.proxies = Proxies(https: .init("127.0.0.1:\(proxy.port)"))
    let client = try Client(configuration)
    var request = try Request.get("https://books.example/?token=marker-secret")
    request.headers = ["Authorization": "marker-secret"]
    let sent = request
    let error = await failure { () async throws(TransportError) in try await client.send(sent) }
    #expect(error == .proxyRefused(.forbidden))
    #expect(seen.all.first?.line == "CONNECT books.example:443 HTTP/1.1")
    #expect(seen.all.first?.head.contains("marker-secret") == false)
  }

  struct Exempt: Sendable {
    let list: String
    let url: String
    let isDirect: Bool
  }

  @Test(arguments: [
    Exempt(list: "", url: "http://a.example/", isDirect: false),
    Exempt(list: "*", url: "http://a.example/", isDirect: true),
    Exempt(list: "a.example", url: "http://a.example/", isDirect: true),
    Exempt(list: "a.example", url: "http://b.a.example/", isDirect: true),
    Exempt(list: ".a.example", url: "http://b.a.example:8080/", isDirect: true),
    Exempt(list: "*.a.example", url: "http://b.a.example/", isDirect: true),
    Exempt(list: "a.example", url: "http://ba.example/", isDirect: false),
    Exempt(list: "A.EXAMPLE", url: "http://a.example/", isDirect: true),
    Exempt(list: "x, a.example:8080 y", url: "http://a.example:8080/", isDirect: true),
    Exempt(list: "a.example:8080", url: "http://a.example/", isDirect: false),
    Exempt(list: "10.0.0.0/8", url: "http://10.1.2.3/", isDirect: true),
    Exempt(list: "10.0.0.0/8", url: "http://11.1.2.3/", isDirect: false),
    Exempt(list: "10.1.2.3", url: "http://10.1.2.3/", isDirect: true),
    Exempt(list: "::1", url: "http://[::1]/", isDirect: true),
    Exempt(list: "0.0.3", url: "http://10.0.0.3/", isDirect: false),
  ])
  func `A proxy is used where it is configured except for the hosts it is not meant for`(
    _ row: Exempt
  ) throws {
    let proxies = Proxies(
      http: .init("proxy.example:3128"), exceptions: Proxies.Exception.list(row.list))
    #expect((proxies.proxy(for: try Address(row.url)) == nil) == row.isDirect)
    #expect(proxies.proxy(for: try Address("https://a.example/")) == nil)
  }

  @Test(arguments: [
    "", "ftp://a:1", "socks5://a:1", "http://a/path", "http://a?b", "a b", "http://u%0a@a",
    "http://",
  ])
  func `a proxy setting that cannot be parsed is refused`(_ text: String) {
    #expect(Proxies.Proxy(text) == nil)
  }

  @Test func `no description of a proxy shows its password`() throws {
    let proxy = try #require(Proxies.Proxy("http://user:secret@proxy.example"))
    #expect("\(proxy)" == "http://proxy.example:80")
    #expect(!String(reflecting: [proxy]).contains("secret"))
    #expect(!String(reflecting: Proxies(http: proxy)).contains("secret"))
  }
}
