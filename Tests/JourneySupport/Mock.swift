import Foundation
package import HTTP
import HTTPClient
package import JSON
import TestSupport

/// The mock as a process of its own, and its admin interface.
package final class Mock: Sendable {
  package let ready: JSONValue
  private let process: RunningProcess
  private let client: Client

  package static func program(_ name: String) -> String { Programs.path(name) }

  /// Its clock starts now, or so many days from now, so that what it lends is due ahead of us.
  package init(_ scenario: String, daysOff: Double = 0) async throws {
    let clock = Date(timeIntervalSinceNow: daysOff * 86_400).formatted(.iso8601)
    process = try RunningProcess(
      Self.program("carrel-mock"), ["serve", "--scenario", scenario, "--clock", clock])
    guard let line = try await process.nextLine() else {
      throw TestSupportError("the mock does not start: \(process.errorText())")
    }
    ready = try JSONValue(parsing: line)
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    client = try Client(configuration)
  }

  /// Ends it for good: nothing listens on its port any more.
  package func end() async throws {
    process.send(SIGTERM)
    _ = try await process.waitForEnd()
    await client.shutdown()
  }

  @discardableResult
  package func admin(_ method: HTTP.Method, _ path: String, _ body: JSONValue? = nil) async throws
    -> JSONValue
  {
    let base = ready["admin"]?.string ?? ""
    var request = HTTPClient.Request(method, try Address(base + path))
    if let body {
      request.headers.set("Content-Type", "application/json")
      request.body = .bytes(body.bytes())
    }
    request.limits = .init(body: 64 << 20)
    let reply = try await client.send(request)
    guard reply.status.isSuccess else {
      throw TestSupportError("the mock: \(String(decoding: reply.body, as: UTF8.self))")
    }
    return reply.body.isEmpty ? .null : try JSONValue(parsing: reply.body)
  }

  /// Lets time pass at the library.
  package func advance(_ span: String) async throws {
    try await admin(.post, "/clock", ["advance": .string(span)])
  }

  package func add(_ fault: JSONValue) async throws { try await admin(.post, "/faults", fault) }
  package func removeFaults() async throws { try await admin(.delete, "/faults") }

  /// Changes what the library keeps of a card.
  package func change(_ card: String, _ members: JSONObject) async throws {
    var members = members
    members["card"] = .string(card)
    try await change(["cards": [.object(members)]])
  }

  package func change(_ members: JSONObject) async throws {
    var library = members
    library["id"] = .string(Self.library)
    try await admin(.put, "/state", ["libraries": [.object(library)]])
  }

  /// The library most tests play at, and three of its readers.
  package static let library = "4225"
  package static let name = "Mockville Library Consortium"
  package static let ada = "23000000000001"
  package static let bruno = "23000000000002"
  package static let chinua = "23000000000003"

  /// What the library itself knows to be so.
  package struct Truth: Sendable {
    package struct Title: Sendable {
      package let id: String
      package let name: String
      package let available: Int
      package let isCounted: Bool
    }

    package let titles: [Title]
    private let json: JSONValue

    package init(_ state: JSONValue) {
      json = state["libraries"]?.array?.first { $0["id"]?.string == Mock.library } ?? .null
      titles = (json["titles"]?.array ?? []).map { title in
        Title(
          id: title["id"]?.string ?? "", name: title["name"]?.string ?? "",
          available: title["available"]?.integer ?? 0, isCounted: title["copies"] != nil)
      }
    }

    /// Titles on loan; one that was lent twice stands here twice.
    package func loans(of card: String) -> [String] { items("loans", card) }
    package func holds(of card: String) -> [String] { items("holds", card) }

    private func items(_ kind: String, _ card: String) -> [String] {
      (json[kind]?.array ?? []).filter { $0["card"]?.string == card }
        .compactMap { $0["title"]?.string }.sorted()
    }
  }

  package func truth() async throws -> Truth { Truth(try await admin(.get, "/state")) }
}
