package import FoundationEssentials

/// Whether a reader can have a title now, as one source said it at one time.
package struct Availability: Sendable, Hashable {
  package let status: Status
  /// When the source was asked, not when it answered from a cache of its own.
  package let asOf: Date

  package init(_ status: Status, asOf: Date) { (self.status, self.asOf) = (status, asOf) }

  package enum Status: Sendable, Hashable {
    /// Anybody, any number of times.
    case openAccess
    /// A copy can be borrowed now; nil counts where copies are unlimited or not told.
    case available(Copies)
    /// All copies are out, and there is a queue to join.
    case queued(Copies)
    /// Known, but neither to be borrowed nor to be waited for.
    case unavailable(Copies)
    /// The provider does not list it (any more).
    case unknownToProvider
  }

  package struct Copies: Sendable, Hashable {
    package var total: Int?
    package var available: Int?
    package var holds: Int?

    package init(total: Int? = nil, available: Int? = nil, holds: Int? = nil) {
      (self.total, self.available, self.holds) = (total, available, holds)
    }
  }

  package var copies: Copies? {
    switch status {
    case .available(let copies), .queued(let copies), .unavailable(let copies): copies
    case .openAccess, .unknownToProvider: nil
    }
  }

  package var canBeHadNow: Bool {
    switch status {
    case .openAccess, .available: true
    case .queued, .unavailable, .unknownToProvider: false
    }
  }

  /// The word of the contract.
  package var word: String {
    switch status {
    case .openAccess: "open_access"
    case .available: "available"
    case .queued: "queued"
    case .unavailable: "unavailable"
    case .unknownToProvider: "unknown"
    }
  }
}
