import Circulation
import FoundationEssentials
import HTTP
import Lines
import Machine
import ProviderKit
import SIP2
import Secrets
import Synchronization

/// A library's server as all its accounts share it: so many lines, one circuit, and whoever comes too
/// late waits for a line. One library's silence holds up no other's.
final class SIP2Machine: Sendable {
  let profile: Profile
  private let lines: LineClient
  private let session: Session
  private let calendar: LibraryCalendar
  private let pacer: Pacer
  private let breaker = CircuitBreaker(
    .init(tolerance: 5, pause: .seconds(30), longestPause: .seconds(30)))
  private let resting = Mutex<[Talk]>([])
  private let care = Mutex<Task<Void, Never>?>(nil)
  private let hasClosed = Atomic(false)
  let known = KnownCopies()

  init(_ profile: Profile, _ lines: LineClient, _ session: Session, _ calendar: LibraryCalendar) {
    (self.profile, self.lines, self.session) = (profile, lines, session)
    self.calendar = calendar
    pacer = Pacer(Pacer.Settings(atOnce: profile.limits.connections))
  }

  /// The one of the library, whichever account asks first.
  static func shared(
    _ profile: Profile, _ lines: LineClient, _ session: Session, _ calendar: LibraryCalendar
  ) -> SIP2Machine {
    session.fittings.fitting("sip2") {
      SIP2Machine(profile, lines, session, calendar)
    } gauge: {
      .init($0.breaker, $0.pacer)
    } close: {
      await $0.close()
    }
  }

  func close() async {
    hasClosed.store(true, ordering: .releasing)
    care.withLock { $0 }?.cancel()
    for talk in take() { talk.close() }
  }

  private func take() -> [Talk] {
    resting.withLock { resting in
      defer { resting = [] }
      return resting
    }
  }

  // MARK: - Errands

  /// Lends a line for one errand. A command whose answer was lost is the errand's own to look after.
  func errand<Value: Sendable>(
    for reader: Cardholder, _ operation: Circulation.Operation, in call: Call,
    _ body: (Visit) async throws(SIP2Trouble) -> Value
  ) async throws(CirculationError) -> Value {
    // By the clock on the wall, whichever the session goes by: lines are waited for in earnest.
    let left = session.clock.now().duration(to: call.deadline)
    let deadline = ContinuousClock.now + min(left, profile.limits.operation)
    do throws(SIP2Trouble) {
      return try await lend(to: reader, operation, call, deadline, body)
    } catch {
      let (reason, says) = error.meaning
      throw CirculationError(
        reason, from: session.provider, during: operation, providerSays: says)
    }
  }

  private func lend<Value: Sendable>(
    to reader: Cardholder, _ operation: Circulation.Operation, _ call: Call,
    _ deadline: ContinuousClock.Instant, _ body: (Visit) async throws(SIP2Trouble) -> Value
  ) async throws(SIP2Trouble) -> Value {
    if case .refused = breaker.admit(at: session.clock.now(), by: call.requestID) {
      throw .circuitOpen
    }
    do throws(Pacer.Refusal) { try await pacer.enter(before: deadline) } catch {
      breaker.abandoned(at: session.clock.now())
      throw error == .cancelled ? .cancelled : .noTime
    }
    defer { pacer.leave() }
    let visit = Visit(self, reader, operation, call, deadline)
    do throws(SIP2Trouble) {
      try await visit.begin()
      let value = try await body(visit)
      breaker.succeeded()
      await putBack(visit.leave())
      return value
    } catch {
      tellBreaker(error, deadline)
      await putBack(visit.leave())
      throw error
    }
  }

  private func tellBreaker(_ trouble: SIP2Trouble, _ deadline: ContinuousClock.Instant) {
    let now = session.clock.now()
    // A reader in a hurry is no sign that the server is slow.
    if case .line(.timedOut) = trouble, deadline <= .now { return breaker.abandoned(at: now) }
    if trouble.isFailure { breaker.failed(at: now) } else { breaker.abandoned(at: now) }
  }

  /// A line that is still good rests until somebody needs it. The reader's session is over before that.
  private func putBack(_ talk: Talk?) async {
    guard let talk else { return }
    if talk.isReady, let reader = talk.reader, profile.dialect.endsSessions {
      await end(reader, on: talk)
    }
    talk.reader = nil
    guard talk.isReady, !hasClosed.load(ordering: .acquiring) else { return talk.close() }
    talk.rest()
    resting.withLock { $0.append(talk) }
    startCare()
  }

  /// Whatever comes of it: a line on which it failed is not sound any more.
  private func end(_ reader: Cardholder, on talk: Talk) async {
    let message = reader.lend { card, pin in
      Message.endSession(card, password: pin, from: sender)
    }
    _ = try? await talk.ask(message, by: .now + .seconds(1))
  }

  // MARK: - Lines

  /// One that rests and is still good, the one used last first; nil where there is none.
  func rested() -> Talk? {
    while let talk = resting.withLock({ $0.popLast() }) {
      if talk.isReady, talk.idle < profile.limits.idle { return talk }
      talk.close()
    }
    return nil
  }

  /// A new one, signed in.
  func fresh(
    _ operation: Circulation.Operation, _ call: Call, by deadline: ContinuousClock.Instant
  ) async throws(SIP2Trouble) -> Talk {
    let line: LineConnection
    do throws(LineError) {
      line = try await lines.connect(
        to: profile.place, by: min(deadline, ContinuousClock.now + profile.limits.connect))
    } catch {
      throw .line(error)
    }
    let talk = Talk(line, profile)
    serve(operation, call, on: talk)
    do throws(SIP2Trouble) {
      try await signIn(on: talk, by: deadline)
    } catch {
      talk.close()
      throw error
    }
    return talk
  }

  func serve(_ operation: Circulation.Operation, _ call: Call, on talk: Talk) {
    let (session, host) = (session, profile.place.host.text)
    talk.serve { session.note($0.entry(operation, call.requestID, host)) }
  }

  private func signIn(
    on talk: Talk, by deadline: ContinuousClock.Instant
  ) async throws(SIP2Trouble) {
    if profile.dialect.expectsGreeting {
      try await talk.hearGreeting(
        by: min(deadline, ContinuousClock.now + profile.limits.answer))
    }
    do throws(SIP2Trouble) {
      if let login = profile.login {
        let message = login.user.revealText { user in
          login.password.revealText { password in
            Message.login(user: user, password: password, location: login.location)
          }
        }
        let answer = try await closedMeansNo { () async throws(SIP2Trouble) in
          try await talk.ask(message, by: deadline)
        }
        guard answer[.ok] == "1" else { throw SIP2Trouble.loginRefused }
      }
      if profile.dialect.tellsStatus {
        let status = ServiceStatus(try await talk.ask(.serviceStatus, by: deadline))
        guard status.isOnline else { throw SIP2Trouble.offline }
      }
    } catch {
      if case .line(.unasked) = error { throw .greets }
      if case .unwritable = error { throw .loginRefused }
      throw error
    }
  }

  /// Most servers hang up on a login that they do not know.
  private func closedMeansNo(
    _ body: () async throws(SIP2Trouble) -> Message
  ) async throws(SIP2Trouble) -> Message {
    do throws(SIP2Trouble) { return try await body() } catch {
      switch error {
      case .line(.closed), .line(.lost): throw .loginRefused
      default: throw error
      }
    }
  }

  /// Who we are and when, as every request says it.
  var sender: Message.Sender {
    let now = session.clock.date()
    let stamp = Timestamp(secondsSinceEpoch: Int64(now.timeIntervalSince1970.rounded(.down)))
    return Message.Sender(
      institution: profile.institution, language: profile.dialect.language,
      date: Moment(stamp, secondsEast: calendar.secondsEast(at: stamp), zone: profile.dialect.zone))
  }

  // MARK: - Keeping lines alive

  /// Looks after the lines that rest, as long as any does: those that grew old are closed, and where
  /// the settings say so the others are used a little.
  private func startCare() {
    care.withLock { care in
      guard care == nil, !hasClosed.load(ordering: .acquiring) else { return }
      let step = min(profile.limits.keepAlive ?? profile.limits.idle, profile.limits.idle)
      care = Task { [weak self] in
        repeat { try? await Task.sleep(for: step) } while await self?.lookAfterLines() == true
      }
    }
  }

  /// One that rests for so long already; the others stay where they are found.
  private func oldest(resting least: Duration) -> Talk? {
    resting.withLock { resting in
      resting.firstIndex { $0.idle >= least || !$0.isReady }.map { resting.remove(at: $0) }
    }
  }

  /// False when nothing is left to look after.
  private func lookAfterLines() async -> Bool {
    while let talk = oldest(resting: profile.limits.keepAlive ?? profile.limits.idle) {
      if profile.limits.keepAlive != nil {
        _ = try? await talk.ask(.serviceStatus, by: .now + profile.limits.answer)
        talk.rest()
      } else {
        talk.close()
      }
      if talk.isReady, !hasClosed.load(ordering: .acquiring) {
        resting.withLock { $0.append(talk) }
      } else {
        talk.close()
      }
    }
    return care.withLock { care in
      let isOver = Task.isCancelled || resting.withLock(\.isEmpty)
      if isOver { care = nil }
      return !isOver
    }
  }
}

extension LibraryCalendar {
  func secondsEast(at moment: Timestamp) -> Int {
    zone?.secondsEast(at: moment) ?? LocalTime.secondsEast(at: moment)
  }
}

extension Talk.Exchange {
  func entry(_ operation: Circulation.Operation, _ request: String, _ host: String) -> JournalEntry
  {
    let result: JournalEntry.Result =
      switch self.result {
      case .success(let kind): .status(Int(kind.rawValue) ?? 0)
      case .failure(let trouble): .fault(trouble.word)
      }
    return JournalEntry(
      requestID: request, operation: operation.rawValue, attempt: 1,
      method: asked.kind.rawValue, host: host, path: asked.description, result: result, took: took)
  }
}
