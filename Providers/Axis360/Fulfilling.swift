package import Circulation
import ProviderKit

// From a loan to something that can be opened (§8).

extension Axis360Provider {
  /// Asked for afresh every time: the address is made for one download (§12.26).
  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard let title = try await myTitle(item, .fulfil, in: call), let loan = title.loan() else {
      throw failure(.notBorrowed, .fulfil)
    }
    if let format, Formats.named(format.id)?.id != loan.lockedFormat?.id {
      throw failure(.formatUnavailable, .fulfil, says: "the loan is bound to another format")
    }
    guard let fulfilment = title.fulfilment() else {
      throw failure(.formatUnavailable, .fulfil, says: loan.lockedFormat?.id)
    }
    return fulfilment
  }
}
