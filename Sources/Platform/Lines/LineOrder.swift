/// What somebody waits for at one socket; at most one at a time.
struct LineOrder: Sendable {
  enum Goal: Sendable {
    /// Connected, and where that is wanted encrypted.
    case open
    /// All bytes handed to the system.
    case sent
    /// A line that is not blank.
    case line
  }

  let id: UInt64
  let goal: Goal
  let deadline: ContinuousClock.Instant
  let answer: @Sendable (Result<[UInt8], LineError>) -> Void
}
