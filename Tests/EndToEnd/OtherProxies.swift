import Foundation
import HTTP
import HTTPClient
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// The other web servers that Carrel ships an example for.
enum OtherProxy: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case caddy, apache

  var testDescription: String { rawValue }

  private var program: String { self == .caddy ? "/usr/bin/caddy" : "/usr/sbin/apache2" }

  static var areThere: Bool {
    allCases.allSatisfy { FileManager.default.isExecutableFile(atPath: $0.program) }
  }

  func start(in folder: TemporaryFolder, port: Int, before gateways: [Int]) throws -> RunningProcess
  {
    let text = try settings(folder, port: port, before: gateways)
    try folder.write(Array(text.utf8), to: "settings")
    let words: [String] =
      switch self {
      case .caddy: ["run", "--adapter", "caddyfile", "--config", folder.path("settings")]
      case .apache: ["-f", folder.path("settings"), "-DFOREGROUND"]
      }
    return try RunningProcess(program, words, environment: ["HOME": folder.path])
  }

  /// The shipped example, with what is this machine's put into it.
  private func settings(
    _ folder: TemporaryFolder, port: Int, before gateways: [Int]
  ) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let name = self == .caddy ? "config/Caddyfile" : "config/apache.conf"
    var text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
    for (shipped, here) in changes(folder, port: port) + [
      member(gateways)
    ] {
      guard text.contains(shipped) else { throw TestSupportError("\(name) has no '\(shipped)'") }
      text = text.replacingOccurrences(of: shipped, with: here)
    }
    return head(folder, port: port) + text
  }

  /// Each gateway as the example has its one.
  private func member(_ gateways: [Int]) -> (String, String) {
    switch self {
    case .caddy:
      ("127.0.0.1:8080", gateways.map { "127.0.0.1:\($0)" }.joined(separator: " "))
    case .apache:
      (
        "BalancerMember http://127.0.0.1:8080 retry=0",
        gateways.map { "BalancerMember http://127.0.0.1:\($0) retry=0" }.joined(separator: "\n  ")
      )
    }
  }

  private func changes(_ folder: TemporaryFolder, port: Int) -> [(String, String)] {
    let (pem, key) = (folder.path("site.pem"), folder.path("site.key"))
    switch self {
    case .caddy:
      return [("\nbooks.example.org {", "\nhttps://127.0.0.1:\(port) {\n\ttls \(pem) \(key)")]
    case .apache:
      return [
        ("<VirtualHost *:443>", "<VirtualHost 127.0.0.1:\(port)>"),
        ("ServerName books.example.org", "ServerName 127.0.0.1"),
        ("/etc/ssl/certs/books.example.org.pem", pem),
        ("/etc/ssl/private/books.example.org.key", key),
      ]
    }
  }

  private func head(_ folder: TemporaryFolder, port: Int) -> String {
    if self == .caddy { return "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" }
    let modules = [
      "mpm_event", "authz_core", "ssl", "proxy", "proxy_http", "proxy_balancer", "slotmem_shm",
      "lbmethod_byrequests", "headers", "unique_id",
    ].map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
    return """
      ServerRoot \(folder.path)
      PidFile \(folder.path("pid"))
      Listen 127.0.0.1:\(port)
      ErrorLog \(folder.path("error.log"))
      \(modules.joined(separator: "\n"))

      """
  }
}

@Suite(.timeLimit(.minutes(3))) struct `The examples for other web servers` {
  @Test(
    .enabled(if: OtherProxy.areThere, "scripts/setup test installs caddy and apache2-bin"),
    arguments: OtherProxy.allCases)
  func `The examples for other web servers carry requests as they were made, and name them`(
    _ proxy: OtherProxy
  ) async throws {
    let folder = try TemporaryFolder()
    try await Front.makeCertificate(in: folder)
    let ports = (own: try sparePort(), front: try sparePort())
    let site = "https://127.0.0.1:\(ports.front)"
    var variables = Stage.variables
    variables["CARREL_SERVER_PUBLIC_URL"] = site
    variables["CARREL_SERVER_TRUSTED_PROXIES"] = "127.0.0.1"
    let gateway = try RunningProcess(
      Mock.program("carrel"), ["--home", folder.path("home"), "serve", "--port", "\(ports.own)"],
      environment: variables)
    _ = try #require(try await gateway.nextLine())
    let front = try proxy.start(in: folder, port: ports.front, before: [ports.own])
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    configuration.trust = .file(folder.path("site.pem"))
    let client = try Client(configuration)
    func ask(_ path: String) async throws -> HTTPClient.Reply {
      let forged: Headers = ["X-Request-Id": "forged", "X-Forwarded-Host": "evil.example"]
      return try await client.send(
        HTTPClient.Request(.get, try Address(site + path), headers: forged))
    }
    try await eventually("\(proxy)") { (try? await ask("/readyz").status) == .ok }
    let door = try await ask("/opds/auth")
    let text = String(decoding: door.body, as: UTF8.self)
    #expect(door.status == .ok && text.replacing("\\/", with: "/").contains("\(site)/opds"))
    #expect(!text.contains("evil.example"))
    let id = try #require(door.head.headers["X-Request-Id"])
    #expect(id != "forged" && id.count >= 24)
    #expect(gateway.errorText().contains("request_id=\(id)"))
    #expect(try await ask("/no%2Fthing").status == .notFound)
    await client.shutdown()
    for process in [front, gateway] {
      process.send(SIGTERM)
      _ = try await process.waitForEnd()
    }
  }
}

/// Two gateways of which one dies whenever it has received a request.
@Suite(.timeLimit(.minutes(3))) struct `A web server before a gateway that dies` {
  private final class Count: Sendable {
    private let state = Mutex([String: Int]())
    func note(_ method: String) { state.withLock { $0[method, default: 0] += 1 } }
    subscript(method: String) -> Int { state.withLock { $0[method] ?? 0 } }
  }

  @Test(
    .enabled(if: OtherProxy.areThere, "scripts/setup test installs caddy and apache2-bin"),
    arguments: ["nginx", "caddy", "apache"])
  func `a proxy before a dying gateway repeats only safe requests at another gateway`(
    _ name: String
  ) async throws {
    let folder = try TemporaryFolder()
    let received = Count()
    // It is well between its requests, so that no check from outside takes it away.
    let dying = try RawServer { connection in
      while let request = connection.request() {
        guard request.target == "/readyz" else {
          received.note(request.method)
          return
        }
        connection.answer()
      }
    }
    let living = try RawServer { connection in
      while let request = connection.request() {
        if request.target != "/readyz" { received.note(request.method) }
        connection.answer()
      }
    }
    let (port, ports) = (try sparePort(), [dying.port, living.port])
    var front: RunningProcess?
    // Its workers, too, where something below goes wrong.
    defer { front?.send(SIGKILL) }
    var nginx: Front?
    var certificate = folder.path("site.pem")
    if let proxy = OtherProxy(rawValue: name) {
      try await Front.makeCertificate(in: folder)
      front = try proxy.start(in: folder, port: port, before: ports)
    } else {
      nginx = try #require(try await Front(port: port, before: ports))
      certificate = nginx?.certificate ?? ""
    }
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    configuration.trust = .file(certificate)
    let client = try Client(configuration)
    func send(_ method: HTTP.Method) async throws -> Int {
      var request = HTTPClient.Request(method, try Address("https://127.0.0.1:\(port)/lib/page"))
      if method == .post { request.body = .bytes(Array("borrow".utf8)) }
      return try await client.send(request).status.code
    }
    try await eventually(name) { (try? await send(.get)) == 200 }
    let (gets, posts) = (received["GET"], 20)
    for _ in 0..<10 {
      // Apache asks another gateway only where it could not send the request at all.
      if name != "apache" { #expect(try await send(.get) == 200) }
    }
    if name != "apache" { #expect(received["GET"] > gets + 10, "the dying one was asked, too") }
    // A server may also close a connection that it kept for us; such a request is not sent again either.
    for _ in 0..<posts { _ = try? await send(.post) }
    #expect((1...posts).contains(received["POST"]), "none is received twice")
    // Nobody is there any more: nothing was sent, so everything may go to the other one. Caddy cannot
    // send a body twice, and waits for its next look at the gateways.
    dying.stop()
    try await eventually("requests without a failure") {
      for _ in 0..<4 {
        guard (try? await send(.get)) == 200 else { return false }
      }
      return true
    }
    for method in name == "nginx" ? [HTTP.Method.get, .post] : [.get] {
      for _ in 0..<10 { #expect(try await send(method) == 200) }
    }
    await client.shutdown()
    living.stop()
    try await nginx?.end()
    front?.send(SIGTERM)
    _ = try await front?.waitForEnd()
  }
}
