import Conformance
import Testing

@testable import OpenLibrary

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `Open Library keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: OpenLibraryProvider.self))
  func `Open Library keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .openLibrary)
  }

  @Test(arguments: Cell.all(for: OpenLibraryProvider.self))
  func `Open Library keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .openLibrary)
  }
}
