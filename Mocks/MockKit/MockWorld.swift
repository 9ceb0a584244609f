import HTTP
package import HTTPServer
package import JSON
import Machine
import Synchronization

/// One world of libraries, clock, faults and journal behind one lock. Requests are carried out one
/// at a time, as in a database; what takes time about them happens outside.
package final class MockWorld: Sendable {
  /// Who answers: our own libraries, a real service that is being recorded, or a recording.
  enum Source: Sendable {
    case played
    case recorded(Recorder)
    case replayed(Replay)
  }

  package let dialects: [Dialect]
  private let state: Mutex<WorldState>
  private let beginning: Mutex<WorldState>
  private let source = Mutex(Source.played)
  /// Secrets of recordings that have ended, which the journal may still hold.
  private let learned = Mutex(Set<String>())

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

  /// Back to the beginning: an assignment, however large the catalogue is. A replay begins again.
  package func reset() {
    let first = beginning.withLock { $0 }
    state.withLock { $0 = first }
    if case .replayed(let replay) = current { replay.rewind() }
  }

  package func begin(_ scenario: Scenario, seed: UInt64, at start: Moment) {
    let first = WorldState(scenario, seed: seed, at: start, dialects: dialects)
    beginning.withLock { $0 = first }
    state.withLock { $0 = first }
  }

  /// Changes the beginning, to which a reset leads back, as settings do at the start.
  package func begin(with change: (inout WorldState) throws(AdminRefusal) -> Void)
    throws(AdminRefusal)
  {
    var first = beginning.withLock { $0 }
    try change(&first)
    let changed = first
    beginning.withLock { $0 = changed }
    state.withLock { $0 = changed }
  }

  // MARK: Who answers

  var current: Source { source.withLock { $0 } }

  /// Gives what was there before, for the caller to bring to its end.
  func answer(from next: Source) -> Source {
    let previous = source.withLock { source in
      defer { source = next }
      return source
    }
    if case .recorded(let recorder) = previous {
      learned.withLock { $0.formUnion(recorder.secrets) }
    }
    return previous
  }

  /// A part of the journal without what was secret in it.
  package func shown(_ json: JSONValue) -> JSONValue {
    var redaction = state.withLock { $0.redaction }
    for secret in learned.withLock({ $0 }) { redaction.learn(secret) }
    if case .recorded(let recorder) = current {
      for secret in recorder.secrets { redaction.learn(secret) }
    }
    return redaction.json(json)
  }

  /// What this world answers, with everything that goes wrong.
  package func answer(_ request: MockRequest, _ presence: Presence) async -> Response {
    let (prepared, mishap, number, dialect) = await prepare(request)
    let isZipped = dialect?.coding == .gzipWhenAsked && mishap.delivery == .whole
    let coded = isZipped ? prepared.zipped(for: request) : prepared
    let response = await mishap.deliver(coded, to: presence)
    note(mishap, number)
    return response
  }

  /// The same for a line, which delivers what it is given itself.
  package func answer(line request: MockRequest) async -> (Response, Mishap) {
    let (prepared, mishap, number, _) = await prepare(request)
    note(mishap, number)
    return (prepared, mishap)
  }

  /// What never arrived has no status.
  private func note(_ mishap: Mishap, _ number: Int) {
    guard [.severed, .never, .restarted].contains(mishap.delivery) else { return }
    state.withLock { $0.journal.edit(number) { $0.status = 0 } }
  }

  private func prepare(_ request: MockRequest) async -> (Response, Mishap, Int, Dialect?) {
    let found = dialects.lazy.compactMap { dialect in
      dialect.operation(request).map { (dialect, $0) }
    }.first
    let visit = Visit(request, found?.0, found?.1 ?? "unknown")
    let source = current
    let (prepared, mishap, number): (Response, Mishap, Int)
    if case .recorded(let recorder) = source {
      (prepared, mishap, number) = await self.recorded(visit, by: recorder)
    } else {
      (prepared, mishap, number) = state.withLock { state in
        var course = visit.open(&state)
        let response =
          course.hindrance(&state)
          ?? (source.replay?.run(visit, &course, &state) ?? visit.run(&course, &state))
        return visit.close(response, course, &state)
      }
    }
    return (prepared, mishap, number, found?.0)
  }

  /// The real service is asked while nobody is kept waiting at the lock.
  private func recorded(_ visit: Visit, by recorder: Recorder) async -> (Response, Mishap, Int) {
    let (opened, early) = state.withLock { state -> (Course, Response?) in
      var course = visit.open(&state)
      let early = course.hindrance(&state)
      return (course, early)
    }
    let answer: Response
    if let early { answer = early } else { answer = await recorder.answer(visit.request) }
    return state.withLock { state in
      var course = opened
      let response = early ?? course.spoiled(answer, &state)
      return visit.close(response, course, &state)
    }
  }
}

extension MockWorld.Source {
  fileprivate var replay: Replay? { if case .replayed(let replay) = self { replay } else { nil } }
}

/// One request on its way through a world.
private struct Visit {
  let request: MockRequest
  private let dialect: Dialect?
  private let operation: String

  init(_ request: MockRequest, _ dialect: Dialect?, _ operation: String) {
    (self.request, self.dialect, self.operation) = (request, dialect, operation)
  }

  func open(_ state: inout WorldState) -> Course {
    state.settle()
    let (now, provider) = (state.now, dialect?.name ?? "")
    let number = state.journal.open(
      at: now, provider: provider, operation: operation,
      request: dialect?.veil?(request) ?? request)
    let (faults, draws) = state.faults.strike(
      provider: provider, operation: operation, path: request.pathText, at: now)
    state.journal.edit(number) { $0.draws = draws }
    return Course(request, dialect, faults, number)
  }

  func run(_ course: inout Course, _ state: inout WorldState) -> Response {
    course.run(&state) { state in
      dialect?.answer(request, &state)
        ?? .problem(
          Problem(.notFound, code: "no_such_mock", detail: "No dialect serves this path."))
    }
  }

  func close(_ response: Response, _ course: Course, _ state: inout WorldState)
    -> (Response, Mishap, Int)
  {
    var response = response
    response.headers.set("Date", state.now.httpDate.description)
    let (body, status, headers) = (response.wholeBody, response.status.code, response.headers)
    state.journal.edit(course.number) { entry in
      entry.faults = course.journal
      (entry.status, entry.replyHeaders) = (status, headers)
      entry.replyBody = Array(body.prefix(Journal.bodyBytes))
    }
    return (response, course.mishap, course.number)
  }
}

extension Replay {
  fileprivate func run(_ visit: Visit, _ course: inout Course, _ state: inout WorldState)
    -> Response
  {
    var milliseconds = 0
    let response = course.run(&state) { state in
      if let (response, time) = answer(visit.request) {
        milliseconds = time
        return response
      }
      var redaction = state.redaction
      return Admin.json(
        redaction.json([
          "status": 404, "code": "not_recorded",
          "detail": "The recording has no such request.",
          "nearMisses": .array(nearMisses(of: visit.request)),
        ]), .notFound)
    }
    course.wait(milliseconds)
    return response
  }
}
