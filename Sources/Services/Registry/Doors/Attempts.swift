import Circulation

/// Failed attempts to come in, counted by what was tried and by where it came from, in bounded
/// memory. It counts under marks, never under the words themselves.
struct Attempts: Sendable {
  struct Limit: Sendable {
    let count: Int
    /// Milliseconds, from the first failure on.
    let span: Int64
  }

  private struct Tally {
    var count: Int
    let until: Int64
  }

  private let capacity: Int
  private var tallies: [[UInt8]: Tally] = [:]

  init(capacity: Int) { self.capacity = max(2, capacity) }

  /// How long whoever is behind this mark must wait, or nil.
  func wait(_ mark: [UInt8], _ limit: Limit, at now: Int64) -> Int64? {
    guard let tally = tallies[mark], tally.count >= limit.count, tally.until > now else {
      return nil
    }
    // A clock that was set back must not shut anybody out for long.
    return min(tally.until - now, limit.span)
  }

  mutating func note(_ mark: [UInt8], _ limit: Limit, at now: Int64) {
    if let tally = tallies[mark], tally.until > now, tally.until <= now + limit.span {
      tallies[mark]?.count += 1
      return
    }
    if tallies.count >= capacity { makeRoom(at: now) }
    tallies[mark] = Tally(count: 1, until: now + limit.span)
  }

  /// Takes one back that was counted before it was judged.
  mutating func takeBack(_ mark: [UInt8]) {
    guard let tally = tallies[mark] else { return }
    tallies[mark] = tally.count > 1 ? Tally(count: tally.count - 1, until: tally.until) : nil
  }

  mutating func forget(_ mark: [UInt8]) { tallies[mark] = nil }

  var count: Int { tallies.count }

  /// What is over goes; of what is left, the half with the fewest failures. A flood of new names
  /// fails once each, and does not wash out the ones that are being guessed at.
  private mutating func makeRoom(at now: Int64) {
    tallies = tallies.filter { $0.value.until > now }
    guard tallies.count >= capacity else { return }
    let ordered = tallies.sorted {
      ($0.value.count, $0.value.until) > ($1.value.count, $1.value.until)
    }
    tallies = Dictionary(
      uniqueKeysWithValues: ordered.prefix(capacity / 2).map { ($0.key, $0.value) })
  }
}
