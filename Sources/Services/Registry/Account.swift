package import Circulation
package import Database

/// A person who reads here: whose accounts, whose shelf.
package struct Patron: Sendable, Hashable {
  package let id: PatronID
  package let name: String

  package init(id: PatronID, name: String) { (self.id, self.name) = (id, name) }
}

/// A patron's membership at a library. What the library knows the reader by is sealed and not in
/// here; of the card only the last digits show.
package struct Account: Sendable, Hashable {
  /// How the library took the credentials last.
  package enum Status: String, Sendable, Hashable, CaseIterable {
    case linked, rejected, expired, blocked
  }

  package let id: AccountID
  package let patron: PatronID
  /// The reader's own word for it.
  package let name: String
  package let provider: ProviderID
  package let library: LibraryID
  package let cardEnding: String?
  package let status: Status
  /// Instants are milliseconds since 1970.
  package let linkedAt: Int64
  package let lastGoodSync: Int64?
  package let loanLimit: Int?
  package let holdLimit: Int?
  /// Of the credentials: another PIN is another version.
  package let version: Int64

  package init(
    id: AccountID, patron: PatronID, name: String, provider: ProviderID, library: LibraryID,
    cardEnding: String? = nil, status: Status = .linked, linkedAt: Int64,
    lastGoodSync: Int64? = nil, loanLimit: Int? = nil, holdLimit: Int? = nil,
    version: Int64 = 1
  ) {
    (self.id, self.patron, self.name) = (id, patron, name)
    (self.provider, self.library, self.cardEnding) = (provider, library, cardEnding)
    (self.status, self.linkedAt, self.lastGoodSync) = (status, linkedAt, lastGoodSync)
    (self.loanLimit, self.holdLimit, self.version) = (loanLimit, holdLimit, version)
  }
}

extension Account.Status: Storable {}

extension Account.Status {
  /// What a refusal says about the card itself; nil where it says nothing.
  package init?(_ reason: CirculationError.Reason) {
    switch reason {
    case .credentialsRejected: self = .rejected
    case .accountExpired: self = .expired
    case .accountBlocked: self = .blocked
    default: return nil
    }
  }
}
