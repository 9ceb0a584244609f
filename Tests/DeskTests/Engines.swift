import Circulation
import Database
import Desk
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// A town with its lending library, and a database for the desks of its gateways.
final class House: Sendable {
  let location: Location
  let clock = Clock()
  let town: Town
  /// Programs that were killed.
  let ended = Mutex<Set<String>>([])
  private let opened = Mutex<[Store]>([])

  init(_ location: Location) {
    self.location = location
    town = Town(clock)
  }

  /// A gateway as it starts: with a connection of its own, on one of the town's machines.
  func gateway(
    on machine: String? = "town", process: String? = nil,
    _ change: (inout Desk.Settings) -> Void = { _ in }
  ) async throws -> Gateway {
    let store = try await Store.open(location, .forTests)
    opened.withLock { $0.append(store) }
    _ = try await store.migrate([Desk.migrations], at: 0)
    var patience = Desk.Settings()
    change(&patience)
    let (clock, town) = (clock, town)
    let hasEnded: @Sendable (String) -> Bool = { [self] name in
      ended.withLock { $0.contains(name) }
    }
    let desk = Desk(
      store: store, settings: patience, now: { clock.now },
      run: machine.map {
        MachineRun(name: $0, age: { clock.real }, process: process, hasEnded: hasEnded)
      },
      isLinked: { _, account in town.isLinked(account) },
      open: { account, _ in Card(town: town, account: account) })
    return Gateway(store: store, desk: desk)
  }

  func close() async { for store in opened.withLock({ $0 }) { await store.close() } }
}

struct Gateway: Sendable {
  let store: Store
  let desk: Desk

  func reader(_ name: AccountID = "ada") -> Reader { Reader(desk: desk, account: name) }

  /// What is written of each attempt.
  func states(of account: AccountID) async throws -> [String: String] {
    let rows = try await store.read { tx throws(DatabaseError) in
      try tx.rows(
        "SELECT attempt, state FROM desk_intent WHERE account = \(account.rawValue) ORDER BY id"
      ) { row throws(DatabaseError) -> (String, String) in (try row[0], try row[1]) }
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  func openAttempts(of account: AccountID) async throws -> [String] {
    try await states(of: account).filter { $0.value == "open" }.map(\.key).sorted()
  }

  func forget(_ account: AccountID) async throws {
    try await store.write { tx throws(DatabaseError) in try Desk.forget(account, in: tx) }
  }

  func run(_ statement: SQL) async throws {
    try await store.write { tx throws(DatabaseError) in try tx.execute(statement) }
  }

  func shelf(of account: AccountID) async throws -> Shelf {
    Shelf(
      loans: try await desk.loans(of: [account]).map(\.loan).sorted { $0.item < $1.item },
      holds: try await desk.holds(of: [account]).map(\.hold).sorted { $0.item < $1.item })
  }
}

/// The time of the gateway, and of the town unless it is told wrongly.
final class Clock: Sendable {
  private let moment = Mutex((real: Int64(1_700_000_000_000), wrong: Int64(0)))

  var now: Int64 { moment.withLock { $0.real + $0.wrong } }
  var real: Int64 { moment.withLock { $0.real } }

  func step(seconds: Int64) { moment.withLock { $0.real += seconds * 1000 } }

  /// Sets the gateway's clock, while the town's goes on.
  func set(seconds: Int64) { moment.withLock { $0.wrong += seconds * 1000 } }
}

func withHouse<R>(_ engine: Engine, _ body: (House) async throws -> R) async throws -> R {
  try await engine.withAddress { try await withHouse(at: $0, body) }
}

private func withHouse<R>(at address: String, _ body: (House) async throws -> R) async throws -> R {
  let house = House(try Location(address))
  let result: Result<R, any Error>
  do { result = .success(try await body(house)) } catch { result = .failure(error) }
  await house.close()
  return try result.get()
}

/// The usual beginning of a test: one gateway, and Ada at it.
func withReader<R>(_ engine: Engine, _ body: (House, Gateway, Reader) async throws -> R)
  async throws -> R
{
  try await withHouse(engine) { house in
    let gateway = try await house.gateway()
    return try await body(house, gateway, gateway.reader())
  }
}

extension Identifier: ExpressibleByUnicodeScalarLiteral {}
extension Identifier: ExpressibleByExtendedGraphemeClusterLiteral {}
extension Identifier: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}
