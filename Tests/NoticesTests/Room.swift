import Circulation
import Database
import HTTPClient
import Machine
import Phrasebook
import Registry
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Vault

@testable import Notices

let (ada, bob) = (PatronID("ada"), PatronID("bob"))

/// A gateway's notices on one database, with a clock that is moved by hand and stands in UTC.
struct Room: Sendable {
  let store: Store
  /// Noon of 22 November 2026.
  let clock = Clock(at: 1_795_348_800_000)
  let client: Client
  var settings = Notices.Settings()

  /// Another process on the same database, or the same one after a restart.
  func notices(
    in tongue: Tongue = .english, locked: Bool = false,
    _ change: (inout Ways) -> Void = { _ in }
  ) -> Notices {
    var ways = Ways(
      patrons: client.transport, unencrypted: client.configuration.gate,
      contact: "mailto:keeper@library.example")
    ways.site = "https://books.example"
    change(&ways)
    return Notices(
      store: store, ways: ways, settings: settings, now: { [clock] in clock.now },
      clocks: { zone in
        let standing: Clockwork = { _ in 0 }
        return zone == nil ? standing : Notices.systemClocks(zone)
      }, jitter: { 0.5 },
      tongue: { $0 == ada ? tongue : .english },
      key: { () throws(VaultError) in
        if locked { throw .sealed }
        return Secret("one key of this house, of 32 by.")
      })
  }

  func states() async throws -> [String] {
    try await store.read { tx throws(DatabaseError) in
      try tx.rows("SELECT state FROM notice_sending ORDER BY id") {
        row throws(DatabaseError) -> String in try row[0]
      }
    }
  }
}

func withRoom<R>(_ engine: Engine, _ body: (Room) async throws -> R) async throws -> R {
  var configuration = ClientConfiguration()
  configuration.gate = AddressGate(
    allowing: ["127.0.0.1"].compactMap { AddressGate.Allowance($0) })
  let client = try Client(configuration)
  defer { Task { await client.shutdown() } }
  return try await withStore(engine, tables: [Registry.migrations, Notices.migrations]) { store in
    try await body(Room(store: store, client: client))
  }
}

/// Somebody who takes posts, answers as told, and remembers them.
final class Receiver: Sendable {
  struct Post: Sendable {
    let target: String
    let headers: [String: String]
    let body: [UInt8]
  }

  private let server: RawServer
  private let kept: Kept

  private final class Kept: Sendable {
    let posts = Mutex<[Post]>([])
    let answers = Mutex<[(String, [String])]>([])
  }

  init(_ answers: (String, [String])...) throws {
    let kept = Kept()
    kept.answers.withLock { $0 = answers }
    self.kept = kept
    server = try RawServer { connection in
      while let request = connection.request() {
        var headers: [String: String] = [:]
        for line in request.head.components("\r\n").dropFirst() {
          let parts = line.components(": ")
          if parts.count > 1 {
            headers[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
          }
        }
        let post = Post(target: request.target, headers: headers, body: request.body)
        kept.posts.withLock { $0.append(post) }
        let (status, fields) = kept.answers.withLock {
          $0.isEmpty ? ("201 Created", []) : $0.removeFirst()
        }
        connection.answer(status, fields)
      }
    }
  }

  var address: String { server.url("/in?secret=tell-nobody") }
  var posts: [Post] { kept.posts.withLock { $0 } }
  func stop() { server.stop() }
}

extension Fact {
  static func ready(
    _ patron: PatronID = ada, _ hold: String = "hold-1", change: String = "day 7",
    until: Int64? = nil
  ) -> Fact {
    Fact(
      .holdReady, for: patron, about: hold, change: change,
      Matter(title: "The Quillon Tides", library: "City Library", card: "city", format: "EPUB"),
      until: until)
  }
}

extension Room {
  /// As after the patron typed the code.
  func confirmAll() async throws {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute("UPDATE notice_channel SET confirmed_at = made_at")
    }
  }
}

extension Notices {
  /// A webhook by that address.
  func addHook(
    _ address: String, of patron: PatronID = ada, name: String = "hook",
    _ change: (inout ChannelOrder) -> Void = { _ in }
  ) async throws -> Channel {
    var order = ChannelOrder(
      name: name, medium: .webhook, fields: ["address": Secret(address)])
    change(&order)
    return try await add(order, of: patron).channel
  }
}
