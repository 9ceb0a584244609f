import Conformance
import Testing

@testable import OverDrive

@Suite struct `OverDrive keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: OverDriveProvider.self))
  func `a clause`(_ clause: Clause) async throws { try await clause.check(in: .overDrive) }

  @Test(arguments: Cell.all(for: OverDriveProvider.self))
  func `a fault`(_ cell: Cell) async throws { try await cell.check(in: .overDrive) }
}
