import Machine
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct Turns {
  private final class Room: Sendable {
    private let count = Mutex((inside: 0, most: 0, done: 0))

    var most: Int { count.withLock { $0.most } }
    var done: Int { count.withLock { $0.done } }

    func enter() {
      count.withLock { count in
        count.inside += 1
        count.most = max(count.most, count.inside)
      }
    }

    func leave() {
      count.withLock { count in
        count.inside -= 1
        count.done += 1
      }
    }
  }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `are taken one at a time, and everybody gets theirs`() async throws {
    let (path, room) = (folder.file("lock"), Room())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let turn = try await Turn.taken(at: path)
          room.enter()
          for _ in 0..<50 { await Task.yield() }
          room.leave()
          turn.end()
        }
      }
      try await group.waitForAll()
    }
    #expect(room.most == 1 && room.done == 8)
  }

  @Test func `end with whoever had them, though nobody ended them`() async throws {
    let path = folder.file("lock")
    var turn: Turn? = try await Turn.taken(at: path)
    #expect(turn != nil)
    turn = nil
    try await Turn.taken(at: path).end()
  }

  @Test func `cannot be had where there is no folder`() async throws {
    let path = folder.file("none/lock")
    await #expect(throws: MachineError.self) { _ = try await Turn.taken(at: path) }
  }
}
