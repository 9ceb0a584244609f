import Conformance
import Testing

@testable import BookWyrm

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `BookWyrm keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: BookWyrmProvider.self))
  func `BookWyrm keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .bookWyrm)
  }

  @Test(arguments: Cell.all(for: BookWyrmProvider.self))
  func `BookWyrm keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .bookWyrm)
  }
}
