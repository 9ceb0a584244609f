import HTTP
package import HTTPServer
import Machine
import Synchronization

/// One world of libraries, clock, faults and journal behind one lock. Requests are carried out one
/// at a time, as in a database; what takes time about them happens outside.
package final class MockWorld: Sendable {
  package let dialects: [Dialect]
  private let state: Mutex<WorldState>
  private let beginning: Mutex<WorldState>

  package init(
    _ scenario: Scenario = .threeCards, seed: UInt64 = 1, at start: Moment = .usualStart,
    dialects: [Dialect]
  ) {
    self.dialects = dialects
    let first = WorldState(scenario, seed: seed, at: start, dialects: dialects)
    state = Mutex(first)
    beginning = Mutex(first)
  }

  /// Looks at or changes the world; nobody else does meanwhile. The change must not wait.
  package func withState<Result: Sendable>(
    _ body: (inout WorldState) -> Result
  ) -> Result {
    state.withLock { body(&$0) }
  }

  /// Back to the beginning: an assignment, however large the catalogue is.
  package func reset() {
    let first = beginning.withLock { $0 }
    state.withLock { $0 = first }
  }

  package func begin(_ scenario: Scenario, seed: UInt64, at start: Moment) {
    let first = WorldState(scenario, seed: seed, at: start, dialects: dialects)
    beginning.withLock { $0 = first }
    state.withLock { $0 = first }
  }

  /// What this world's dialects answer, with everything that goes wrong.
  package func answer(_ request: MockRequest, _ presence: Presence) async -> Response {
    let found = dialects.lazy.compactMap { dialect in
      dialect.operation(request).map { (dialect, $0) }
    }.first
    let (dialect, operation) = (found?.0, found?.1 ?? "unknown")
    let (prepared, mishap, number) = state.withLock { state in
      Self.prepare(request, dialect, operation, &state)
    }
    let response = await mishap.deliver(prepared, to: presence)
    if mishap.delivery == .severed || mishap.delivery == .never {
      state.withLock { $0.journal.edit(number) { $0.status = 0 } }
    }
    return response
  }

  private static func prepare(
    _ request: MockRequest, _ dialect: Dialect?, _ operation: String, _ state: inout WorldState
  ) -> (Response, Mishap, Int) {
    state.settle()
    let now = state.now
    let provider = dialect?.name ?? ""
    let number = state.journal.open(
      at: now, provider: provider, operation: operation, request: request)
    let faults = state.faults.strike(
      provider: provider, operation: operation, path: request.pathText, at: now)
    var course = Course(request, dialect, faults)
    var response = course.run(&state)
    response.headers.set("Date", now.httpDate.description)
    let (body, status, headers) = (response.wholeBody, response.status.code, response.headers)
    state.journal.edit(number) { entry in
      entry.faults = course.journal
      (entry.status, entry.replyHeaders) = (status, headers)
      entry.replyBody = Array(body.prefix(Journal.bodyBytes))
    }
    return (response, course.mishap, number)
  }
}
