import HTTPServer
import Log
import Machine

/// Whether the gateway should be sent requests: its own state, what it stands on, the job runner.
/// Libraries do not count: without one of them the others' readers are served all the same.
actor Fitness {
  /// How long the job runner may be silent; it is heard every five seconds, and every ten while all
  /// its hands are full.
  static let longestSilence = Duration.seconds(60)
  /// How long an answer stays good: each look is a write, and anybody may ask.
  static let freshness = Duration.seconds(10)
  /// How long anybody waits for a look; what hangs must not make the probe hang.
  static let limit = Duration.seconds(3)
  /// How often the gateway looks by itself, so that the log says what is wrong though nobody asks.
  static let pause = Duration.seconds(30)

  private let readiness: Readiness
  private let runner: Pulse?
  private let logger: Logger
  private let time: Time
  private let check: @Sendable () async -> [ReadinessFault]
  private var known: (at: ContinuousClock.Instant, faults: [ReadinessFault])?
  private var lookingSince: ContinuousClock.Instant?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// What the log has said and what has not passed since.
  private var noted: Set<ReadinessFault.Kind> = []

  /// `check` looks at what the gateway stands on; nothing where all is well.
  init(
    _ readiness: Readiness, runner: Pulse? = nil, logger: Logger = .silent, time: Time = .system,
    check: @escaping @Sendable () async -> [ReadinessFault]
  ) {
    (self.readiness, self.runner, self.check) = (readiness, runner, check)
    (self.logger, self.time) = (logger, time)
  }

  /// Why not, in words; empty when all is well.
  func reasons() async -> [String] { await faults().map(\.text) }

  func faults() async -> [ReadinessFault] {
    switch readiness.state {
    case .starting: return [ReadinessFault(.state, "starting")]
    case .draining: return [ReadinessFault(.state, "stopping")]
    case .degraded(let reasons): return reasons.map { ReadinessFault(.state, $0) }
    case .ready: break
    }
    var faults = await checked()
    if let silence = runner?.silence, silence > Self.longestSilence {
      faults.append(
        ReadinessFault(
          .jobs, "the job runner was not heard for \(silence.components.seconds) s"))
    }
    note(faults)
    return faults
  }

  /// Looks again and again, until its task is cancelled.
  func watch() async {
    while !Task.isCancelled {
      _ = await faults()
      do throws(CancellationError) { try await time.sleep(for: Self.pause) } catch { return }
    }
  }

  // MARK: - Looking

  private func checked() async -> [ReadinessFault] {
    if let fresh { return fresh }
    if lookingSince == nil { look() }
    if !isOverdue { await withCheckedContinuation { waiting.append($0) } }
    return fresh ?? [
      ReadinessFault(
        .database,
        "the database or the vault did not answer within \(Self.limit.components.seconds) s")
    ]
  }

  private var fresh: [ReadinessFault]? {
    guard let known, known.at.duration(to: time.monotonic()) < Self.freshness else { return nil }
    return known.faults
  }

  private var isOverdue: Bool {
    lookingSince.map { $0.duration(to: time.monotonic()) >= Self.limit } ?? false
  }

  /// One look at a time, also where it hangs: it ends by itself or with the program.
  private func look() {
    let since = time.monotonic()
    lookingSince = since
    let timer = Task { [time] in
      do throws(CancellationError) { try await time.sleep(until: since + Self.limit) } catch {
        return
      }
      release()
    }
    Task {
      let faults = await check()
      known = (time.monotonic(), faults)
      lookingSince = nil
      timer.cancel()
      release()
    }
  }

  private func release() {
    let waiting = waiting
    self.waiting = []
    for one in waiting { one.resume() }
  }

  // MARK: - The log

  /// Each fault is said once when it comes, and once when all are gone.
  private func note(_ faults: [ReadinessFault]) {
    let news = faults.filter { !noted.contains($0.kind) }
    if !news.isEmpty {
      logger.error(
        "the gateway is not ready", [.pair("why", news.map(\.whole).joined(separator: "; "))])
    }
    if faults.isEmpty, !noted.isEmpty { logger.info("the gateway is ready again") }
    noted = faults.isEmpty ? [] : noted.union(faults.map(\.kind))
  }
}
