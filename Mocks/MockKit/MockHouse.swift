import HTTP
package import HTTPServer
package import JSON
import Synchronization

/// A mock server's handler: finds the tenant, serves its admin interface, and leaves the rest to its
/// world. Tenants make themselves known by a header or by the front of the path, so that tests which
/// run at the same time need only one process.
package final class MockHouse: Sendable {
  package static let tenantHeader = "X-Mock-Tenant"
  package static let tenantPrefix = "__tenant"
  /// Whoever makes up a new tenant for each request must not fill the memory.
  package static let mostTenants = 256

  package typealias Arrangement = @Sendable (inout WorldState) throws(AdminRefusal) -> Void

  private let make: @Sendable () -> MockWorld
  /// What every world begins with besides its scenario.
  private let arrangement = Mutex<Arrangement?>(nil)
  private let tenants: Mutex<[String: MockWorld]>
  private let shutDown: @Sendable () -> Void
  private let directory: RecordingFolder?
  package let main: MockWorld

  package init(
    _ scenario: Scenario = .threeCards, seed: UInt64 = 1, at start: Moment = .usualStart,
    dialects: [Dialect], recordings directory: RecordingFolder? = nil,
    shutDown: @escaping @Sendable () -> Void = {}
  ) {
    let make: @Sendable () -> MockWorld = {
      MockWorld(scenario, seed: seed, at: start, dialects: dialects)
    }
    let main = make()
    (self.make, self.main, self.shutDown) = (make, main, shutDown)
    self.directory = directory
    tenants = Mutex(["": main])
  }

  package var handler: Handler {
    Handler { request in await self.answer(request) }
  }

  private func answer(_ request: Request) async -> Response {
    var name = request[Self.tenantHeader] ?? ""
    var prefix = 0
    if request.path.first == Self.tenantPrefix, request.path.count > 1 {
      (name, prefix) = (request.path[1], 2)
    }
    guard let world = tenant(name) else {
      return .problem(Problem(.serviceUnavailable, code: "too_many_tenants"))
    }
    let asked = MockRequest(request, dropping: prefix)
    if asked.path.first == "__admin" {
      let admin = Admin(
        world: world, readyLine: { Self.readyLine(world, at: $0) }, shutDown: shutDown,
        directory: directory)
      return await admin.answer(asked)
    }
    return await world.answer(asked, request.presence)
  }

  /// Writes what is still being recorded.
  package func close() async throws(AdminRefusal) {
    for world in tenants.withLock({ Array($0.values) }) { _ = try await world.end() }
  }

  /// Adds to the beginning of the main world, and of every tenant's that is made from now on.
  package func arrange(_ change: @escaping Arrangement) throws(AdminRefusal) {
    try main.begin(with: change)
    arrangement.withLock { $0 = change }
  }

  /// The world of that tenant; a new one begins as the main one began.
  package func tenant(_ name: String) -> MockWorld? {
    tenants.withLock { tenants in
      if let world = tenants[name] { return world }
      guard tenants.count < Self.mostTenants else { return nil }
      let world = make()
      if let change = arrangement.withLock({ $0 }) {
        // It was possible in the main world, which began alike.
        do throws(AdminRefusal) { try world.begin(with: change) } catch { return nil }
      }
      tenants[name] = world
      return world
    }
  }

  /// What a test has to know to begin, on one line.
  package static func readyLine(_ world: MockWorld, at base: String) -> JSONValue {
    world.withState { state in
      let libraries = state.libraries.map { library -> JSONValue in
        [
          "provider": .string(library.provider), "id": .string(library.id),
          "name": .string(library.name), "endpoints": .object(library.endpoints(base)),
          "cards": .array(library.cards.map(\.json)),
        ]
      }
      return [
        "ready": true, "base": .string(base), "admin": .string(base + "/__admin"),
        "scenario": .string(state.scenario), "seed": .string(String(state.seed)),
        "clock": .string(state.now.text), "libraries": .array(libraries),
      ]
    }
  }
}
