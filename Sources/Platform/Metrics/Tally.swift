import Synchronization

/// Counts, one for each key; they only go up. Keys must come from a closed set.
package final class Tally<Key: Hashable & Sendable>: Sendable {
  private let counts = Mutex<[Key: Int]>([:])

  /// Keys that are told from the start, so that a rate over them knows their first step.
  package init(_ known: [Key] = []) {
    let zeros = Dictionary(known.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
    counts.withLock { $0 = zeros }
  }

  package func add(_ key: Key, _ step: Int = 1) {
    counts.withLock { $0[key, default: 0] += step }
  }

  package var all: [Key: Int] { counts.withLock { $0 } }

  package func samples(_ labels: (Key) -> [String]) -> [Sample] {
    all.map { Sample(labels($0.key), $0.value) }
  }
}

/// How often something took how long, for each key, in boxes between fixed bounds.
package final class Histogram<Key: Hashable & Sendable>: Sendable {
  package struct Cells: Sendable, Hashable {
    /// One for each bound; what is above them all is in `count` alone.
    package internal(set) var counts: [Int]
    package internal(set) var count = 0
    package internal(set) var sum = 0.0

    mutating func put(_ seconds: Double, in box: Int?) {
      if let box { counts[box] += 1 }
      count += 1
      sum += seconds
    }
  }

  /// In seconds, rising.
  package let bounds: [Double]
  private let cells = Mutex<[Key: Cells]>([:])

  package init(bounds: [Double]) { self.bounds = bounds }

  package func observe(_ seconds: Double, _ key: Key) {
    let box = bounds.firstIndex { seconds <= $0 }
    let width = bounds.count
    cells.withLock { cells in
      // Found once and changed where it lies: this is done for every request.
      if let place = cells.index(forKey: key) {
        cells.values[place].put(seconds, in: box)
      } else {
        var first = Cells(counts: [Int](repeating: 0, count: width))
        first.put(seconds, in: box)
        cells[key] = first
      }
    }
  }

  package func observe(_ time: Duration, _ key: Key) { observe(time.inSeconds, key) }

  package var all: [Key: Cells] { cells.withLock { $0 } }
}

extension Duration {
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
