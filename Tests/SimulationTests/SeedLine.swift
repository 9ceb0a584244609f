import Foundation
import Synchronization

/// The seeds that are still to be lived through. A long campaign tells on its way how far it is, and of
/// each seed that failed, so that an end in the middle loses nothing; ten failures are enough to work on.
final class SeedLine: Sendable {
  private let seeds: [UInt64]
  private let state = Mutex((taken: 0, lived: 0, failed: 0))

  init(_ seeds: [UInt64]) { self.seeds = seeds }

  var lived: Int { state.withLock { $0.lived } }

  func next() -> (place: Int, seed: UInt64)? {
    state.withLock { state in
      guard state.taken < seeds.count, state.failed < 10 else { return nil }
      defer { state.taken += 1 }
      return (state.taken, seeds[state.taken])
    }
  }

  func note(_ violation: String?) {
    let (lived, failed) = state.withLock { state in
      state.lived += 1
      if violation != nil { state.failed += 1 }
      return (state.lived, state.failed)
    }
    if let violation { say("campaign: failed: \(violation)") }
    if lived % 500 == 0, lived < seeds.count {
      say("campaign: \(lived) of \(seeds.count), to seed \(seeds[lived - 1]); \(failed) failed")
    }
  }

  /// At once, also where the output is a file.
  private func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
