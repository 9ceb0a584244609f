import Foundation
import Testing

@testable import Desk

@Suite(.timeLimit(.minutes(1)), .serialized) struct `Patience with an adapter` {
  @Test func `Patience with an adapter ends when it was to end, and not before`() async throws {
    for span in [Duration.milliseconds(20), .milliseconds(1200)] {
      let (silence, word) = AsyncStream<Void>.makeStream()
      defer { word.finish() }
      let start = ContinuousClock.now
      let answer = await firstAnswer(by: start + span) { () async -> Int in
        for await _ in silence {}
        return 1
      }
      let took = start.duration(to: .now)
      #expect(answer == nil && took >= span && took < span + .seconds(10))
    }
  }

  @Test func `Patience with an adapter leaves nothing behind of a deadline that is far ahead`()
    async throws
  {
    func ask() async throws -> Int {
      for _ in 0..<40_000 {
        _ = await firstAnswer(by: .now + .seconds(86_400)) { 1 }
      }
      // What was called off is let go within seconds.
      try await Task.sleep(for: .milliseconds(2500))
      return try resident()
    }
    _ = try await ask()
    // What stays behind does so every time; what the allocator holds on to for a while does not.
    var (before, least) = (try await ask(), Int.max)
    for _ in 0..<3 where least >= 8 << 20 {
      let after = try await ask()
      least = min(least, after - before)
      before = after
    }
    #expect(least < 8 << 20, "\(least) bytes more")
  }

  private func resident() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }
}
