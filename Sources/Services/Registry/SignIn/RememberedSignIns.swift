import Synchronization

/// Pairs of number and PIN that were right within the last minutes, so that an app that signs in with
/// every request does not have a secret opened each time. Of this process alone.
///
/// What is remembered is not counted, so it must be no way to guess: a pair is remembered for the
/// address it came from, one for each number, and the first other pair that is tried there with the
/// number ends it.
final class RememberedSignIns: Sendable {
  /// What is tried, and the number and the address that it is tried with.
  struct Pair: Sendable {
    let mark: [UInt8]
    let numberAtPlace: [UInt8]
  }

  private struct Entry: Sendable {
    let mark: [UInt8]
    let standing: CardStanding
    let until: Int64
  }

  private let capacity: Int
  /// Milliseconds.
  private let span: Int64
  private let entries = Mutex<[[UInt8]: Entry]>([:])

  init(capacity: Int, span: Int64) { (self.capacity, self.span) = (capacity, span) }

  func standing(of pair: Pair, at now: Int64) -> CardStanding? {
    entries.withLock { entries in
      guard let entry = entries[pair.numberAtPlace] else { return nil }
      guard entry.mark == pair.mark, entry.until > now, entry.until <= now + span else {
        entries[pair.numberAtPlace] = nil
        return nil
      }
      return entry.standing
    }
  }

  func keep(_ standing: CardStanding, as pair: Pair, at now: Int64) {
    entries.withLock { entries in
      if entries.count >= capacity {
        entries = entries.filter { $0.value.until > now }
        if entries.count >= capacity { entries = [:] }
      }
      entries[pair.numberAtPlace] = Entry(
        mark: pair.mark, standing: standing, until: now + span)
    }
  }

  func forget(_ pair: Pair) { entries.withLock { $0[pair.numberAtPlace] = nil } }

  var count: Int { entries.withLock { $0.count } }
}
