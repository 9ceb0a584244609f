import Desk
import Machine
import Synchronization

/// The only clock of a simulation. It stands still within a step, so that nothing depends on how fast
/// the machine is; whoever sleeps has slept at once. The calendar may be wrong, the clock never goes
/// back.
final class SimulatedTime: Sendable {
  private struct State {
    var passed = Duration.zero
    var wrong = Duration.zero
  }

  static let start = Timestamp(secondsSinceEpoch: 1_798_761_600)

  private let state = Mutex(State())
  /// Ahead of the machine's, where what runs on real time would otherwise see deadlines in the past.
  private let base = ContinuousClock.now + .seconds(86_400)

  /// The true time.
  var now: Timestamp { Self.start + state.withLock { $0.passed } }
  var passed: Duration { state.withLock { $0.passed } }

  func pass(_ span: Duration) { state.withLock { $0.passed += span } }

  /// How far the gateway's calendar is off.
  var wrong: Duration {
    get { state.withLock { $0.wrong } }
    set { state.withLock { $0.wrong = newValue } }
  }

  var time: Machine.Time {
    Machine.Time(
      now: { self.now + self.wrong },
      monotonic: { self.base + self.passed },
      sleepUntil: { deadline async throws(CancellationError) in
        if Task.isCancelled { throw CancellationError() }
        // The heartbeat of whoever fetches a file beats between steps, never within one.
        guard self.base + self.passed + .milliseconds(500) != deadline else {
          return try await Self.untilCancelled()
        }
      })
  }

  private static func untilCancelled() async throws(CancellationError) {
    let (never, held) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    held.finish()
    throw CancellationError()
  }
}

/// The machine under a gateway, which counts its age anew whenever it starts.
struct TownMachine: Sendable {
  private var starts = 0
  private var processes = 0
  private var began = Duration.zero
  /// Since it was last quiet.
  var isOther = false

  mutating func startAgain(at moment: Duration) {
    (starts, began, isOther) = (starts + 1, moment, true)
  }

  /// For a gateway that starts: the one before it has ended.
  mutating func run(by time: SimulatedTime) -> MachineRun {
    processes += 1
    let (began, process) = (began, "process \(processes)")
    return MachineRun(
      name: "run \(starts)", age: { (time.passed - began).milliseconds }, process: process,
      hasEnded: { $0 != process })
  }
}
