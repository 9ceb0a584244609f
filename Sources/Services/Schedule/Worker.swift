package import Database
package import Machine
import Synchronization

/// How work of one kind is done.
package struct Craft: Sendable {
  /// How long one job may take; a worker that needs longer is called off.
  package let limit: Duration
  /// How many jobs a worker does at once, so that long ones leave time for others; nil for any number.
  package let atOnce: Int?
  /// Told the subject and when to be done. It comes back soon when its task is cancelled.
  package let perform: @Sendable (String, ContinuousClock.Instant) async -> JobOutcome

  package init(
    limit: Duration = .seconds(600), atOnce: Int? = nil,
    _ perform: @escaping @Sendable (String, ContinuousClock.Instant) async -> JobOutcome
  ) {
    (self.limit, self.atOnce, self.perform) = (limit, atOnce, perform)
  }
}

/// What a worker tells of its work.
package enum WorkEvent: Sendable {
  case ended(Job, JobOutcome)
  /// Another took the job over; what was done here counts for nothing.
  case lost(Job)
  case database(DatabaseError)
}

/// Does what is due, several jobs at once, each under a lease that it renews while it works.
package struct Worker: Sendable {
  package struct Settings: Sendable {
    package var atOnce = 4
    /// How long to wait before looking again when nothing is due.
    package var pause = Duration.seconds(5)

    package init() {}
  }

  private let schedule: Schedule
  private let crafts: [JobKind: Craft]
  private let name: String
  private let settings: Settings
  private let time: Time
  private let jitter: @Sendable () -> Double
  private let tell: @Sendable (WorkEvent) -> Void
  private let alive: @Sendable () -> Void
  private let places = Places()

  /// `name` is unlike that of every other worker; `jitter` is asked for a number from 0 up to 1.
  /// `alive` is called whenever it looks for work, and while it works.
  package init(
    _ schedule: Schedule, crafts: [JobKind: Craft], name: String,
    settings: Settings = Settings(), time: Time,
    jitter: @escaping @Sendable () -> Double = Chance.system.fraction,
    tell: @escaping @Sendable (WorkEvent) -> Void = { _ in },
    alive: @escaping @Sendable () -> Void = {}
  ) {
    (self.schedule, self.crafts, self.name, self.settings) = (schedule, crafts, name, settings)
    (self.time, self.jitter, self.tell, self.alive) = (time, jitter, tell, alive)
  }

  /// Works until its task is cancelled. Then what is being done is called off, and what is not done
  /// is laid back at once, for others.
  package func run() async {
    await side { () async in
      while !Task.isCancelled {
        if await self.workOnce(dueBy: nil) { continue }
        do throws(CancellationError) { try await time.sleep(for: settings.pause) } catch { return }
      }
    }
  }

  /// Does all that is due by now, each job once, and comes back.
  package func runDue() async {
    let start = time.now().millisecondsSinceEpoch
    await side { () async in
      while !Task.isCancelled {
        guard await self.workOnce(dueBy: start) else { return }
      }
    }
  }

  private func side(_ lane: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<max(1, settings.atOnce) { group.addTask { await lane() } }
    }
  }

  /// False when there was nothing to do.
  private func workOnce(dueBy: Int64?) async -> Bool {
    alive()
    var taken = places.take(crafts)
    defer { places.give(back: taken.limited) }
    do throws(DatabaseError) {
      guard
        let job = try await schedule.claim(taken.kinds, for: name, limit: 1, dueBy: dueBy).first,
        let craft = crafts[job.kind]
      else { return false }
      let unused = taken.limited.subtracting([job.kind])
      places.give(back: unused)
      taken.limited.subtract(unused)
      await carryOut(job, craft)
      return true
    } catch {
      // Called off while claiming: the claim did not happen.
      if !Task.isCancelled { tell(.database(error)) }
      return false
    }
  }

  private func carryOut(_ job: Job, _ craft: Craft) async {
    let outcome = await performed(job, craft)
    let (isCalledOff, jitter) = (Task.isCancelled, jitter())
    // What is written now must be written although the worker is being stopped.
    await Task { await conclude(job, outcome, isCalledOff: isCalledOff, jitter) }.value
  }

  private func conclude(
    _ job: Job, _ outcome: JobOutcome, isCalledOff: Bool, _ jitter: Double
  ) async {
    do throws(DatabaseError) {
      if isCalledOff, case .failed = outcome {
        try await schedule.giveBack(job)
        return
      }
      let counts = try await schedule.finish(job, outcome, jitter: jitter)
      tell(counts ? .ended(job, outcome) : .lost(job))
    } catch {
      // Its lease ends, and then it is done again.
      tell(.database(error))
    }
  }

  /// The heart beats beside the work; when it stops, by the end of the job's time or because another
  /// has the job, the work is called off.
  private func performed(_ job: Job, _ craft: Craft) async -> JobOutcome {
    let deadline = time.monotonic() + craft.limit
    return await withTaskGroup(of: JobOutcome?.self) { group in
      group.addTask { await craft.perform(job.subject, deadline) }
      group.addTask {
        await beat(job, until: deadline)
        return nil
      }
      var outcome: JobOutcome?
      for await end in group {
        outcome = outcome ?? end
        group.cancelAll()
      }
      return outcome ?? .failed(note: "it did not say how it ended")
    }
  }

  private func beat(_ job: Job, until deadline: ContinuousClock.Instant) async {
    while time.monotonic() < deadline {
      let next = min(time.monotonic() + schedule.settings.lease / 3, deadline)
      do throws(CancellationError) { try await time.sleep(until: next) } catch { return }
      alive()
      do throws(DatabaseError) {
        guard try await schedule.extend(job) else { return }
      } catch {
        // The next beat may reach the database; the lease outlasts two that do not.
        if !Task.isCancelled { tell(.database(error)) }
      }
    }
  }
}

/// How many jobs of each kind a worker does, where their number is limited.
private final class Places: Sendable {
  struct Taken {
    var kinds: [JobKind] = []
    var limited: Set<JobKind> = []
  }

  private let busy = Mutex<[JobKind: Int]>([:])

  /// The kinds of which another job may be done. Of those that are limited a place is taken before it
  /// is known whether there is a job.
  func take(_ crafts: [JobKind: Craft]) -> Taken {
    busy.withLock { busy in
      var taken = Taken()
      for (kind, craft) in crafts {
        guard let most = craft.atOnce else {
          taken.kinds.append(kind)
          continue
        }
        guard busy[kind, default: 0] < most else { continue }
        busy[kind, default: 0] += 1
        taken.kinds.append(kind)
        taken.limited.insert(kind)
      }
      return taken
    }
  }

  func give(back kinds: Set<JobKind>) {
    busy.withLock { busy in
      for kind in kinds { busy[kind, default: 1] -= 1 }
    }
  }
}
