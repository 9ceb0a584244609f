package import Circulation

/// A hold as far as its pacing goes. Days are counted from 1970.
package struct PacedHold: Sendable, Hashable {
  package enum Standing: Sendable, Hashable {
    case waiting
    case ready
    /// Nil where it rests until it is resumed.
    case resting(until: Int?)
    case expired
  }

  package let account: AccountID
  package let item: ItemID
  package var standing: Standing
  /// The fewest days it can take until a copy comes; nil where nobody can tell.
  package var soonest: Int?
  /// The first day on which its reader wants it.
  package var notBefore: Int?
  /// Whether its lender lets a hold rest.
  package var canRest: Bool
  /// Whether it rests because pacing put it to rest: what a reader put to rest is theirs to wake.
  package var isOurs: Bool

  package init(
    account: AccountID, item: ItemID, standing: Standing, soonest: Int? = nil,
    notBefore: Int? = nil, canRest: Bool = true, isOurs: Bool = false
  ) {
    (self.account, self.item, self.standing) = (account, item, standing)
    (self.soonest, self.notBefore, self.canRest) = (soonest, notBefore, canRest)
    self.isOurs = isOurs
  }
}

package struct PaceRules: Sendable, Hashable {
  /// How many may be ready at a time; nil for any number.
  package var mostReady: Int?
  /// What cannot come within so many days need not rest yet.
  package var horizon = 14
  /// How long a rest for want of room is, before it is looked at again.
  package var rest = 14

  package init(mostReady: Int? = nil) { self.mostReady = mostReady }
}

/// What pacing does with one hold, and why.
package struct PaceStep: Sendable, Hashable {
  package enum Deed: Sendable, Hashable {
    case suspend(days: Int)
    case resume
    case leave
  }

  package let account: AccountID
  package let item: ItemID
  package let deed: Deed
  package let reason: String
}

/// Which holds rest and which wait, so that books come when their reader has room for them: none
/// before the day it is wanted, and at most so many at once. As few rest as will do.
package struct Pacing: Sendable {
  private let rules: PaceRules
  private let today: Int
  /// The longest rest that lenders take.
  private static let longest = 366

  package init(_ rules: PaceRules, today: Int) { (self.rules, self.today) = (rules, today) }

  /// A step for each hold, in the order of the holds.
  package func steps(for holds: [PacedHold]) -> [PaceStep] {
    let awake = Set(chosen(among: holds))
    return holds.enumerated().map { index, hold in
      let (deed, reason) = step(for: hold, hasRoom: awake.contains(index))
      return PaceStep(account: hold.account, item: hold.item, deed: deed, reason: reason)
    }
  }

  // MARK: - Who may come

  /// Those that may come next: as many as there is room for. What is on its way goes before what
  /// rests, and what comes first before what comes later, so that each day's choice is the last day's.
  private func chosen(among holds: [PacedHold]) -> [Int] {
    let open = holds.indices.filter { contends(holds[$0]) }
    guard let most = rules.mostReady else { return open }
    // What is ready takes up room, and so does what cannot be kept from coming.
    let taken = holds.count { $0.standing == .ready || ($0.isSoon(rules) && !mayRest($0)) }
    let ordered = open.sorted { one, other in
      rank(holds[one], one).lexicographicallyPrecedes(rank(holds[other], other))
    }
    return Array(ordered.prefix(max(0, most - taken)))
  }

  /// Whether it takes part in the choice: it can come, may come, and can be kept from coming.
  private func contends(_ hold: PacedHold) -> Bool {
    guard hold.canRest, !isEarly(hold) else { return false }
    switch hold.standing {
    case .waiting: return hold.isSoon(rules)
    case .resting: return hold.isOurs && hold.isSoon(rules)
    case .ready, .expired: return false
    }
  }

  /// Whether waiting it could be put to rest; what rests does not come by itself.
  private func mayRest(_ hold: PacedHold) -> Bool { hold.canRest || hold.standing != .waiting }

  private func rank(_ hold: PacedHold, _ index: Int) -> [Int] {
    [hold.standing == .waiting ? 0 : 1, hold.soonest ?? .max, index]
  }

  private func isEarly(_ hold: PacedHold) -> Bool { hold.notBefore.map { $0 > today } ?? false }

  // MARK: - One hold

  private func step(for hold: PacedHold, hasRoom: Bool) -> (PaceStep.Deed, String) {
    switch hold.standing {
    case .ready: return (.leave, "it is ready to be borrowed")
    case .expired: return (.leave, "its offer was missed")
    case .waiting:
      if let day = hold.notBefore, day > today { return early(hold, day) }
      if !hold.canRest { return (.leave, "its library cannot let a hold rest") }
      if !hold.isSoon(rules) { return (.leave, later(hold)) }
      if hasRoom {
        return (.leave, rules.mostReady == nil ? "nothing holds it back" : "it may come next")
      }
      return (.suspend(days: rest), full)
    case .resting(let end):
      return resting(hold, until: end, hasRoom: hasRoom)
    }
  }

  private func early(_ hold: PacedHold, _ day: Int) -> (PaceStep.Deed, String) {
    let left = day - today
    guard hold.canRest else {
      return (.leave, "its library cannot let a hold rest: it may come before its day")
    }
    if let soonest = hold.soonest, soonest >= left {
      return (.leave, "it does not come before its day anyway")
    }
    return (.suspend(days: min(left, Self.longest)), "it is not wanted for \(Self.days(left))")
  }

  private func resting(
    _ hold: PacedHold, until end: Int?, hasRoom: Bool
  ) -> (PaceStep.Deed, String) {
    // A rest that ends before the next look has to be made longer now.
    let isEnding = end.map { $0 <= today + 1 } ?? false
    if let day = hold.notBefore, day > today {
      guard isEnding, hold.canRest, end.map({ $0 < day }) ?? false else {
        return (.leave, "it rests until its day")
      }
      return (
        .suspend(days: min(day - today, Self.longest)),
        "it is not wanted for \(Self.days(day - today))"
      )
    }
    guard hold.isOurs else { return (.leave, "you let it rest yourself") }
    guard hold.canRest else { return (.leave, "its library wakes it") }
    if !hold.isSoon(rules) { return (.resume, later(hold)) }
    if hasRoom {
      return (
        .resume,
        hold.notBefore != nil ? "its day has come" : "there is room for it"
      )
    }
    return isEnding ? (.suspend(days: rest), full) : (.leave, "it rests: " + full)
  }

  /// Longer than until the next look, or it would be made longer again and again.
  private var rest: Int { min(max(2, rules.rest), Self.longest) }

  private var full: String {
    let most = rules.mostReady ?? 0
    return "no more than \(most) shall be ready at a time"
  }

  private func later(_ hold: PacedHold) -> String {
    "it takes \(Self.days(hold.soonest ?? 0)) at least"
  }

  private static func days(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }
}

extension PacedHold {
  /// Whether a copy may come before the plan is looked at a second time.
  fileprivate func isSoon(_ rules: PaceRules) -> Bool {
    standing != .expired && (soonest.map { $0 <= rules.horizon } ?? true)
  }
}
