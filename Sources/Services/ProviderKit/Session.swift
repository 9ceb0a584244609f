package import Circulation
import HTTP
package import HTTPClient
package import Lines

/// What every adapter sends through: one library's service with its pace, its retries, its circuit
/// and its tokens. An adapter says what to send; whether, when and how often is decided here.
package struct Session: Sendable {
  package struct Settings: Sendable {
    package var backoff = Backoff()
    /// The most that one try may take; the call's own deadline may be nearer.
    package var tryLimit = Duration.seconds(10)
    /// Whether a request that got no answer fails as "network failure" whatever the cause: a patron who gave
    /// the address would learn of the network from it. The cause is for the operator.
    package var hidesNetwork = false

    package init() {}
  }

  package let provider: ProviderID
  package let clock: SessionClock
  package let tokens: TokenDesk
  /// Where large files of the service are kept; nil where nothing may be.
  package let cache: String?
  /// The way out for what is spoken in lines; nil where there is none.
  package let lines: LineClient?
  package let fittings = Fittings()
  private let transport: Transport
  let settings: Settings
  private var breaker: CircuitBreaker
  private var pacer: Pacer
  private let chance: @Sendable () -> Double
  private let journal: @Sendable (JournalEntry) -> Void
  private let farClock = FarClock()
  private let ear = SessionEar()

  /// How far the service's clock is ahead of ours, in milliseconds, as it was heard last; nil before
  /// it said anything.
  package var clockAhead: Int64? { farClock.ahead }

  package var standing: SessionStanding {
    // Of several ways the one that does worst is what whoever runs the house has to see.
    let gauges = fittings.gauges + [.init(breaker, pacer)]
    let loads = gauges.map(\.pacer.load)
    let circuits = gauges.map { $0.breaker.standing(at: clock.now()) }
    return SessionStanding(
      circuit: circuits.max { $0.severity < $1.severity } ?? .closed(failures: 0),
      running: loads.reduce(0) { $0 + $1.running }, waiting: loads.reduce(0) { $0 + $1.waiting },
      heard: ear.heard)
  }

  package init(
    provider: ProviderID, transport: Transport, settings: Settings = Settings(),
    breaker: CircuitBreaker = CircuitBreaker(), pacer: Pacer = Pacer(),
    tokens: TokenDesk = TokenDesk(), cache: String? = nil, lines: LineClient? = nil,
    clock: SessionClock = .system,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    journal: @escaping @Sendable (JournalEntry) -> Void = { _ in }
  ) {
    (self.provider, self.transport, self.settings) = (provider, transport, settings)
    (self.breaker, self.pacer, self.tokens) = (breaker, pacer, tokens)
    (self.cache, self.lines) = (cache, lines)
    (self.clock, self.chance, self.journal) = (clock, chance, journal)
  }

  /// The same with a pace and a circuit of its own, for one of the many hosts that are one service
  /// together: what is down there keeps nobody waiting elsewhere. Kept under that name for all who ask.
  package func toward(_ host: String) -> Session {
    fittings.fitting(
      "host \(host)", make: { another }, gauge: { .init($0.breaker, $0.pacer) }, close: { _ in })
  }

  /// The same again, kept by whoever asks.
  package var another: Session {
    var other = self
    (other.breaker, other.pacer) = (breaker.another, pacer.another)
    return other
  }

  /// Writes down an exchange that went another way than over HTTP, and how the service did in it.
  package func note(_ entry: JournalEntry) {
    switch entry.result {
    case .status: ear.answered(at: clock.date(), after: entry.took)
    case .fault: ear.failed(at: clock.date())
    }
    journal(entry)
  }

  /// The answer, whatever its status: what a status means is the adapter's to say. A request that
  /// may be repeated is, after a broken connection or a "later"; any other is only when it surely
  /// never arrived.
  package func send(
    _ request: WireRequest, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Reply {
    var attempt = 1
    while true {
      let result = await tryOnce(request, operation, call, attempt)
      guard let wait = waitBeforeRetry(of: request, after: attempt, result),
        clock.now() + wait < call.deadline
      else { return try result.map(\.reply).mapError { error($0, operation, call) }.get() }
      do throws(CancellationError) { try await clock.sleep(clock.now() + wait) } catch {
        throw CirculationError(.cancelled, from: provider, during: operation)
      }
      attempt += 1
    }
  }

  /// Fetches a file to the disk, as far as the call's time goes. The line may break as often as
  /// there is patience: each try goes on where the last one stopped.
  func download(
    _ request: WireRequest, to path: String, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Download.Outcome {
    var attempt = 1
    while true {
      let result = await downloadOnce(request, path, call)
      var later: Duration?
      if case .success(let outcome) = result {
        guard case .answered(let reply) = outcome,
          [429, 500, 502, 503, 504].contains(reply.status.code)
        else { return outcome }
        later = settings.backoff.wait(
          after: attempt, retryAfter: reply.retryAfter, chance: chance())
      } else if case .failure(.transport(let error)) = result, isPassing(error) {
        later = settings.backoff.wait(after: attempt, retryAfter: nil, chance: chance())
      }
      guard let later, clock.now() + later < call.deadline else {
        return try result.mapError { error($0, operation, call) }.get()
      }
      do throws(CancellationError) { try await clock.sleep(clock.now() + later) } catch {
        throw CirculationError(.cancelled, from: provider, during: operation)
      }
      attempt += 1
    }
  }

  private func downloadOnce(_ request: WireRequest, _ path: String, _ call: Call)
    async -> Result<Download.Outcome, Trouble>
  {
    do throws(Pacer.Refusal) { try await pacer.enter(before: call.deadline) } catch {
      return .failure(.noPlace(error))
    }
    defer { pacer.leave() }
    var sent = outgoing(request, call, at: clock.now())
    sent.deadline = .at(call.deadline)
    do throws(TransportError) {
      return .success(try await Download(sent, to: path).run(over: transport))
    } catch {
      return .failure(.transport(error))
    }
  }

  // MARK: - One try

  private struct Answer { let reply: Reply }

  enum Trouble: Error {
    case transport(TransportError)
    case circuitOpen(Duration)
    case noPlace(Pacer.Refusal)
  }

  private func tryOnce(
    _ request: WireRequest, _ operation: Circulation.Operation, _ call: Call, _ attempt: Int
  ) async -> Result<Answer, Trouble> {
    if case .refused(let pause) = breaker.admit(at: clock.now(), by: call.requestID) {
      return .failure(.circuitOpen(pause))
    }
    do throws(Pacer.Refusal) { try await pacer.enter(before: call.deadline) } catch {
      breaker.abandoned(at: clock.now())
      return .failure(.noPlace(error))
    }
    defer { pacer.leave() }

    let began = clock.now()
    let result: Result<Answer, Trouble>
    do throws(TransportError) {
      let reply = try await transport.send(outgoing(request, call, at: began))
      farClock.hear(reply.head.headers, at: clock.date())
      result = .success(Answer(reply: reply))
    } catch {
      result = .failure(.transport(error))
    }
    tellBreaker(result, call)
    tellEar(result, after: began.duration(to: clock.now()))
    journal(
      JournalEntry(
        requestID: call.requestID, operation: operation.rawValue, attempt: attempt,
        method: request.method.rawValue, host: request.address.authority,
        path: request.shownPath ?? request.address.path, result: journalled(result),
        took: began.duration(to: clock.now())))
    return result
  }

  private func outgoing(
    _ request: WireRequest, _ call: Call, at now: ContinuousClock.Instant
  ) -> HTTPClient.Request {
    var request = request
    // Whoever looks after the service finds what we mean by the name that we have for it.
    request.headers.set("X-Request-Id", call.requestID)
    let finish = request.beforeEachTry
    finish?(&request)
    var sent = HTTPClient.Request(
      request.method, request.address, headers: request.headers,
      body: request.body.isEmpty ? .none : .bytes(request.body),
      deadline: .at(min(call.deadline, now + (request.tryLimit ?? settings.tryLimit))),
      limits: .init(body: request.bodyLimit),
      // An interface that moves says so in its documentation, not in passing: following would hand
      // the request to whoever wrote the answer.
      redirects: .returned, secretHeaders: request.secretHeaders)
    // Neither a command nor a GET that changes something goes out twice behind our back, nor what is
    // signed for one time only.
    sent.isRepeatable = request.isRepeatable && finish == nil
    return sent
  }

  /// Only what came over the wire: a request that was called off says nothing.
  private func tellEar(_ result: Result<Answer, Trouble>, after took: Duration) {
    switch result {
    case .success(let answer) where answer.reply.status.code >= 500:
      ear.failed(at: clock.date())
    case .success: ear.answered(at: clock.date(), after: took)
    case .failure(.transport(.cancelled)), .failure(.transport(.stopped)): break
    case .failure: ear.failed(at: clock.date())
    }
  }

  private func tellBreaker(_ result: Result<Answer, Trouble>, _ call: Call) {
    let now = clock.now()
    switch result {
    case .success(let answer) where answer.reply.status.code >= 500: breaker.failed(at: now)
    case .success: breaker.succeeded()
    case .failure(.transport(.cancelled)), .failure(.transport(.stopped)):
      breaker.abandoned(at: now)
    case .failure(.transport(.invalidRequest)), .failure(.transport(.refusedAddress)):
      breaker.abandoned(at: now)
    // A reader in a hurry is no sign that the service is slow.
    case .failure(.transport(.deadlineExceeded)) where now < call.deadline:
      breaker.failed(at: now)
    case .failure(.transport(.deadlineExceeded)): breaker.abandoned(at: now)
    case .failure: breaker.failed(at: now)
    }
  }

  private func journalled(_ result: Result<Answer, Trouble>) -> JournalEntry.Result {
    switch result {
    case .success(let answer): .status(answer.reply.status.code)
    case .failure(.transport(let error)): .fault(error.word)
    case .failure(.circuitOpen): .fault("circuitOpen")
    case .failure(.noPlace): .fault("noPlace")
    }
  }

  // MARK: - Again or not

  private func waitBeforeRetry(
    of request: WireRequest, after attempt: Int, _ result: Result<Answer, Trouble>
  ) -> Duration? {
    var retryAfter: Duration?
    switch result {
    case .success(let answer):
      guard request.isRepeatable, [429, 500, 502, 503, 504].contains(answer.reply.status.code),
        request.isFinal?(answer.reply) != true
      else { return nil }
      retryAfter = answer.reply.retryAfter
    case .failure(.transport(let error)):
      guard isPassing(error), request.isRepeatable || !error.mayHaveArrived else { return nil }
    case .failure(.circuitOpen), .failure(.noPlace): return nil
    }
    return settings.backoff.wait(after: attempt, retryAfter: retryAfter, chance: chance())
  }

  private func isPassing(_ error: TransportError) -> Bool {
    switch error {
    case .cannotResolve, .cannotConnect, .timedOut, .deadlineExceeded, .connectionLost,
      .malformedReply:
      true
    default: false
    }
  }
}
