import Circulation
import Conformance
import Testing

@testable import LibraryDesk

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `A library's desk keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: LibraryDeskProvider.self))
  func `A library's desk keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .libraryDesk)
  }

  @Test(arguments: Cell.all(for: LibraryDeskProvider.self))
  func `A library's desk keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .libraryDesk)
  }
}

@Suite(.serialized) struct `A desk over SIP2 keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: LibraryDeskProvider.self, lacking: [.suspension]))
  func `A desk over SIP2 keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .deskOverSIP2)
  }
}
