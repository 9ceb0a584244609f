import Conformance
import Testing

@testable import OPDSLibrary

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `An OPDS library keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: OPDSLibraryProvider.self))
  func `a clause, in Atom with a card`(_ clause: Clause) async throws {
    try await clause.check(in: .atom)
  }

  @Test(arguments: Clause.all(binding: OPDSLibraryProvider.self))
  func `a clause, in JSON with a token`(_ clause: Clause) async throws {
    try await clause.check(in: .json)
  }

  @Test(arguments: Cell.all(for: OPDSLibraryProvider.self))
  func `a fault, in Atom with a card`(_ cell: Cell) async throws {
    try await cell.check(in: .atom)
  }

  @Test(arguments: Cell.all(for: OPDSLibraryProvider.self))
  func `a fault, in JSON with a token`(_ cell: Cell) async throws {
    try await cell.check(in: .json)
  }
}
