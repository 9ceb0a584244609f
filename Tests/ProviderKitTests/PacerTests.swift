import ProviderKit
import Testing

@Suite struct `A pacer` {
  @Test func `A pacer lets only so many in at a time, first come first served`() async throws {
    let pacer = Pacer(.init(atOnce: 2))
    let far = ContinuousClock.now + .seconds(60)
    try await pacer.enter(before: far)
    try await pacer.enter(before: far)
    let third = Task { try await pacer.enter(before: far) }
    pacer.leave()
    try await third.value
    pacer.leave()
    pacer.leave()
    try await pacer.enter(before: far)
  }

  @Test func `A pacer gives up at the deadline and keeps its places right`() async throws {
    let pacer = Pacer(.init(atOnce: 1))
    try await pacer.enter(before: .now + .seconds(60))
    await #expect(throws: Pacer.Refusal.deadline) { try await pacer.enter(before: .now) }
    pacer.leave()
    try await pacer.enter(before: .now + .seconds(60))
  }

  @Test func `A pacer lets go when the task is cancelled`() async throws {
    let pacer = Pacer(.init(atOnce: 1))
    try await pacer.enter(before: .now + .seconds(60))
    let waiting = Task { try await pacer.enter(before: .now + .seconds(60)) }
    waiting.cancel()
    await #expect(throws: Pacer.Refusal.cancelled) { try await waiting.value }
    pacer.leave()
    try await pacer.enter(before: .now + .seconds(60))
  }
}
