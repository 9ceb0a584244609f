import Foundation
package import HTTP
package import HTTPClient
package import JSON
import Synchronization
package import TestSupport

/// Several gateways of one house on ports of their own, and before them nginx; or, where the gateways
/// themselves are looked at, what it does with `proxy_next_upstream`: a question that one does not
/// answer goes to the next.
package final class Upstreams: Sendable {
  package let ports: [Int]
  private let stage: Stage
  private let client: Client
  private let processes: Mutex<[RunningProcess]>
  private let turn = Atomic(0)
  private let front: Front?
  private let variables: [String: String]

  package init(_ stage: Stage, count: Int = 2, frontPort: Int? = nil) async throws {
    var (ports, processes): ([Int], [RunningProcess]) = ([], [])
    var variables = Stage.variables
    if let frontPort {
      variables["CARREL_SERVER_PUBLIC_URL"] = Front.site(at: frontPort)
      variables["CARREL_SERVER_TRUSTED_PROXIES"] = "127.0.0.1"
    }
    for _ in 0..<count {
      let (port, process) = try await Self.start(stage, port: nil, variables)
      ports.append(port)
      processes.append(process)
    }
    (self.stage, self.ports, self.variables) = (stage, ports, variables)
    self.processes = Mutex(processes)
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    if let frontPort {
      guard let front = try await Front(port: frontPort, before: ports) else {
        throw TestSupportError("nginx does not start")
      }
      configuration.trust = .file(front.certificate)
      self.front = front
    } else {
      front = nil
    }
    client = try Client(configuration)
  }

  private static func start(
    _ stage: Stage, port: Int?, _ variables: [String: String]
  ) async throws -> (Int, RunningProcess) {
    for _ in 0..<5 {
      let port = try port ?? sparePort()
      let process = try RunningProcess(
        Mock.program("carrel"), ["--home", stage.home, "serve", "--port", "\(port)"],
        environment: variables)
      if try await process.nextLine() != nil { return (port, process) }
    }
    throw TestSupportError("a gateway does not start")
  }

  /// Ends one as a service manager does, and starts it again. Returns how it ended.
  package func restart(_ place: Int) async throws -> ProcessEnd {
    let process = processes.withLock { $0[place] }
    process.send(SIGTERM)
    let end = try await process.waitForEnd()
    let (_, next) = try await Self.start(stage, port: ports[place], variables)
    processes.withLock { $0[place] = next }
    return end
  }

  package func end() async throws {
    for process in processes.withLock({ $0 }) {
      process.send(SIGTERM)
      _ = try await process.waitForEnd()
    }
    try await front?.end()
    await client.shutdown()
  }

  /// The answer of whichever gateway gives one, the first one asked changing with each question.
  package func ask(
    _ path: String, _ method: HTTP.Method = .get, body: JSONValue? = nil,
    headers: [(String, String)] = []
  ) async -> HTTPClient.Reply? {
    if let front { return try? await send(front.site + path, method, body, headers) }
    let first = turn.wrappingAdd(1, ordering: .relaxed).newValue
    var last: HTTPClient.Reply?
    for number in ports.indices {
      let port = ports[(first + number) % ports.count]
      guard let reply = try? await send(path, method, body, headers, to: port) else { continue }
      last = reply
      if reply.status.code != 502, reply.status.code != 503 { return reply }
    }
    return last
  }

  package func send(
    _ path: String, _ method: HTTP.Method, _ body: JSONValue?, _ headers: [(String, String)],
    to port: Int
  ) async throws -> HTTPClient.Reply {
    try await send("http://127.0.0.1:\(port)\(path)", method, body, headers)
  }

  private func send(
    _ address: String, _ method: HTTP.Method, _ body: JSONValue?, _ headers: [(String, String)]
  ) async throws -> HTTPClient.Reply {
    var request = HTTPClient.Request(method, try Address(address))
    for (name, value) in headers { request.headers.set(name, value) }
    if let body {
      request.headers.set("Content-Type", "application/json")
      request.body = .bytes(body.bytes())
    }
    return try await client.send(request)
  }
}
