import JSON

/// Everything a mock remembers: a value, so that a reset is an assignment.
package struct WorldState: Sendable {
  package let seed: UInt64
  package let scenario: String
  package var clock: MockClock
  package var libraries: [MockLibrary]
  package var faults: FaultPlan
  package var journal = Journal()
  package var tokens: Tokens
  /// For error references and whatever else is arbitrary on the wire.
  package var random: SeededRandom
  package var answers = AnswerMemory()

  package init(
    _ scenario: Scenario, seed: UInt64, at start: Moment = .usualStart, dialects: [Dialect]
  ) {
    (self.seed, self.scenario) = (seed, scenario.name)
    clock = MockClock(at: start)
    libraries = dialects.flatMap { $0.libraries(scenario, seed, start) }
    faults = FaultPlan(seed: seed)
    for fault in scenario.faults { faults.add(fault) }
    tokens = Tokens(seed: seed)
    random = SeededRandom(seed: seed, for: "wire")
  }

  package var now: Moment { clock.now }

  package func library(_ id: String, of provider: String) -> MockLibrary? {
    libraries.first { $0.id == id && $0.provider == provider }
  }

  /// Changes a library in its place; nil when there is none of that name.
  package mutating func change<Result>(
    _ id: String, of provider: String, _ edit: (inout MockLibrary, Moment) -> Result
  ) -> Result? {
    let now = now
    guard let index = libraries.firstIndex(where: { $0.id == id && $0.provider == provider }) else {
      return nil
    }
    return edit(&libraries[index], now)
  }

  /// Runs in every library what has fallen due.
  package mutating func settle() {
    let now = now
    for index in libraries.indices { libraries[index].lending.tick(to: now) }
  }
}
