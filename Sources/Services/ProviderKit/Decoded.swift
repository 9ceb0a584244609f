package import Circulation
package import FoundationEssentials

/// One recorded answer as the adapter understands it, for support and for adapter authors. It comes
/// out of the same functions that the operations use.
package enum Decoded: Sendable, Hashable {
  case editions([Edition], next: String?, total: Int?)
  case edition(Edition)
  case availability([ItemID: Availability])
  case loans([Loan])
  case holds([Hold])
  case shelf(Shelf)
  case fulfilment(Fulfilment)
  case lists([ReadingList])
  case listed([ListEntry], total: Int?)
  case friends([ReadingFriend])
  /// What a token is good for; never the token.
  case token(lifetime: Int?, scope: [String])
  case account(AccountStanding)
  case failure(CirculationError)
  /// A success, where an error was looked for.
  case noFailure
  /// With the kinds that the adapter knows.
  case unknownKind([String])
}

extension ProviderListing {
  /// Of the kind named, with its status and the operation it answered, where that is known.
  package typealias Decode =
    @Sendable (
      _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8],
      _ now: Date
    ) -> Decoded
}
