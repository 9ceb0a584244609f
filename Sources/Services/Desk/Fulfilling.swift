package import Circulation

/// What a loan turns into, and where paper waits. Neither changes anything at the library, so neither
/// is written down.
extension Desk {
  /// The file, the licence or the page. Its address is the provider's own and short-lived: it is
  /// asked for just in time and kept nowhere.
  package func fulfil(
    _ item: ItemID, as format: Format? = nil, on account: AccountID, in call: Call
  ) async throws(DeskError) -> Fulfilment {
    let lender = try await lender(account, call)
    return try await asked { () throws(CirculationError) in
      try await lender.ask(.fulfil, in: call) { provider throws(CirculationError) in
        try await provider.fulfil(item, as: format, in: call)
      }
    }
  }

  /// Whether the library puts paper aside. It is not asked.
  package func hasBranches(
    _ account: AccountID, in call: Call
  ) async throws(DeskError) -> Bool {
    try await lender(account, call).hasBranches
  }

  /// The copies of a title on paper, and where one may be picked up. A library that tells nothing of
  /// copies tells its branches.
  package func copies(
    of item: ItemID, on account: AccountID, in call: Call
  ) async throws(DeskError) -> CopyList {
    let lender = try await lender(account, call)
    guard lender.hasBranches else { return CopyList() }
    return try await asked { () throws(CirculationError) in
      do throws(CirculationError) {
        return try await lender.ask(.copies, in: call) { provider throws(CirculationError) in
          try await provider.copies(of: item, in: call)
        }
      } catch {
        guard case .unsupported = error.reason else { throw error }
        return try await lender.ask(.branches, in: call) { provider throws(CirculationError) in
          CopyList(pickups: try await provider.branches(in: call))
        }
      }
    }
  }

  /// Where a paper copy may be picked up; none where the library has no paper.
  package func branches(
    on account: AccountID, in call: Call
  ) async throws(DeskError) -> [Branch] {
    let lender = try await lender(account, call)
    guard lender.hasBranches else { return [] }
    return try await asked { () throws(CirculationError) in
      try await lender.ask(.branches, in: call) { provider throws(CirculationError) in
        try await provider.branches(in: call)
      }
    }
  }
}
