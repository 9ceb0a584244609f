import Circulation
import Conformance
import Testing

@testable import Gutenberg

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `Gutenberg keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: GutenbergProvider.self))
  func `Gutenberg keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .gutenberg)
  }

  @Test(arguments: Cell.all(for: GutenbergProvider.self, answeringAlone: [.availability]))
  func `Gutenberg keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .gutenberg)
  }
}
