import Chapters
import EPUB
import Synchronization
import Testing

/// What is made of books shares the threads with all other answers.
@Suite struct `Parts of books` {
  private final class Tally: Sendable {
    let begun = Atomic(0)
    let underWay = Atomic(0)
    let most = Atomic(0)
  }

  @Test func `parts of books are made one at a time, however many are asked for at once`()
    async throws
  {
    let making = Bookshelf().making
    let tally = Tally()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          try await making.make { () throws(ResourceError) in
            tally.begun.add(1, ordering: .sequentiallyConsistent)
            let now = tally.underWay.add(1, ordering: .sequentiallyConsistent).newValue
            tally.most.max(now, ordering: .sequentiallyConsistent)
            // Long enough for another thread to come in between, were it let.
            let sum = (0..<20_000).reduce(into: 0) { (sum: inout Int, next: Int) in
              sum = sum &* 31 &+ next
            }
            tally.underWay.subtract(1, ordering: .sequentiallyConsistent)
            return sum
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(tally.begun.load(ordering: .sequentiallyConsistent) == 64)
    #expect(tally.most.load(ordering: .sequentiallyConsistent) == 1)
  }

  @Test func `a part is not made for a request that has ended while it waited`() async {
    let making = Bookshelf().making
    let tally = Tally()
    let first = Task {
      try await making.make { () throws(ResourceError) in
        let second = Task {
          try await making.make { () throws(ResourceError) in
            tally.begun.add(1, ordering: .sequentiallyConsistent)
          }
        }
        // It cannot begin before this one has ended.
        second.cancel()
        return second
      }
    }
    let second = try? await first.value
    await #expect(throws: (any Error).self) { try await second?.value }
    #expect(tally.begun.load(ordering: .sequentiallyConsistent) == 0)
  }
}
