import Conformance
import Testing

@testable import OPDSLibrary

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `An OPDS library keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: OPDSLibraryProvider.self))
  func `OPDSLibrary with Atom and a card keeps the circulation contract: clause`(_ clause: Clause)
    async throws
  {
    try await clause.check(in: .atom)
  }

  @Test(arguments: Clause.all(binding: OPDSLibraryProvider.self))
  func `OPDSLibrary with JSON and a token keeps the circulation contract: clause`(_ clause: Clause)
    async throws
  {
    try await clause.check(in: .json)
  }

  @Test(arguments: Cell.all(for: OPDSLibraryProvider.self))
  func `OPDSLibrary with Atom and a card keeps the circulation contract: fault`(_ cell: Cell)
    async throws
  {
    try await cell.check(in: .atom)
  }

  @Test(arguments: Cell.all(for: OPDSLibraryProvider.self))
  func `OPDSLibrary with JSON and a token keeps the circulation contract: fault`(_ cell: Cell)
    async throws
  {
    try await cell.check(in: .json)
  }
}
