import Conformance
import Testing

@testable import CloudLibrary

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `cloudLibrary keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: CloudLibraryProvider.self))
  func `cloudLibrary keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .cloudLibrary)
  }

  @Test(arguments: Cell.all(for: CloudLibraryProvider.self))
  func `cloudLibrary keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .cloudLibrary)
  }
}
