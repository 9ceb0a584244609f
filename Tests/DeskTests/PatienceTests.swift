import Foundation
import Testing

@testable import Desk

@Suite(.timeLimit(.minutes(1)), .serialized) struct `Patience with an adapter` {
  @Test func `ends when it was to end, and not before`() async throws {
    for span in [Duration.milliseconds(20), .milliseconds(1200)] {
      let start = ContinuousClock.now
      let answer = await firstAnswer(by: start + span) { () async -> Int in
        try? await Task.sleep(for: .seconds(30))
        return 1
      }
      let took = start.duration(to: .now)
      #expect(answer == nil && took >= span && took < span + .seconds(10))
    }
  }

  @Test func `leaves nothing behind of a deadline that is far ahead`() async throws {
    func ask() async throws -> Int {
      for _ in 0..<40_000 {
        _ = await firstAnswer(by: .now + .seconds(86_400)) { 1 }
      }
      // What was called off is let go within seconds.
      try await Task.sleep(for: .milliseconds(2500))
      return try resident()
    }
    _ = try await ask()
    let before = try await ask()
    let after = try await ask()
    #expect(after - before < 8 << 20, "\(after - before) bytes more")
  }

  private func resident() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }
}
