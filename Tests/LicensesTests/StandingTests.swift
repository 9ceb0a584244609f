import Circulation
import Crypto
import Database
import HTTP
import HTTPClient
import JSON
import LCP
import Machine
import MockKit
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Licenses

private let ada = PatronID("ada")

/// A lender's server of licences, without a wire.
private final class Server: Sendable {
  private struct State {
    var asked: [String] = []
    var status: JSONObject = [:]
    var license: [UInt8] = []
    var isAway = false
  }

  private let state = Mutex(State())

  init(_ id: String) { set { $0.status = Self.status(id, "ready") } }

  static func status(
    _ id: String, _ word: String, updated: String = "2026-01-01T00:00:00Z"
  ) -> JSONObject {
    [
      "id": .string(id), "status": .string(word),
      "updated": ["license": .string(updated), "status": .string(updated)],
      "links": [
        ["rel": "license", "href": "https://lender.example/fresh"],
        [
          "rel": "register", "href": "https://lender.example/register{?id,name}",
          "templated": true,
        ],
      ],
    ]
  }

  private func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
  func say(_ status: JSONObject) { set { $0.status = status } }
  func give(_ license: [UInt8]) { set { $0.license = license } }
  func leave() { set { $0.isAway = true } }
  var asked: [String] { state.withLock { $0.asked } }

  var transport: Transport {
    Transport { [self] request throws(TransportError) in
      let state = state.withLock { state in
        state.asked.append("\(request.method.rawValue) \(request.address.text)")
        return state
      }
      if state.isAway { throw .stopped }
      let path = request.address.text
      let body =
        path.hasSuffix("/fresh")
        ? state.license : JSONValue.object(state.status).bytes()
      return Reply(
        head: ReplyHead(status: .ok, headers: [:]), body: body, address: request.address)
    }
  }
}

@Suite struct `A licence that is asked about` {
  private static func lender() throws -> Lender {
    var lender = try Lender()
    lender.order.links.append(["rel": "status", "href": "https://lender.example/status"])
    return lender
  }

  private func run(
    _ engine: Engine = .sqlite,
    _ body: (Licenses, Lender, License, Server, Clock) async throws -> Void
  ) async throws {
    try await withLicenses(engine) { store, clock, _ in
      let lender = try Self.lender()
      let server = Server(lender.order.id)
      let license = try License(JSONValue.object(try lender.press.license(lender.order)).bytes())
      let licenses = licenses(
        store, clock, LicenseRoots([lender.press.root]), over: server.transport)
      try await body(licenses, lender, license, server, clock)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a license is registered once with one device id, and its status asked once an hour`(
    engine: Engine
  ) async throws {
    try await run(engine) { licenses, _, license, server, clock in
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .good)
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .unknown)
      clock.advance(by: 3_600_000)
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .good)
      let register = server.asked.filter { $0.contains("/register?id=") }
      #expect(server.asked.count == 3 && register.count == 1)
      let device = try #require(await licenses.device())
      #expect(device.utf8.count == 36)
      #expect(register[0] == "POST https://lender.example/register?id=\(device)&name=Carrel")
      #expect(await licenses.device() == device)
    }
  }

  @Test(arguments: ["revoked", "returned", "cancelled", "expired"])
  func `A licence that is asked about has ended when its lender says so`(_ word: String)
    async throws
  {
    try await run { licenses, lender, license, server, _ in
      server.say(Server.status(lender.order.id, word))
      let state = try #require(LicenseStatus.State(rawValue: word))
      #expect(
        await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .ended(state))
    }
  }

  @Test func `A licence that is asked about is exchanged for a newer one that is as sound`()
    async throws
  {
    try await run { licenses, lender, license, server, _ in
      server.say(Server.status(lender.order.id, "active", updated: "2026-01-20T00:00:00Z"))
      var longer = lender
      longer.order.updated = "2026-01-20T00:00:00Z"
      longer.order.rights = ["end": "2026-03-01T00:00:00Z"]
      let bytes = JSONValue.object(try longer.press.license(longer.order)).bytes()
      server.give(bytes)
      guard
        case .renewed(let fresh) = await licenses.standing(
          of: license, for: ada, from: LibraryID("city"))
      else {
        Issue.record("was not renewed")
        return
      }
      #expect(fresh.document == bytes && fresh.rights.end?.rfc3339() == "2026-03-01T00:00:00Z")
    }
  }

  @Test(arguments: [0, 1, 2])
  func `A licence that is asked about stays as it is where the newer one is not sound`(
    _ number: Int
  ) async throws {
    try await run { licenses, lender, license, server, _ in
      server.say(Server.status(lender.order.id, "active", updated: "2026-01-20T00:00:00Z"))
      var other = number == 0 ? try Self.lender() : lender
      other.order.updated = "2026-01-20T00:00:00Z"
      if number == 1 { other.order.id = "another" }
      var object = try other.press.license(other.order)
      if number == 2 { object["rights"] = ["end": "2999-01-01T00:00:00Z"] }
      server.give(JSONValue.object(object).bytes())
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .good)
    }
  }

  @Test
  func `a license status is unknown without an answer or with one for another license`()
    async throws
  {
    try await run { licenses, _, license, server, _ in
      server.say(Server.status("another", "revoked"))
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .unknown)
      server.say(["id": "x"])
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .unknown)
      server.leave()
      #expect(await licenses.standing(of: license, for: ada, from: LibraryID("city")) == .unknown)
    }
  }
}
