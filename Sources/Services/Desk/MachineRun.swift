import Database

/// One run of a machine, from its start to its end. All its programs count its age alike, and whoever
/// sets its calendar leaves that count alone; to another machine, and after another start, it says nothing.
package struct MachineRun: Sendable {
  /// No other run of any machine has this name.
  let name: String
  /// In milliseconds.
  let age: @Sendable () -> Int64
  /// Names the process that writes commands; nil where it cannot be told from others.
  let process: String?
  /// Whether a process of this run has ended for certain.
  let hasEnded: @Sendable (String) -> Bool

  package init(
    name: String, age: @escaping @Sendable () -> Int64, process: String? = nil,
    hasEnded: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    (self.name, self.age, self.process, self.hasEnded) = (name, age, process, hasEnded)
  }
}

/// A moment by the calendar, which may be wrong, and by the age of the machine, where that is known.
struct Tick: Sendable, Hashable {
  /// In milliseconds, like all that follows.
  let date: Int64
  let run: String?
  let age: Int64
  /// By how much the calendar of another machine, or of this one at another time, may differ.
  let doubt: Int64
}

extension Desk {
  func tick() -> Tick {
    Tick(
      date: now(), run: run?.name, age: run?.age() ?? 0,
      // One may be ahead and the other behind.
      doubt: 2 * milliseconds(settings.clockError))
  }
}

extension Intent {
  /// Whether it may still be on its way to the provider, so that its absence there proves nothing.
  func mayArrive(at tick: Tick) -> Bool {
    if let run, run == tick.run { return tick.age <= arrivesUntilAge }
    return tick.date <= arrivesUntil + tick.doubt
  }

  /// Whether the calendar must have been set back since, so that it tells nothing about this.
  func isFromTheFuture(at tick: Tick) -> Bool {
    (run == nil || run != tick.run) && writtenAt > tick.date + tick.doubt
  }
}
