/// In what one library's side differs from another's, beyond how it writes. Each cell may be set by
/// itself; makers' usual values are the adapter's to know.
package struct Dialect: Sendable, Hashable {
  package var wire = Wire()
  package var zone = Moment.Zone.local
  /// As our messages say it: 000 is unknown.
  package var language = "000"
  /// Text that is sent before anybody asks.
  package var expectsGreeting = false
  /// Whether the machine's status is told before the first request.
  package var tellsStatus = false
  /// Whether a reader's session is ended in words. There are servers that must not hear them.
  package var endsSessions = true
  package var password = SignIn.PasswordRule.required
  package var blockingFlags = PatronFlag.usuallyBlocking
  /// Where the end of a card stands, the first that is there.
  package var expiryFields: [FieldCode] = [.expiryMoment, .expiryDay, .isExpired]
  package var holdModes: Set<HoldMode> = [.add, .cancel]
  package var holdTarget = HoldTarget.item
  package var holdCount = HoldCount.all
  /// Whether entries of lists hold barcodes, so that a hold can be found among them.
  package var listsBarcodes = true

  package init() {}

  package enum HoldMode: String, Sendable, Hashable, CaseIterable {
    case add = "+"
    case cancel = "-"
    case change = "*"
  }

  /// By what a hold names its title.
  package enum HoldTarget: String, Sendable, Hashable, CaseIterable {
    case item, title, both
  }

  /// What the count of holds counts.
  package enum HoldCount: String, Sendable, Hashable, CaseIterable {
    /// All, and those that are not ready apart.
    case all
    /// Those that wait on the shelf; the others apart.
    case ready
    /// Says nothing.
    case unreliable
  }

  /// How many holds are ready to be fetched; nil where the counts do not tell.
  package func readyHolds(of record: PatronRecord) -> Int? {
    guard let holds = record.counts[.holds] else { return nil }
    switch holdCount {
    case .ready: return holds
    case .all: return record.counts[.unavailableHolds].map { max(0, holds - $0) }
    case .unreliable: return nil
    }
  }
}
