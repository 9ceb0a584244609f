import Conformance
import Testing

@testable import GoogleBooks

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `Google Books keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: GoogleBooksProvider.self))
  func `Google Books keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .googleBooks)
  }

  @Test(arguments: Cell.all(for: GoogleBooksProvider.self))
  func `Google Books keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .googleBooks)
  }
}
