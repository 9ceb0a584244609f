/// What a library settles once for all its readers.
package struct LendingRules: Sendable, Hashable {
  package var needsPIN = true
  package var loanLimit = 12
  package var holdLimit = 15
  /// By medium, in milliseconds; `nil` asks for the ordinary period.
  package var periods: [String: Int64] = ["audiobook": 14 * day, "video": 5 * day]
  package var ordinaryPeriod: Int64 = 21 * day
  /// How long a ready copy stays put aside.
  package var offerPeriod: Int64 = 3 * day
  package var renewalWindow: Int64 = 3 * day
  package var renewalLimit = 2
  package var longestSuspension: Int64 = 365 * day
  package var refusesHoldsOnAvailable = false
  package var missedOffer = MissedOffer.suspends
  /// Formats after which only the reading program can give the loan back.
  package var formatsThatStay: Set<String> = []
  /// Loans and offers are good until a day ends, as they are where copies stand in a building.
  package var wholeDays = false
  /// Somebody has to fetch a copy from its shelf before a hold is ready; one that comes back is put
  /// aside at once.
  package var fetchesByHand = false

  package init() {}

  func end(of period: Int64, from now: Moment) -> Moment {
    let end = now + period
    guard wholeDays else { return end }
    return Moment(milliseconds: (end.milliseconds / Self.day + 1) * Self.day - 1000)
  }

  package enum MissedOffer: String, Sendable, Hashable { case suspends, dropsHold }

  package func loanPeriod(of medium: String) -> Int64 { periods[medium] ?? ordinaryPeriod }

  package static let day: Int64 = 86_400_000
}

package enum Copies: Sendable, Hashable {
  case unlimited
  case counted(Int)
}

package struct Title: Sendable, Hashable {
  package let id: String
  package var name: String
  package var subtitle: String?
  package var authors: [String]
  package var narrator: String?
  package var series: String?
  package var seriesPosition: String?
  package var language: String
  package var subjects: [String]
  package var summary: String
  package var publisher: String
  package var published: String
  package var isbn: String
  /// The dialect's word, such as `ebook` or `audiobook`.
  package var medium: String
  package var formats: [String]
  package var copies: Copies
  package var added: Moment
  package var changed: Moment
  package var popularity: Int
  /// Copies on paper that nobody can have just now, besides those that are counted.
  package var oddCopies: [OddCopy] = []

  package init(id: String, name: String, authors: [String], copies: Copies, added: Moment) {
    (self.id, self.name, self.authors, self.copies) = (id, name, authors, copies)
    language = "en"
    subjects = []
    summary = ""
    publisher = "Mock House"
    published = "2020-01-01"
    isbn = ""
    medium = "ebook"
    formats = []
    (self.added, changed) = (added, added)
    popularity = 0
  }
}

package struct OddCopy: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    case reference, lost, damaged, withdrawn
    case onOrder = "on_order"
    case inTransit = "in_transit"
  }

  package let state: State

  package init(_ state: State) { self.state = state }
}

package struct Patron: Sendable, Hashable {
  package let card: String
  package var pin: String
  package var name: String
  package var email: String?
  package var expires: Moment?
  package var block: Block?
  package var loanLimit: Int?
  package var holdLimit: Int?
  /// Loan periods of the reader's own choice, by medium, in milliseconds.
  package var periods: [String: Int64] = [:]
  /// The code of the home branch, and the library's word for what kind of reader it is.
  package var home: String?
  package var kind: String?
  /// In hundredths.
  package var owes: Int64 = 0
  /// As `1990-04-01`.
  package var born: String?

  package init(card: String, pin: String, name: String) {
    (self.card, self.pin, self.name) = (card, pin, name)
  }

  package enum Block: String, Sendable, Hashable { case fines, lost, barred }
}

package struct Loan: Sendable, Hashable {
  package let title: String
  package let card: String
  package let since: Moment
  package var until: Moment
  /// Set once the loan is bound to one.
  package var format: String?
  package var canComeBackEarly = true
  package var renewals = 0
  /// Which of the counted copies it is, from 0.
  package var copy = 0
}

package struct Hold: Sendable, Hashable {
  package let id: Int
  package let title: String
  package let card: String
  package let placed: Moment
  package var email: String?
  package var readyUntil: Moment?
  package var suspension: Suspension?
  package var missedOffers = 0
  /// Placed by the one who has the title, to have it again afterwards.
  package var renews = false
  /// Where the reader wants to fetch it, where copies stand in buildings.
  package var pickup: String?
  /// Which of the counted copies is put aside, or on its way.
  package var copy: Int?
  package var isInTransit = false

  package var isReady: Bool { readyUntil != nil }

  package struct Suspension: Sendable, Hashable {
    package let since: Moment
    package let until: Moment?
  }
}

/// Why the library says no. Each dialect has its own words for each.
package enum LendingRefusal: Error, Sendable, Hashable {
  case unknownCard, wrongPIN, expiredCard
  case blocked(Patron.Block)
  case unknownTitle, noCopies, alreadyBorrowed, notBorrowed, notReturnable
  case loanLimit(Int)
  case holdLimit(Int)
  case alreadyOnHold, notOnHold, copyAvailable, holdsMakeNoSense
  case noSuchFormat
  case otherFormatLocked(String)
  case tooEarlyToRenew, othersWait, renewalLimit
}
