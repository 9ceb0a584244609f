import Circulation
import HTTP
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import ProviderKit

/// A service that gives one prepared answer after the other, and a clock that jumps when somebody
/// sleeps.
final class Scripted: Sendable {
  enum Step: Sendable {
    case status(Int, [(String, String)] = [])
    case fault(TransportError)
  }

  private struct State {
    var steps: [Step]
    var seen: [HTTPClient.Request] = []
    var now = ContinuousClock.now
    var slept: [Duration] = []
    var journal: [JournalEntry] = []
  }

  private let state: Mutex<State>
  let start: ContinuousClock.Instant

  init(_ steps: Step...) {
    let first = State(steps: steps)
    start = first.now
    state = Mutex(first)
  }

  var seen: [HTTPClient.Request] { state.withLock { $0.seen } }
  var slept: [Duration] { state.withLock { $0.slept } }
  var journal: [JournalEntry] { state.withLock { $0.journal } }

  func session(breaker: CircuitBreaker = CircuitBreaker(), pacer: Pacer = Pacer()) -> Session {
    let clock = SessionClock(
      now: { self.state.withLock { $0.now } },
      sleep: { until throws(CancellationError) in
        self.state.withLock { state in
          state.slept.append(state.now.duration(to: until))
          state.now = until
        }
        if Task.isCancelled { throw CancellationError() }
      })
    return Session(
      provider: ProviderID("p"), transport: Transport(send: answer), breaker: breaker,
      pacer: pacer, clock: clock, chance: { 1 },
      journal: { entry in self.state.withLock { $0.journal.append(entry) } })
  }

  private func answer(_ request: HTTPClient.Request) throws(TransportError) -> Reply {
    let step = state.withLock { state -> Step in
      state.seen.append(request)
      return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
    }
    switch step {
    case .fault(let error): throw error
    case .status(let code, let fields):
      let headers = Headers(fields.map { Headers.Field($0.0, $0.1) })
      return Reply(
        head: ReplyHead(status: Status(code), headers: headers), body: [], address: request.address)
    }
  }
}

@Suite struct `A session` {
  static let lost = TransportError.connectionLost(.waiting, Cause(code: 56, phrase: "reset"))
  static let unreachable = TransportError.cannotConnect(Cause(code: 7, phrase: "refused"))

  private func call(_ script: Scripted, seconds: Int = 60) -> Call {
    Call(patron: nil, deadline: script.start + .seconds(seconds), requestID: "r1")
  }

  private func send(
    _ script: Scripted, _ method: Method = .get, repeatable: Bool? = nil, seconds: Int = 60
  )
    async throws -> Status
  {
    let address = try Address("https://lib.example/v1/x?card=123456")
    let request = WireRequest(method, address, isRepeatable: repeatable)
    return try await script.session().send(request, .shelf, in: call(script, seconds: seconds))
      .status
  }

  private func reason(_ script: Scripted, _ method: Method = .get, seconds: Int = 60) async
    -> String?
  {
    do { _ = try await send(script, method, seconds: seconds) } catch {
      return (error as? CirculationError)?.reason.code
    }
    return nil
  }

  @Test func `A session repeats what may be repeated, with growing waits`() async throws {
    let script = Scripted(.fault(Self.lost), .status(500), .status(200))
    #expect(try await send(script) == .ok)
    #expect(script.slept == [.seconds(1), .seconds(2)])
  }

  @Test func `A session gives the last answer back when it has tried enough`() async throws {
    let script = Scripted(.status(503))
    #expect(try await send(script) == .serviceUnavailable)
    #expect(script.seen.count == 3)
  }

  @Test(arguments: [Scripted.Step.fault(lost), .status(500), .status(503), .status(429)])
  func `A session never repeats what may have had an effect`(step: Scripted.Step) async {
    let script = Scripted(step, .status(200))
    _ = try? await send(script, .post)
    #expect(script.seen.count == 1)
  }

  @Test func `A session never repeats a GET that changes state`() async {
    let script = Scripted(.fault(Self.lost), .status(200))
    _ = try? await send(script, .get, repeatable: false)
    #expect(script.seen.count == 1)
  }

  @Test func `A session repeats anything that surely never arrived`() async throws {
    let script = Scripted(.fault(Self.unreachable), .status(200))
    #expect(try await send(script, .post) == .ok)
  }

  @Test func `a session waits for Retry-After unless the call's deadline is sooner`()
    async throws
  {
    let patient = Scripted(.status(429, [("Retry-After", "7")]), .status(200))
    #expect(try await send(patient) == .ok)
    #expect(patient.slept == [.seconds(7)])
    let hurried = Scripted(.status(429, [("Retry-After", "70")]), .status(200))
    #expect(try await send(hurried) == .tooManyRequests)
    #expect(hurried.slept.isEmpty)
  }

  @Test func `A session reads a date in Retry-After by the service's own clock`() async throws {
    let script = Scripted(
      .status(
        503,
        [
          ("Retry-After", "Sun, 06 Nov 1994 08:49:40 GMT"),
          ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ]), .status(200))
    #expect(try await send(script) == .ok)
    #expect(script.slept == [.seconds(3)])
  }

  @Test(arguments: [
    (TransportError.cancelled, "cancelled"), (.deadlineExceeded(.waiting), "deadline_exceeded"),
    (unreachable, "network_failure"),
    (.tls(.expired, Cause(code: 60, phrase: "x")), "network_failure"),
    (.tooLarge(.body(most: 1)), "malformed_response"),
    (.refusedRedirect(.scheme), "malformed_response"),
    (.invalidRequest(.host), "not_configured"),
  ])
  func `A session names what went wrong underneath`(fault: TransportError, code: String) async {
    #expect(await reason(Scripted(.fault(fault)), .post) == code)
  }

  @Test func `A session stops asking a service that does not answer`() async throws {
    let script = Scripted(.fault(Self.unreachable))
    let session = script.session(
      breaker: CircuitBreaker(.init(tolerance: 3, pause: .seconds(100))))
    let request = WireRequest(.get, try Address("https://lib.example/"))
    let (first, second) = (call(script), call(script))
    await #expect(throws: CirculationError.self) {
      try await session.send(request, .shelf, in: first)
    }
    #expect(script.seen.count == 3)
    await #expect(throws: CirculationError.self) {
      try await session.send(request, .shelf, in: second)
    }
    #expect(script.seen.count == 3, "the open circuit let a request through")
  }

  @Test func `a probe that found no place in the queue leaves the circuit to the next request`()
    async throws
  {
    let script = Scripted(.status(200))
    let breaker = CircuitBreaker(.init(tolerance: 1, pause: .seconds(10)))
    let pacer = Pacer(.init(atOnce: 1))
    let session = script.session(breaker: breaker, pacer: pacer)
    breaker.failed(at: script.start - .seconds(20))
    let request = WireRequest(.get, try Address("https://lib.example/"))
    try await pacer.enter(before: .now + .seconds(60))
    await #expect(throws: CirculationError.self) {
      try await session.send(request, .shelf, in: call(script, seconds: 0))
    }
    #expect(script.seen.isEmpty)
    pacer.leave()
    let next = Call(patron: nil, deadline: script.start + .seconds(60), requestID: "r2")
    #expect(try await session.send(request, .shelf, in: next).status == .ok)
  }

  @Test func `a session tells a service the request's name, and hears the service's clock`()
    async throws
  {
    let later = HTTPDate(seconds: HTTPDate.now.seconds + 3_600)
    let script = Scripted(.status(200, [("Date", later.description)]))
    let session = script.session()
    let request = WireRequest(.get, try Address("https://lib.example/"))
    _ = try await session.send(request, .shelf, in: call(script))
    #expect(script.seen.map { $0.headers["X-Request-Id"] } == ["r1"])
    let ahead = try #require(session.clockAhead)
    #expect(abs(ahead - 3_600_000) < 60_000)
  }

  /// A deadline of 1 s is over when the first wait is.
  @Test(arguments: [(60, [Duration.seconds(1), .seconds(2)]), (1, [])])
  func `a download that breaks off is tried again with growing waits until its deadline`(
    seconds: Int, waits: [Duration]
  ) async throws {
    let script = Scripted(.fault(Self.lost))
    let folder = try TemporaryFolder()
    let request = WireRequest(.get, try Address("https://lib.example/book.epub"))
    await #expect(throws: CirculationError.self) {
      try await script.session().download(
        request, to: folder.path("book.epub"), .fulfil, in: call(script, seconds: seconds))
    }
    #expect(script.slept == waits)
  }

  @Test func `A session writes a journal that holds no secret`() async throws {
    let script = Scripted(.fault(Self.lost), .status(200))
    _ = try await send(script)
    #expect(script.journal.map(\.attempt) == [1, 2])
    #expect(script.journal.map(\.result) == [.fault("connectionLost"), .status(200)])
    #expect(script.journal[0].path == "/v1/x")
    #expect(!"\(script.journal)".contains("123456"))
  }

  @Test func `A session follows no redirect`() async throws {
    let script = Scripted(.status(302, [("Location", "https://evil.example/")]))
    #expect(try await send(script) == .found)
    guard case .returned = script.seen[0].redirects else {
      Issue.record("the request would have been followed")
      return
    }
  }

  @Test func `A session fetches one new token when the old one is refused, and then gives up`()
    async throws
  {
    let script = Scripted(.status(401), .status(200))
    let session = script.session()
    let counter = Tally()
    let authorization = Authorization(
      key: .init(scope: "s", credentials: []),
      fetch: { [start = script.start] _ throws(CirculationError) in
        TokenDesk.Token("t\(await counter.next())", expires: start + .seconds(3600))
      })
    let request = WireRequest(.post, try Address("https://lib.example/"))
    #expect(
      try await session.send(request, as: authorization, .checkOut, in: call(script)).status == .ok)
    #expect(script.seen.map { $0.headers["Authorization"] } == ["Bearer t1", "Bearer t2"])

    let stubborn = Scripted(.status(401))
    let reply = try await stubborn.session().send(
      request, as: authorization, .checkOut, in: call(stubborn))
    #expect(reply.status == .unauthorized)
    #expect(stubborn.seen.count == 2)
  }

  @Test func `A session leaves it to the service's own ways what refuses a token`() async throws {
    let script = Scripted(.status(401), .status(200))
    let authorization = Authorization(
      key: .init(scope: "s", credentials: []),
      fetch: { [start = script.start] _ throws(CirculationError) in
        TokenDesk.Token("t", expires: start + .seconds(3600))
      }, isRefused: { _ in false })
    let request = WireRequest(.get, try Address("https://lib.example/"))
    let reply = try await script.session().send(
      request, as: authorization, .shelf, in: call(script))
    #expect(reply.status == .unauthorized && script.seen.count == 1)
  }

  @Test func `A session shows a path that names a card as it was told to`() async throws {
    let script = Scripted(.status(200))
    var request = WireRequest(.get, try Address("https://lib.example/holds/123456"))
    request.shownPath = "/holds/•••"
    _ = try await script.session().send(request, .shelf, in: call(script))
    #expect(script.journal.map(\.path) == ["/holds/•••"])
  }
}

private actor Tally {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
