import HTTP
import HTTPClient
import TestSupport
import Testing

struct Hostile: Sendable {
  let host: String
  let reason: Refusal.Reason

  init(_ host: String, _ reason: Refusal.Reason) { (self.host, self.reason) = (host, reason) }

  /// Nil for names.
  var ip: Address.IP? {
    Address.IP(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
  }

  static let table = [
    Hostile("127.0.0.1", .loopback), Hostile("127.255.255.254", .loopback),
    Hostile("0.0.0.0", .unspecified), Hostile("0.1.2.3", .unspecified),
    Hostile("10.0.0.1", .privateNetwork), Hostile("10.255.255.255", .privateNetwork),
    Hostile("172.16.0.1", .privateNetwork), Hostile("172.31.255.255", .privateNetwork),
    Hostile("192.168.1.1", .privateNetwork), Hostile("100.64.0.1", .carrierGrade),
    Hostile("100.127.255.255", .carrierGrade), Hostile("169.254.169.254", .linkLocal),
    Hostile("192.0.0.1", .protocolAssignments), Hostile("192.0.2.1", .documentation),
    Hostile("198.51.100.7", .documentation), Hostile("203.0.113.9", .documentation),
    Hostile("198.18.0.1", .benchmarking), Hostile("198.19.255.255", .benchmarking),
    Hostile("192.88.99.1", .relay), Hostile("224.0.0.1", .multicast),
    Hostile("239.255.255.255", .multicast), Hostile("240.0.0.1", .reserved),
    Hostile("255.255.255.255", .broadcast),
    Hostile("[::]", .unspecified), Hostile("[::1]", .loopback),
    Hostile("[0:0:0:0:0:0:0:1]", .loopback), Hostile("[::ffff:127.0.0.1]", .mappedIPv4),
    Hostile("[::ffff:7f00:1]", .mappedIPv4), Hostile("[::ffff:8.8.8.8]", .mappedIPv4),
    Hostile("[::127.0.0.1]", .compatibleIPv4), Hostile("[::ffff:0:127.0.0.1]", .translatedIPv4),
    Hostile("[64:ff9b::127.0.0.1]", .translatedIPv4),
    Hostile("[64:ff9b:1::a00:1]", .translatedIPv4), Hostile("[2002:7f00:1::]", .sixToFour),
    Hostile("[2001::1]", .teredo), Hostile("[2001:2::1]", .benchmarking),
    Hostile("[2001:db8::1]", .documentation), Hostile("[3fff::1]", .documentation),
    Hostile("[fc00::1]", .uniqueLocal), Hostile("[fd12:3456::1]", .uniqueLocal),
    Hostile("[fe80::1]", .linkLocal), Hostile("[febf::1]", .linkLocal),
    Hostile("[fec0::1]", .siteLocal), Hostile("[ff02::1]", .multicast),
    Hostile("[100::1]", .reserved), Hostile("[4000::1]", .notGlobal),
    Hostile("[5f00::1]", .notGlobal),
    Hostile("2130706433", .obscureNumber), Hostile("017700000001", .obscureNumber),
    Hostile("0x7f000001", .obscureNumber), Hostile("0x7F.0.0.1", .obscureNumber),
    Hostile("0177.0.0.1", .obscureNumber), Hostile("127.1", .obscureNumber),
    Hostile("127.0.1", .obscureNumber), Hostile("127.0.0.01", .obscureNumber),
    Hostile("127.0.0.1.", .trailingDot), Hostile("0", .obscureNumber),
    Hostile("0x", .obscureNumber), Hostile("1.2.3.4.5", .obscureNumber),
    Hostile("256.256.256.256", .obscureNumber), Hostile("134744072", .obscureNumber),
    Hostile("a.b.0x7f", .obscureNumber),
    Hostile("localhost", .localName), Hostile("LOCALHOST", .localName),
    Hostile("localhost.", .trailingDot), Hostile("x.localhost", .localName),
    Hostile("a.b.localhost", .localName), Hostile("localhost.localdomain", .localName),
    Hostile("ip6-loopback", .localName), Hostile("printer", .localName),
    Hostile("nas.local", .localName), Hostile("metadata.google.internal", .localName),
    Hostile("router.home.arpa", .localName), Hostile("example.com.", .trailingDot),
    // Digits, letters and dots of other scripts, which IDNA maps to ASCII.
    Hostile("１２７.0.0.1", .loopback), Hostile("127。0。0。1", .loopback),
    Hostile("ｌｏｃａｌｈｏｓｔ", .localName), Hostile("①②⑦.0.0.1", .loopback),
  ]
}

@Suite struct `The gate lets nothing through to a private place` {
  @Test(arguments: Hostile.table)
  func `the address gate refuses a private host in every spelling`(_ row: Hostile) async throws {
    let client = try Client()
    let request = try Request.get("http://\(row.host)/")
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .refusedAddress(let refusal) = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
    #expect(refusal.reason == row.reason)
  }

  @Test(arguments: Hostile.table.filter { $0.ip != nil })
  func `the address gate refuses a name that resolves to a private address`(_ row: Hostile)
    async throws
  {
    var configuration = ClientConfiguration()
    let ip = try #require(row.ip)
    configuration.pinnedHosts = ["books.example": [ip]]
    let client = try Client(configuration)
    let request = try Request.get("https://books.example/")
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .refusedAddress(Refusal("books.example", row.reason)))
  }

  @Test(arguments: Hostile.table)
  func `the address gate refuses a redirect to a private address`(_ row: Hostile) async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer("302 Found", ["Location: http://\(row.host)/"])
    }
    defer { server.stop() }
    var configuration = ClientConfiguration()
    let allowance = try #require(AddressGate.Allowance("127.0.0.1:\(server.port)"))
    configuration.gate = AddressGate(allowing: [allowance])
    let client = try Client(configuration)
    let request = try Request.get(server.url())
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .refusedAddress(let refusal) = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
    #expect(refusal.reason == row.reason)
  }

  @Test(arguments: Hostile.table)
  func `the address gate refuses a private host even when a proxy would resolve it`(_ row: Hostile)
    async throws
  {
    var configuration = ClientConfiguration()
    configuration.proxies = Proxies(http: .init("http://127.0.0.1:9"))
    let client = try Client(configuration)
    let request = try Request.get("http://\(row.host)/")
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .refusedAddress(let refusal) = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
    #expect(refusal.reason == row.reason)
  }

  @Test func `the address gate connects to none of a name's addresses when they are private`()
    async throws
  {
    let server = try RawServer { $0.answer() }
    defer { server.stop() }
    var configuration = ClientConfiguration()
    let loopback = try #require(Address.IP("127.0.0.1"))
    let mapped = try #require(Address.IP("::ffff:127.0.0.1"))
    configuration.pinnedHosts = ["books.example": [loopback, mapped]]
    let client = try Client(configuration)
    let request = try Request.get("http://books.example:\(server.port)/")
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .refusedAddress = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
    #expect(server.accepted == 0)
  }

  /// 2a00::1 is a public address where no host answers, and most machines that run tests have no way there.
  @Test(arguments: [["2a00::1", "127.0.0.1"], ["127.0.0.1", "2a00::1"]])
  func `the address gate connects to no private address that a name has beside a public one`(
    _ addresses: [String]
  ) async throws {
    let server = try RawServer { $0.answer() }
    defer { server.stop() }
    var configuration = ClientConfiguration()
    let pinned = try addresses.map { try #require(Address.IP($0)) }
    configuration.pinnedHosts = ["books.example": pinned]
    let client = try Client(configuration)
    let request = Request(
      .get, try Address("http://books.example:\(server.port)/"), deadline: .at(.now + .seconds(3)))
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error != nil && server.accepted == 0)
  }
}

@Suite struct `The gate opens for what the operator has written down` {
  struct Opening: Sendable {
    let allowance: String
    let host: String
    let opens: Bool
  }

  /// `PORT` is the test server's.
  @Test(arguments: [
    Opening(allowance: "127.0.0.1", host: "127.0.0.1", opens: true),
    Opening(allowance: "127.0.0.1:PORT", host: "127.0.0.1", opens: true),
    Opening(allowance: "127.0.0.1:1", host: "127.0.0.1", opens: false),
    Opening(allowance: "127.0.0.0/8", host: "127.0.0.1", opens: true),
    Opening(allowance: "127.0.0.0/8", host: "localhost", opens: true),
    Opening(allowance: "127.0.0.0/8", host: "books.example", opens: true),
    Opening(allowance: "10.0.0.0/8", host: "books.example", opens: false),
    Opening(allowance: "10.0.0.0/8", host: "localhost", opens: false),
    Opening(allowance: "books.example", host: "books.example", opens: true),
    Opening(allowance: "BOOKS.example:PORT", host: "books.example", opens: true),
    Opening(allowance: "example", host: "books.example", opens: false),
    Opening(allowance: "127.0.0.1", host: "books.example", opens: false),
    Opening(allowance: "localhost", host: "localhost", opens: true),
    Opening(allowance: "localhost", host: "127.0.0.1", opens: false),
    Opening(allowance: "127.1", host: "127.1", opens: true),
    Opening(allowance: "::1", host: "127.0.0.1", opens: false),
  ])
  func `The gate opens for what the operator has written down and for nothing beside it`(
    _ row: Opening
  ) async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer()
    }
    defer { server.stop() }
    let text = row.allowance.replacing("PORT", with: "\(server.port)")
    var configuration = ClientConfiguration()
    configuration.gate = AddressGate(allowing: [try #require(AddressGate.Allowance(text))])
    let loopback = try #require(Address.IP("127.0.0.1"))
    configuration.pinnedHosts = ["books.example": [loopback], "localhost": [loopback]]
    let client = try Client(configuration)
    let request = try Request.get("http://\(row.host):\(server.port)/")
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    if row.opens {
      #expect(error == nil)
    } else if case .refusedAddress = error {
      #expect(server.accepted == 0)
    } else {
      Issue.record("not refused: \(String(describing: error))")
    }
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/-1", "fc00::/129", "fc00::1/7",
    "a/b", "http://a", "a:0", "a:b", "u@a", "a b",
  ])
  func `an address allowance that cannot be parsed is refused`(_ text: String) {
    #expect(AddressGate.Allowance(text) == nil)
  }

  @Test func `the address gate accepts public addresses without an allowance`() {
    let publicOnes = [
      "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
      "126.255.255.255", "128.0.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.1.1",
      "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1",
      "2001:4860:4860::8888", "2001:200::1", "2003::1",
    ]
    for text in publicOnes {
      let ip = Address.IP(text)
      #expect(ip.flatMap { Refusal.Reason($0) } == nil, "\(text)")
    }
  }
}
