import Conformance
import Testing

@testable import HathiTrust

// One after the other, since each case has a server and a client, with their threads, of its own.
@Suite(.serialized) struct `HathiTrust keeps the circulation contract` {
  @Test(arguments: Clause.all(binding: HathiTrustProvider.self))
  func `HathiTrust keeps the circulation contract: clause`(_ clause: Clause) async throws {
    try await clause.check(in: .hathiTrust)
  }

  @Test(arguments: Cell.all(for: HathiTrustProvider.self))
  func `HathiTrust keeps the circulation contract: fault`(_ cell: Cell) async throws {
    try await cell.check(in: .hathiTrust)
  }
}
