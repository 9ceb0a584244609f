import Foundation
import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `Connections are pooled` {
  @Test func `Connections are pooled: requests one after the other share one connection`()
    async throws
  {
    let server = try RawServer { connection in
      while let request = connection.request() { connection.answer("200 OK", [], request.target) }
    }
    defer { server.stop() }
    let client = try Client.local()
    for number in 0..<100 {
      let reply = try await client.send(.get(server.url("/\(number)")))
      #expect(reply.body == Array("/\(number)".utf8))
    }
    #expect(server.accepted == 1)
  }

  @Test(arguments: [1, 3])
  func `the HTTP client never opens more connections to a host than its limit`(_ cap: Int)
    async throws
  {
    let server = try RawServer { connection in
      while let request = connection.request() { connection.answer("200 OK", [], request.target) }
    }
    defer { server.stop() }
    let client = try Client.local { $0.connectionsPerHost = cap }
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          guard let request = try? Request.get(server.url("/\(number)")) else { return false }
          let reply = try? await client.send(request)
          return reply?.body == Array("/\(number)".utf8)
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(server.accepted <= cap)
  }

  @Test
  func `the HTTP client opens a new connection after a reply with Connection close`() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.answer("200 OK", ["Connection: close"])
    }
    defer { server.stop() }
    let client = try Client.local()
    for _ in 0..<3 { _ = try await client.send(.get(server.url())) }
    #expect(server.accepted == 3)
  }

  /// The pooled connection dies when the next request is already on it.
  private func dyingServer(_ seen: Journal<String>) throws -> RawServer {
    try RawServer { connection in
      guard let first = connection.request() else { return }
      seen.append(first.method)
      connection.answer()
      guard connection.number == 1, let second = connection.request() else { return }
      seen.append(second.method)
    }
  }

  @Test func `the HTTP client repeats a repeatable request on a fresh connection`() async throws {
    let seen = Journal<String>()
    let server = try dyingServer(seen)
    defer { server.stop() }
    let client = try Client.local()
    _ = try await client.send(.get(server.url()))
    let reply = try await client.send(.get(server.url()))
    #expect(reply.status == .ok)
    #expect(seen.all == ["GET", "GET", "GET"])
  }

  @Test(arguments: [[UInt8](), Array("borrow".utf8)])
  func `the HTTP client never sends a command twice`(_ body: [UInt8]) async throws {
    let seen = Journal<String>()
    let server = try dyingServer(seen)
    defer { server.stop() }
    let client = try Client.local()
    _ = try await client.send(.get(server.url()))
    let request = Request(.post, try Address(server.url()), body: .bytes(body))
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    guard case .connectionLost = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.mayHaveArrived == true)
    #expect(seen.all == ["GET", "POST"])
  }

  @Test func `the HTTP client leaves no open socket after thousands of requests`() async throws {
    let server = try RawServer { connection in
      while let request = connection.request() {
        switch request.target {
        case "/cut": return
        case "/stall":
          connection.waitForClose()
          return
        default: connection.answer("200 OK", [], "x")
        }
      }
    }
    defer { server.stop() }
    let client = try Client.local()
    for number in 0..<3000 {
      switch number % 10 {
      case 7: _ = try? await client.send(.get(server.url("/cut")))
      case 8:
        var request = try Request.get(server.url("/stall"))
        request.deadline = .at(.now + .milliseconds(1))
        let short = request
        _ = await failure { () async throws(TransportError) in try await client.send(short) }
      default: #expect(try await client.send(.get(server.url())).status == .ok)
      }
    }
    await client.shutdown()
    #expect(openSockets(to: server.port) == 0)
  }
}

/// Connected sockets of this process whose other end is that port, as the kernel lists them. Other
/// tests open and close descriptors meanwhile, so their number says nothing.
private func openSockets(to port: Int) -> Int {
  let suffix = ":" + String(UInt16(port), radix: 16, uppercase: true).leftPadded(to: 4)
  let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .ascii)) ?? ""
  return table.split(separator: "\n").dropFirst().count { line in
    let fields = line.split(separator: " ")
    // Column 3 is the remote end, column 4 the state; 01 is connected, 08 is half closed by peer.
    return fields.count > 9 && fields[2].hasSuffix(suffix) && ["01", "08"].contains(fields[3])
      && fields[9] != "0"
  }
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
