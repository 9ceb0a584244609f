import Foundation
import Glibc
import HTTP
import HTTPServer
import Testing

/// Where the server listens, and how it stops.
@Suite(.timeLimit(.minutes(2))) struct LifeTests {
  // MARK: Stopping

  @Test func `stops in order`() async throws {
    let (started, finish) = (Gate(), Gate())
    var router = Router<Void>()
    var settings = ServerSettings([.loopback(port: 0)])
    let readiness = settings.readiness
    settings.timeouts.idle = .seconds(600)
    router.immediate(.get, at: Path.root / "readyz", note: ()) { _ in
      Response(readiness.state == .ready ? .ok : .serviceUnavailable)
    }
    router.on(.get, at: Path.root / "slow", note: ()) { _ in
      started.open()
      await finish.wait()
      return .text("done")
    }
    let server = Server(settings, router.handler)
    try server.start()
    let idle = try RawClient(server.addresses[0])
    #expect(try await idle.get("/readyz").status == 200)
    let busy = try RawClient(server.addresses[0])
    try await busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    await started.wait()
    let watcher = try RawClient(server.addresses[0])
    #expect(try await watcher.get("/readyz").status == 200)

    async let stopped: Void = server.stop(within: .seconds(20), notice: .milliseconds(300))
    // First it only says so, and still serves whoever comes.
    while readiness.state != .draining { await Task.yield() }
    #expect(try await watcher.get("/readyz").status == 503)
    #expect(try await RawClient(server.addresses[0]).get("/readyz").status == 503)
    // Then idle connections go at once, while the running request goes on.
    #expect(try await idle.isClosed())
    // Each loop has a listener of its own, and the last of them may close a moment later.
    while (try? RawClient(server.addresses[0])) != nil { await Task.yield() }
    finish.open()
    let last = try await busy.answer()
    #expect(last.text == "done")
    #expect(last.headers["Connection"] == "close")
    #expect(try await busy.isClosed())
    await stopped
    #expect(server.connections == 0)
  }

  @Test func `breaks off what does not finish in time`() async throws {
    let (started, never) = (Gate(), Gate())
    let handler = Handler { _ in
      started.open()
      await withTaskCancellationHandler {
        await never.wait()
      } onCancel: {
        never.open()
      }
      return .text("")
    }
    let server = Server(ServerSettings([.loopback(port: 0)]), handler)
    try server.start()
    let client = try RawClient(server.addresses[0])
    try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    await started.wait()
    await server.stop(within: .milliseconds(100))
    #expect(try await client.isClosed())
    await never.wait()
  }

  @Test func `a request that has begun is still read and answered`() async throws {
    let server = Server(ServerSettings([.loopback(port: 0)]), .echo)
    try server.start()
    let client = try RawClient(server.addresses[0])
    try await client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(try await client.answer().status == 100)
    async let stopped: Void = server.stop()
    while server.readiness.state != .draining { await Task.yield() }
    try await client.send("abc")
    #expect(try await client.answer().text == "POST / 3")
    await stopped
  }

  @Test func `stopping twice, or before the start, does no harm`() async throws {
    let server = Server(ServerSettings([.loopback(port: 0)]), .echo)
    await server.stop()
    try server.start()
    await server.stop()
    await server.stop()
    #expect(throws: ServerError.alreadyStarted) { try server.start() }
  }

  // MARK: Listening

  @Test func `several loops share one port`() async throws {
    try await RunningServer.run(.echo, loops: 4) { running in
      for _ in 0..<40 {
        let answer = try await running.connect().get("/")
        #expect(answer.status == 200)
      }
    }
  }

  @Test func `listens on several addresses, IPv6 among them`() async throws {
    let six = try #require(ListenAddress("[::1]:0"))
    try await RunningServer.run(.echo, on: [.loopback(port: 0), six]) { running in
      for address in running.server.addresses {
        let answer = try await RawClient(address).get("/x")
        #expect(answer.text == "GET /x 0")
      }
    }
  }

  @Test func `a port in use is an error, for a second server of ours too`() async throws {
    try await RunningServer.run(.echo) { running in
      let second = Server(ServerSettings([running.address]), .echo)
      #expect(throws: ServerError.addressInUse(running.address.description)) {
        try second.start()
      }
    }
  }

  @Test func `a Unix socket is served, and gone at the end`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/http.sock"
    try await RunningServer.run(.echo, on: [.unix(path: path, mode: 0o600)], loops: 2) { running in
      for _ in 0..<10 {
        let answer = try await running.connect().get("/u")
        #expect(answer.text == "GET /u 0")
      }
      var facts = stat()
      #expect(unsafe stat(path, &facts) == 0)
      #expect(facts.st_mode & 0o777 == 0o600)
      let second = Server(ServerSettings([.unix(path: path)]), .echo)
      #expect(throws: ServerError.addressInUse("unix:\(path)")) { try second.start() }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a socket file left behind is taken over`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/http.sock"
    let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: path.utf8)
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(left, $0, size)
      }
    }
    #expect(bound == 0)
    close(left)
    try await RunningServer.run(.echo, on: [.unix(path: path)]) { running in
      let answer = try await running.connect().get("/")
      #expect(answer.status == 200)
    }
  }

  @Test func `an ordinary file in the place of a socket stays`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("http.sock", [1])
    let server = Server(ServerSettings([.unix(path: path)]), .echo)
    #expect(throws: ServerError.addressInUse("unix:\(path)")) { try server.start() }
    #expect(FileManager.default.contents(atPath: path) == Data([1]))
  }

  @Test func `a start that failed can be tried again`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("http.sock", [])
    let server = Server(ServerSettings([.unix(path: path)]), .echo)
    #expect(throws: ServerError.self) { try server.start() }
    try FileManager.default.removeItem(atPath: path)
    try server.start()
    #expect(try await RawClient(server.addresses[0]).get("/").status == 200)
    await server.stop()
  }

  @Test func `sockets of systemd are served`() async throws {
    // As systemd would hand it over: bound, listening, without a flag of ours.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, size)
      }
    }
    #expect(bound == 0 && listen(listener, 16) == 0)
    try await RunningServer.run(.echo, on: [.inherited(descriptor: listener)], loops: 2) {
      running in
      #expect((running.address.port ?? 0) > 0)
      for _ in 0..<10 {
        let answer = try await running.connect().get("/")
        #expect(answer.status == 200)
      }
    }
  }

  @Test func `the variables of systemd are read strictly`() {
    let both = SocketActivation.addresses(listenPID: "42", listenFDs: "2", ownPID: 42)
    #expect(both == [.inherited(descriptor: 3), .inherited(descriptor: 4)])
    for (pid, count) in [("41", "1"), ("42", "0"), ("42", "x"), ("", "1"), ("42", "-1")] {
      #expect(
        SocketActivation.addresses(listenPID: pid, listenFDs: count, ownPID: 42).isEmpty)
    }
    #expect(SocketActivation.addresses(listenPID: nil, listenFDs: nil, ownPID: 42).isEmpty)
  }

  @Test func `what is no listening socket is an error`() throws {
    let plain = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(plain) }
    let server = Server(ServerSettings([.inherited(descriptor: plain)]), .echo)
    #expect(throws: ServerError.notASocket(descriptor: plain)) { try server.start() }
  }

  @Test(arguments: [
    ("127.0.0.1:80", "127.0.0.1:80"), ("[::1]:80", "[::1]:80"), (":80", "0.0.0.0:80"),
    ("localhost:80", "127.0.0.1:80"), ("unix:/run/x", "unix:/run/x"),
  ])
  func `addresses are read`(text: String, printed: String) {
    #expect(ListenAddress(text)?.description == printed)
  }

  @Test(arguments: ["", "80", "::1:80", "host:80", "127.0.0.1:65536", "unix:", "1:x"])
  func `what is no address is none`(text: String) {
    #expect(ListenAddress(text) == nil)
  }
}
