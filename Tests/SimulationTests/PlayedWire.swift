import HTTP
import HTTPClient
import HTTPServer
import JSON
import Machine
import MockKit
import Synchronization

/// The wire between a gateway and the libraries, without a socket: every request goes to the mock in
/// this process, and on its way there or back befalls it what the seed holds.
final class PlayedWire: Sendable {
  /// One change at a library for one of our readers, and the command that brought it about.
  struct Effect: Sendable, Hashable {
    let attempt: String
    let card: String
    let title: String
  }

  private struct Late: Sendable {
    let due: Int64
    let attempt: String
    let request: HTTPClient.Request
  }

  private struct State {
    var step = 0
    var attempt = ""
    /// Of a hundred requests, so many meet something.
    var danger = 0
    /// No network any more: the process has ended.
    var isDead = false
    var counts: [String: Int] = [:]
    var effects: [Effect] = []
    var late: [Late] = []
    var log: [String] = []
    var perils: [Peril: Int] = [:]
  }

  /// Whether questions are met, too. An adapter asks some side by side, and calls one off when the
  /// other fails: which comes first is nobody's plan.
  let strikesQuestions: Bool
  let world: MockWorld
  let time: SimulatedTime
  private let fate: Fate
  private let cards: Set<String>
  private let handler: Handler
  private let state = Mutex(State())
  /// Asked before and after each request; whether the process ends there.
  let crash: Mutex<@Sendable (String) -> Bool> = Mutex({ _ in false })

  static let host = "town.test"

  init(
    _ house: MockHouse, _ time: SimulatedTime, _ fate: Fate, cards: Set<String>,
    strikesQuestions: Bool = true
  ) {
    self.strikesQuestions = strikesQuestions
    (world, handler) = (house.main, house.handler)
    (self.time, self.fate, self.cards) = (time, fate, cards)
  }

  // MARK: - What the seed wants

  func begin(step: Int, attempt: String, danger: Int) {
    state.withLock { state in
      (state.step, state.attempt, state.danger) = (step, attempt, danger)
      (state.counts, state.log) = ([:], [])
    }
  }

  /// What happened to the requests of this step.
  func end() -> [String] {
    state.withLock { state in
      state.danger = 0
      return state.log.sorted()
    }
  }

  var isDead: Bool {
    get { state.withLock { $0.isDead } }
    set { state.withLock { $0.isDead = newValue } }
  }

  var effects: [Effect] { state.withLock { $0.effects } }
  var perils: [Peril: Int] { state.withLock { $0.perils } }

  /// What was long on its way and arrives now.
  func arrive() async {
    let now = time.now.millisecondsSinceEpoch
    let due = state.withLock { state in
      defer { state.late.removeAll { $0.due <= now } }
      return state.late.filter { $0.due <= now }.sorted { $0.due < $1.due }
    }
    for one in due { _ = try? await play(one.request, attempt: one.attempt) }
  }

  // MARK: - One request

  var transport: Transport {
    Transport { request async throws(TransportError) in try await self.send(request) }
  }

  private func send(_ first: HTTPClient.Request) async throws(TransportError) -> HTTPClient.Reply {
    var request = first
    for hops in 0...5 {
      var reply = try await sendOnce(request)
      guard case .followed = request.redirects, reply.status.isRedirect,
        let location = reply.headers["Location"],
        let reference = try? AddressReference(location),
        let next = try? request.address.resolving(reference)
      else {
        reply.hops = hops
        return reply
      }
      request.address = next
    }
    throw .tooManyRedirects(most: 5)
  }

  private func sendOnce(
    _ request: HTTPClient.Request
  ) async throws(TransportError) -> HTTPClient.Reply {
    guard request.address.authority == Self.host else {
      throw .cannotResolve(Cause(code: 6, phrase: "Couldn't resolve host name"))
    }
    if isDead { throw .stopped }
    let (peril, attempt, key) = draw(request)
    if crash.withLock({ $0 })("before sending \(key)") {
      isDead = true
      throw .stopped
    }
    let answer: Result<HTTPServer.Response, TransportError>
    do throws(TransportError) {
      answer = .success(try await meet(peril, request, attempt))
    } catch {
      answer = .failure(error)
    }
    if crash.withLock({ $0 })("after sending \(key)") {
      isDead = true
      throw .stopped
    }
    let response = try answer.get()
    return try deliver(response, to: request)
  }

  private func draw(_ request: HTTPClient.Request) -> (Peril?, String, String) {
    let path = "\(request.method) \(request.address.path)"
    return state.withLock { state in
      let number = (state.counts[path] ?? 0) + 1
      state.counts[path] = number
      let words = "wire \(state.step) \(path) \(number)"
      let isMet = strikesQuestions || request.method != .get
      guard isMet, fate.draw(words, 100) < state.danger else { return (nil, state.attempt, path) }
      let peril = fate.pick(words + " which", Peril.all)
      state.perils[peril, default: 0] += 1
      state.log.append("\(path): \(peril)")
      return (peril, state.attempt, path)
    }
  }

  private static let lost = Cause(code: 56, phrase: "Failure when receiving data from the peer")

  private func meet(
    _ peril: Peril?, _ request: HTTPClient.Request, _ attempt: String
  ) async throws(TransportError) -> HTTPServer.Response {
    switch peril {
    case nil: return try await play(request, attempt: attempt)
    case .closed: throw .cannotConnect(Cause(code: 7, phrase: "Couldn't connect to server"))
    case .lostBefore: throw .connectionLost(.sending, Self.lost)
    case .lostAfter:
      _ = try await play(request, attempt: attempt)
      throw .connectionLost(.receiving, Self.lost)
    case .late(let seconds):
      let due = time.now.millisecondsSinceEpoch + seconds * 1000
      state.withLock { $0.late.append(Late(due: due, attempt: attempt, request: request)) }
      throw .connectionLost(.waiting, Self.lost)
    case .stall: throw .deadlineExceeded(.waiting)
    case .mock(let kind):
      // A service that carries a renewal out twice renews twice, and nobody here can know.
      if kind == .duplicate, attempt.contains("renew") {
        return try await play(request, attempt: attempt)
      }
      // Some services nod with nothing at all: a refusal must not look like that.
      if kind == .empty {
        var response = try await play(request, attempt: attempt)
        response.body = .empty
        return response
      }
      return try await play(request, attempt: attempt, under: kind)
    }
  }

  // MARK: - At the library

  private func play(
    _ request: HTTPClient.Request, attempt: String, under kind: Fault.Kind? = nil
  ) async throws(TransportError) -> HTTPServer.Response {
    guard case let body = Self.bytes(request.body),
      let asked = try? HTTPServer.Request(
        request.method, request.address.target,
        headers: Self.fields(of: request), body: body)
    else { throw .invalidRequest(.method) }
    let path = asked.path.map { "/" + $0 }.joined()
    let before = world.withState { state in
      if let kind {
        var fault = Fault(name: "seed \(path)", kind: kind)
        fault.pathPrefix = path
        state.faults.add(fault)
      }
      state.clock.set(to: Moment(milliseconds: time.now.millisecondsSinceEpoch))
      state.settle()
      return self.standing(state)
    }
    let response = await handler(asked)
    world.withState { state in
      if kind != nil { state.faults.remove(named: "seed \(path)") }
      let changed = before.symmetricDifference(self.standing(state))
      let touched = Set(changed.map { Effect(attempt: attempt, card: $0.card, title: $0.title) })
      self.state.withLock { $0.effects += touched.sorted { $0.title < $1.title } }
    }
    if case .severed = response.body { throw .connectionLost(.receiving, Self.lost) }
    return response
  }

  private struct Standing: Hashable {
    let card: String
    let title: String
    let what: String
  }

  /// What our readers have at the libraries, apart from what comes about by itself.
  private func standing(_ state: WorldState) -> Set<Standing> {
    var found: Set<Standing> = []
    for library in state.libraries {
      for loan in library.lending.loans where cards.contains(loan.card) {
        found.insert(
          Standing(card: loan.card, title: loan.title, what: "loan \(loan.renewals)"))
      }
      for hold in library.lending.holds where cards.contains(hold.card) {
        let word = hold.suspension == nil ? "hold" : "resting"
        found.insert(Standing(card: hold.card, title: hold.title, what: "\(word) \(hold.renews)"))
      }
    }
    return found
  }

  /// With what the client adds by itself.
  private static func fields(of request: HTTPClient.Request) -> Headers {
    Headers(
      [Headers.Field("Host", host), Headers.Field("User-Agent", "Carrel")] + request.headers.fields)
  }

  private static func bytes(_ body: HTTPClient.Request.Body) -> [UInt8] {
    if case .bytes(let bytes) = body { return bytes }
    return []
  }

  // MARK: - The way back

  private func deliver(
    _ response: HTTPServer.Response, to request: HTTPClient.Request
  ) throws(TransportError) -> HTTPClient.Reply {
    guard
      let asked = try? HTTPServer.Request(
        request.method, request.address.target,
        headers: Self.fields(of: request))
    else { throw .invalidRequest(.method) }
    let reply = response.reply(to: asked)
    let head = ReplyHead(status: reply.status, headers: reply.headers)
    var body = reply.bytes ?? []
    let most = request.limits.body
    guard body.count <= most else { throw .tooLarge(.body(most: most)) }
    if case .sink(let sink) = request.delivery {
      switch sink.begin(head) {
      case .stop: throw .stoppedBySink
      case .collect: break
      case .take:
        let bytes = body
        body = []
        guard Self.pour(bytes, into: sink) else { throw .stoppedBySink }
      }
    }
    return HTTPClient.Reply(head: head, body: body, address: request.address)
  }

  /// In pieces, as a wire would bring it.
  private static func pour(_ bytes: [UInt8], into sink: BodySink) -> Bool {
    var start = 0
    while start < bytes.count {
      let end = min(start + 16_384, bytes.count)
      let piece = Array(bytes[start..<end])
      guard sink.write(piece.span.bytes) else { return false }
      start = end
    }
    return true
  }
}
