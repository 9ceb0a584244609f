import HTTP
import HTTPServer
import Testing

@Suite struct ProxyTests {
  static let proxy = Peer.ip(IPAddress("10.0.0.1")!, port: 1)
  static let stranger = Peer.ip(IPAddress("203.0.113.9")!, port: 1)
  static let policy = ProxyPolicy(
    trusted: ["10.0.0.0/8", "2001:db8::/32"].compactMap { IPNetwork($0) })

  static func request(
    _ headers: Headers, _ target: String = "/", from peer: Peer = proxy,
    under policy: ProxyPolicy = policy
  ) throws -> Request {
    try Request(.get, target, headers: headers, peer: peer, policy: policy)
  }

  @Test func `a stranger's word counts for nothing`() throws {
    let request = try Self.request(
      [
        "Host": "real.example", "X-Forwarded-For": "1.2.3.4", "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil",
        "Forwarded": "for=1.2.3.4;host=evil.example", "X-Request-Id": "mine",
      ], from: Self.stranger)
    #expect(request.clientAddress == IPAddress("203.0.113.9"))
    #expect(request.absoluteLink("/a") == "http://real.example/a")
    #expect(request.id.description == "test")
  }

  @Test func `a trusted proxy speaks for the client`() throws {
    let request = try Self.request([
      "Host": "inner", "X-Forwarded-For": "1.2.3.4", "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "books.example:8443", "X-Forwarded-Prefix": "/lib/",
      "X-Request-Id": "abc-1",
    ])
    #expect(request.clientAddress == IPAddress("1.2.3.4"))
    #expect(request.absoluteLink("/a") == "https://books.example:8443/lib/a")
    #expect(request.id.description == "abc-1")
    #expect(request.peer == Self.proxy)
  }

  @Test func `an Origin is the site's own by what is believed of the site, and else by Host`()
    throws
  {
    func isOwn(_ origin: String, _ request: Request) -> Bool { request.isOwnOrigin(origin) }
    let plain = try Self.request(["Host": "real.example:8080"], from: Self.stranger)
    #expect(isOwn("http://real.example:8080", plain) && isOwn("HTTP://Real.example:8080", plain))
    // A proxy with TLS that nobody named.
    #expect(isOwn("https://real.example:8080", plain) && !isOwn("http://real.example", plain))
    for other in ["null", "", "http://evil.example", "http://real.example:8080.evil.example"] {
      #expect(!isOwn(other, plain), "\(other)")
    }
    let behind = try Self.request([
      "Host": "inner", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "books.example:443",
    ])
    #expect(isOwn("https://books.example", behind) && !isOwn("http://books.example", behind))
    #expect(!isOwn("https://inner", behind) && !isOwn("https://books.example:8443", behind))
    var named = Self.policy
    named.publicAddress = .init(scheme: "https", host: "books.example", basePath: "/lib")
    let forged = try Self.request(["Host": "evil.example"], from: Self.stranger, under: named)
    #expect(isOwn("https://books.example", forged) && !isOwn("https://evil.example", forged))
    #expect(!isOwn("http://books.example", forged))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let field: String
    let client: String
    var testDescription: String { field }
  }

  @Test(arguments: [
    Row(field: "1.2.3.4", client: "1.2.3.4"),
    Row(field: "9.9.9.9, 1.2.3.4", client: "1.2.3.4"),
    Row(field: "9.9.9.9, 1.2.3.4, 10.0.0.7", client: "1.2.3.4"),
    Row(field: "10.0.0.7", client: "10.0.0.7"),
    Row(field: "10.0.0.9, 10.0.0.7", client: "10.0.0.9"),
    Row(field: "unknown, 1.2.3.4", client: "1.2.3.4"),
    Row(field: "1.2.3.4, unknown", client: "10.0.0.1"),
    Row(field: "1.2.3.4, unknown, 10.0.0.7", client: "10.0.0.7"),
    Row(field: "1.2.3.4:5678", client: "1.2.3.4"),
    Row(field: "[2001:500::1]:5678", client: "2001:500::1"),
    Row(field: "2001:500::1", client: "2001:500::1"),
    Row(field: "2001:500::1, 2001:db8::7", client: "2001:500::1"),
    Row(field: "::ffff:1.2.3.4", client: "1.2.3.4"),
    Row(field: "", client: "10.0.0.1"),
    Row(field: "999.1.1.1", client: "10.0.0.1"),
  ])
  func `the client is the last hop that is not trusted`(row: Row) throws {
    let request = try Self.request(["X-Forwarded-For": row.field])
    #expect(request.clientAddress == IPAddress(row.client))
  }

  @Test(arguments: [
    Row(field: "for=1.2.3.4;proto=https;host=a.example", client: "1.2.3.4"),
    Row(field: "For=\"[2001:500::1]:99\"", client: "2001:500::1"),
    Row(field: "for=9.9.9.9, for=1.2.3.4;proto=https, for=10.0.0.7", client: "1.2.3.4"),
    Row(field: "for=_hidden", client: "10.0.0.1"),
    Row(field: "for=1.2.3.4;;proto=https", client: "1.2.3.4"),
    Row(field: "for=\"1.2.3.4", client: "10.0.0.1"),
    Row(field: "for 1.2.3.4", client: "10.0.0.1"),
  ])
  func `Forwarded says the same`(row: Row) throws {
    let request = try Self.request(["Forwarded": row.field])
    #expect(request.clientAddress == IPAddress(row.client))
    if row.field.contains("proto=https"), row.client != "10.0.0.1" {
      #expect(request.scheme == "https")
    }
  }

  @Test func `one family of fields is believed, not both`() throws {
    let both: Headers = ["X-Forwarded-For": "1.1.1.1", "Forwarded": "for=2.2.2.2"]
    #expect(try Self.request(both).clientAddress == IPAddress("1.1.1.1"))
    var policy = Self.policy
    policy.dialect = .forwarded
    #expect(try Self.request(both, under: policy).clientAddress == IPAddress("2.2.2.2"))
    policy.dialect = .xForwarded
    #expect(
      try Self.request(["Forwarded": "for=2.2.2.2"], under: policy).clientAddress
        == IPAddress("10.0.0.1"))
  }

  @Test(arguments: ["ftp", "javascript", "https://", ""])
  func `a scheme is http or https`(scheme: String) throws {
    #expect(try Self.request(["X-Forwarded-Proto": scheme]).scheme == "http")
  }

  @Test(arguments: ["a/b", "a b", "a\"b", "me@a", "a,b c", "[::1"])
  func `a host is a host`(host: String) throws {
    let request = try Self.request(["Host": "real", "X-Forwarded-Host": host])
    #expect(request.host == "real" || request.host == "b")
  }

  @Test(arguments: [
    "//evil.example", "evil", "/a/../b", "/a//b", "/%2e%2e", "/a%00", "/a\\b", "/a?b",
  ])
  func `a prefix cannot lead elsewhere`(prefix: String) throws {
    let request = try Self.request(["X-Forwarded-Prefix": prefix])
    #expect(request.basePath == .root || request.link("/x") == "/a%3Fb/x")
  }

  @Test func `the configured address wins over every field`() throws {
    var policy = Self.policy
    policy.publicAddress = .init(scheme: "https", host: "lib.example", basePath: "/carrel")
    let request = try Self.request(
      ["X-Forwarded-Host": "other", "X-Forwarded-Proto": "http", "X-Forwarded-Prefix": "/p"],
      "/carrel/works/1", under: policy)
    #expect(request.absoluteLink("/a") == "https://lib.example/carrel/a")
    #expect(request.path == ["works", "1"])
  }

  @Test(arguments: [
    ("/carrel/works/1", ["works", "1"]), ("/works/1", ["works", "1"]), ("/carrel", []),
    ("/carrel/", []), ("/carrels", ["carrels"]), ("/", []),
  ])
  func `the base path is cut off where a proxy left it`(target: String, path: [String]) throws {
    let request = try Self.request(["X-Forwarded-Prefix": "/carrel"], target)
    #expect(request.path == path)
  }

  @Test func `a Unix peer is trusted only when told so`() throws {
    let headers: Headers = ["X-Forwarded-For": "1.2.3.4"]
    #expect(try Self.request(headers, from: .unix).clientAddress == nil)
    let policy = ProxyPolicy(trustsUnixPeers: true)
    #expect(
      try Self.request(headers, from: .unix, under: policy).clientAddress
        == IPAddress("1.2.3.4"))
  }

  @Test func `over a socket the peer decides`() async throws {
    let handler = Handler.immediate { .text($0.clientAddress?.description ?? "none") }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      #expect(try await client.get("/", "X-Forwarded-For: 1.2.3.4").text == "127.0.0.1")
    }
    try await RunningServer.run(handler) { settings in
      settings.proxies.trusted = [IPNetwork("127.0.0.1")].compactMap(\.self)
    } _: { running in
      let client = try running.connect()
      #expect(try await client.get("/", "X-Forwarded-For: 1.2.3.4").text == "1.2.3.4")
    }
  }
}

@Suite struct IPNetworkTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
    ("10.1.2.3/8", "10.9.9.9", true), ("0.0.0.0/0", "1.2.3.4", true),
    ("0.0.0.0/0", "2001:db8::1", false), ("192.168.1.1", "192.168.1.1", true),
    ("192.168.1.1", "192.168.1.2", false), ("192.168.1.128/25", "192.168.1.127", false),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("::/0", "fe80::1", true), ("::1", "::1", true),
    ("2001:db8::/65", "2001:db8:0:0:8000::", false),
    ("10.0.0.0/8", "::ffff:10.1.1.1", true),
  ])
  func `contains what its bits say`(network: String, address: String, inside: Bool) throws {
    let network = try #require(IPNetwork(network))
    let address = try #require(IPAddress(address))
    #expect(network.contains(address) == inside)
  }

  @Test(arguments: [
    "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "::/129", "a/8", "10.0.0.0/", "10.0.0.0/8/8",
  ])
  func `what is no network is none`(text: String) { #expect(IPNetwork(text) == nil) }

  @Test(arguments: ["10.0.0.0/8", "2001:db8::/32", "::1/128"])
  func `prints what it read`(text: String) { #expect(IPNetwork(text)?.description == text) }
}
