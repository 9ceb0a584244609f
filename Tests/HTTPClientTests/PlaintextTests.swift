import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct `A client that sends nothing personal without encryption` {
  private struct Seen {
    let server: RawServer
    let requests = Journal<RawConnection.Request>()

    init(_ status: String = "200 OK", _ headers: [String] = []) throws {
      let requests = requests
      server = try RawServer { connection in
        while let request = connection.request() {
          requests.append(request)
          connection.answer(status, headers)
        }
      }
    }
  }

  private func client(naming hosts: [String] = []) throws -> Client {
    try Client.local {
      $0.plaintext = .refused(
        except: AddressGate(allowing: hosts.compactMap { AddressGate.Allowance($0) }))
    }
  }

  struct Personal: Sendable, CustomTestStringConvertible {
    let method: Method
    var headers: Headers = [:]
    var body: Request.Body = .none
    var secret: [String] = []
    var testDescription: String { "\(method) \(headers.fields.map(\.name)) \(body)" }
  }

  static let personal = [
    Personal(method: .get, headers: ["Authorization": "Basic eA=="]),
    Personal(method: .get, headers: ["Cookie": "a=b"]),
    Personal(method: .get, headers: ["X-Card": "1"], secret: ["x-card"]),
    Personal(method: .post, body: .bytes(Array("card=1".utf8))), Personal(method: .post),
    Personal(method: .delete),
  ]

  @Test(arguments: personal)
  func `a request with credentials or a body is refused over plain http`(_ row: Personal)
    async throws
  {
    let seen = try Seen()
    defer { seen.server.stop() }
    let request = Request(
      row.method, try Address(seen.server.url("/")), headers: row.headers, body: row.body,
      secretHeaders: row.secret)
    let strict = try client()
    let error = await failure { () async throws(TransportError) in try await strict.send(request) }
    #expect(error == .refusedAddress(Refusal("127.0.0.1", .notEncrypted)))
    #expect(seen.server.accepted == 0)
    let lenient = try client(naming: ["127.0.0.1:\(seen.server.port)"])
    #expect(try await lenient.send(request).status == .ok)
    #expect(seen.requests.all.count == 1)
  }

  @Test func `a request that tells of no person goes over plain http`() async throws {
    let seen = try Seen()
    defer { seen.server.stop() }
    let reply = try await client().send(try .get(seen.server.url("/a")))
    #expect(reply.status == .ok)
  }

  @Test func `a redirect to another host is judged by that host's own gate`() async throws {
    let inner = try Seen()
    let outer = try Seen("307 Elsewhere", ["Location: \(inner.server.url("/in"))"])
    defer { for one in [inner, outer] { one.server.stop() } }
    let client = try Client.local {
      $0.gate = AddressGate()
      $0.gatesOfPlaces["127.0.0.1:\(outer.server.port)"] = AddressGate(
        allowing: [.init("127.0.0.0/8")].compactMap(\.self))
    }
    let request = try Request.get(outer.server.url("/"))
    let error = await failure { () async throws(TransportError) in try await client.send(request) }
    #expect(error == .refusedAddress(Refusal("127.0.0.1", .loopback)))
    #expect(outer.requests.all.count == 1 && inner.server.accepted == 0)
  }

  @Test func `a range names addresses and no name that leads into it`() throws {
    let gate = AddressGate(
      allowing: ["10.0.0.0/8", "books.example:8080"].compactMap { AddressGate.Allowance($0) })
    for (text, isNamed) in [
      ("http://10.1.2.3/", true), ("http://books.example:8080/", true),
      ("http://books.example/", false), ("http://inside.example/", false),
      ("http://[::ffff:10.1.2.3]/", false),
    ] {
      let address = try Address(text)
      #expect(gate.names(address.host, port: address.effectivePort ?? 0) == isNamed, "\(text)")
    }
  }
}
