package import Circulation
import Phrasebook

/// One way for a reader to get a title, as far as its place among the others goes.
package struct Standing: Sendable, Hashable {
  package enum Mine: Sendable, Hashable { case loan, ready, hold }

  /// How many more the card may have.
  package struct Room: Sendable, Hashable {
    package let used: Int
    /// Nil where the library does not say.
    package let limit: Int?

    package init(used: Int, limit: Int?) { (self.used, self.limit) = (used, limit) }

    package var left: Int? { limit.map { max(0, $0 - used) } }
    var isFull: Bool { left == 0 }
    var known: (left: Int, limit: Int)? { limit.map { (max(0, $0 - used), $0) } }
  }

  package var mine: Mine?
  /// Nil where nobody asked yet.
  package var status: Availability.Status?
  /// Whether Carrel itself opens one of its formats.
  package var isReadableHere: Bool
  /// Whether a copy is fetched at a branch.
  package var isPaper: Bool
  package var wait: Wait?
  package var loans: Room
  package var holds: Room
  /// Settles what is equal in everything else.
  package var name: String

  package init(
    mine: Mine?, status: Availability.Status?, isReadableHere: Bool,
    isPaper: Bool = false, wait: Wait?, loans: Room, holds: Room, name: String
  ) {
    (self.mine, self.status, self.isReadableHere) = (mine, status, isReadableHere)
    (self.isPaper, self.wait, self.loans, self.holds, self.name) = (
      isPaper, wait, loans, holds, name
    )
  }
}

extension Standing: Comparable {
  /// What the reader has comes before what can be had; what can be read here and now before what
  /// needs another app; then the shorter wait; then what costs the reader less of what a card lends.
  package static func < (one: Standing, other: Standing) -> Bool {
    if one.place != other.place { return one.place.lexicographicallyPrecedes(other.place) }
    return one.name < other.name
  }

  private enum Tier: Int {
    case loan, ready, now, queue, unasked, unavailable, gone
  }

  private var tier: Tier {
    switch mine {
    case .loan: return .loan
    case .ready: return .ready
    case .hold, nil: break
    }
    return switch status {
    case .openAccess, .available: .now
    case .queued: .queue
    case nil: .unasked
    case .unavailable: .unavailable
    case .unknownToProvider: .gone
    }
  }

  private var isFree: Bool { status == .openAccess }

  /// Whether something else has to go back or be given up first.
  package var isAtLimit: Bool {
    switch tier {
    case .now: !isFree && loans.isFull
    case .queue: mine == nil && holds.isFull
    case .loan, .ready, .unasked, .unavailable, .gone: false
    }
  }

  /// Lower is better, place by place.
  private var place: [Int] {
    let reach = isReadableHere ? 0 : isPaper ? 2 : 1
    let room = tier == .queue ? holds : loans
    // A free copy takes up no loan; of two cards the one with more room lends.
    let cost = isFree ? Int.min : -(room.left ?? 1000)
    let days = wait.map { $0.lowDays + $0.highDays } ?? 0
    let full = isAtLimit ? 1 : 0
    return tier == .queue
      ? [tier.rawValue, full, days, reach, mine == .hold ? 0 : 1, cost]
      : [tier.rawValue, full, reach, days, cost]
  }
}

extension Standing {
  /// Why it stands where it stands, the weightiest first.
  package var reasons: [String] {
    var reasons = [first]
    if tier == .queue, let wait {
      reasons.append(said("about \(wait.lowDays) to \(wait.highDays) days: \(wait.basis)"))
    }
    if mine == .hold { reasons.append(said("you wait in this queue already")) }
    if [.now, .queue, .unasked].contains(tier) {
      reasons.append(
        isReadableHere
          ? said("Carrel opens it itself")
          : isPaper
            ? said("it is on paper, to be fetched at a branch") : said("it needs another app"))
    }
    switch tier {
    case .now where isFree: reasons.append(said("it takes up no loan"))
    case .now:
      if let (left, limit) = loans.known {
        reasons.append(
          left == 0
            ? said("the card is at its limit of \(limit) loans")
            : said("\(left) of \(limit) loans left on the card"))
      }
    case .queue where mine == nil:
      if let (left, limit) = holds.known {
        reasons.append(
          left == 0
            ? said("the card is at its limit of \(limit) holds")
            : said("\(left) of \(limit) holds left on the card"))
      }
    default: break
    }
    return reasons
  }

  private var first: String {
    switch tier {
    case .loan: return said("you have it on loan here")
    case .ready: return said("it is kept ready for you")
    case .now:
      if isFree { return said("free for everybody") }
      guard case .available(let copies) = status, let left = copies.available else {
        return isPaper ? said("a copy stands on the shelf") : said("a copy can be borrowed now")
      }
      return isPaper
        ? counted(
          left, one: "\(left) copy is on the shelf", many: "\(left) copies are on the shelf")
        : counted(
          left, one: "\(left) copy can be borrowed now",
          many: "\(left) copies can be borrowed now")
    case .queue: return said("there is a queue")
    case .unasked: return said("not asked yet")
    case .unavailable: return said("no copy, and no queue to join")
    case .gone: return said("the library no longer lists it")
    }
  }
}

/// When copies on paper are among the ways to a title.
package enum PaperRule: String, Sendable, Hashable, CaseIterable {
  /// Where no copy as a file can be had, neither now nor after a wait.
  case otherwise
  case always
}

extension Standing {
  /// Now or after a wait, as far as anybody knows.
  private var canBeHad: Bool {
    switch tier {
    case .loan, .ready, .now, .queue, .unasked: true
    case .unavailable, .gone: false
    }
  }

  /// Those that are offered. What the reader has on paper, or waits for, always is.
  package static func offered<Way>(
    _ ways: [(way: Way, standing: Standing)], paper rule: PaperRule
  ) -> [(way: Way, standing: Standing)] {
    let isNeedless =
      rule == .otherwise && ways.contains { !$0.standing.isPaper && $0.standing.canBeHad }
    return ways.filter { !$0.standing.isPaper || !isNeedless || $0.standing.mine != nil }
  }
}
