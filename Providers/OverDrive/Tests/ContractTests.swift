import Conformance
import Testing

@testable import OverDrive

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `OverDrive keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: OverDriveProvider.self))
  func `OverDrive keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .overDrive)
  }

  @Test(arguments: Cell.all(for: OverDriveProvider.self))
  func `OverDrive keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .overDrive)
  }
}
