import Conformance
import Testing

@testable import Axis360

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `Axis 360 keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: Axis360Provider.self))
  func `Axis 360 keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .axis360)
  }

  @Test(arguments: Cell.all(for: Axis360Provider.self))
  func `Axis 360 keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .axis360)
  }
}
