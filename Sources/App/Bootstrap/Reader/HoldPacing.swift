import Catalog
import Circulation
import Desk
import FoundationEssentials
package import Items
import Machine
import Registry
package import Setup

extension LinkedEngine {
  package func pace(
    _ order: PaceOrder, at seat: Seat, plan: @escaping @Sendable ([PaceItem]) -> Void
  ) async throws(ErrorItem) -> [PaceItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      var most = try await visit.kept().mostReady
      if case .set(let new) = order.mostReady {
        most = new
        if !order.isDryRun {
          try await visit.desked { () throws(DeskError) in
            try await visit.house.desk.keep(mostReady: new, of: visit.patron.id)
          }
        }
      }
      let planned = try await visit.pacing(mostReady: most)
      plan(planned.map(\.item))
      return order.isDryRun ? planned.map(\.item) : await visit.carriedOut(planned)
    }
  }
}

/// A step, with the hold it is about.
struct PlannedStep {
  let account: Account
  let step: PaceStep
  /// Whether it rested before, and by our doing.
  let wasOurs: Bool
  var item: PaceItem
}

extension Visit {
  func desked<T: Sendable>(_ body: () async throws(DeskError) -> T) async throws(ErrorItem) -> T {
    do throws(DeskError) { return try await body() } catch { throw ErrorItem(error) }
  }

  /// What the reader said of the pace.
  func kept() async throws(ErrorItem) -> KeptPace {
    let accounts = try await accounts().map(\.id)
    return try await desked { () throws(DeskError) in
      try await house.desk.pace(of: patron.id, with: accounts)
    }
  }

  func pacing(mostReady: Int?) async throws(ErrorItem) -> [PlannedStep] {
    let accounts = try await accounts().map(\.id)
    let kept = try await desked { () throws(DeskError) in
      try await house.desk.tidyPace(of: accounts)
      return try await house.desk.pace(of: patron.id, with: accounts)
    }
    let held = try await held()
    let holds = held.map { PacedHold($0, kept, canRest: house.can(.suspension, $0.account), house) }
    let steps = Pacing(PaceRules(mostReady: mostReady), today: house.today).steps(for: holds)
    return zip(held, zip(holds, steps)).map { held, planned in
      let (hold, step) = planned
      return PlannedStep(
        account: held.account, step: step, wasOurs: hold.isOurs && hold.standing.isResting,
        item: PaceItem(step, held.item))
    }
  }

  /// One after the other: a lender is not asked for everything at once.
  func carriedOut(_ planned: [PlannedStep]) async -> [PaceItem] {
    var items: [PaceItem] = []
    for one in planned {
      var item = one.item
      do throws(ErrorItem) {
        if one.step.deed != .leave { item.result = try await done(one) ? "done" : "in_doubt" }
      } catch {
        item.result = "failed"
        item.trouble = error
      }
      items.append(item)
    }
    return items
  }

  /// False where the library did not say what became of it.
  private func done(_ planned: PlannedStep) async throws(ErrorItem) -> Bool {
    let (desk, step) = (house.desk, planned.step)
    let hold = HeldItem(step.account, step.item)
    do throws(DeskError) {
      let outcome: Outcome<Hold>
      if case .suspend(let days) = step.deed {
        // Noted first: a rest that a crash left nobody's would never be ended.
        try await desk.note(rest: hold, isOurs: true)
        outcome = try await desk.suspendHold(
          on: step.item, days: days, on: step.account, attempt: House.requestID(), in: call())
      } else {
        outcome = try await desk.resumeHold(
          on: step.item, on: step.account, attempt: House.requestID(), in: call())
        try await desk.note(rest: hold, isOurs: false)
      }
      if case .inDoubt = outcome { return false }
      return true
    } catch {
      // Refused, it rests no more than before; a note that stays would make a later rest of the
      // reader's ours.
      if case .provider = error, case .suspend = step.deed, !planned.wasOurs {
        try await desked { () throws(DeskError) in try await desk.note(rest: hold, isOurs: false) }
      }
      throw ErrorItem(error).about(planned.account, in: house, title: planned.item.title)
    }
  }
}

/// For a hold that is not wanted before a day.
extension Visit {
  /// What cannot rest cannot be kept from coming, and is not begun.
  func checkRest(_ way: Offers.Way) throws(ErrorItem) {
    guard !house.can(.suspension, way.account) else { return }
    throw ErrorItem(
      CirculationError(
        .unsupported(.suspension), from: way.account.provider, during: .suspendHold)
    ).about(way.account, in: house, title: way.listed.edition.title)
  }

  /// Puts the hold to rest at once, where it might come before its day.
  func resting(
    _ receipt: ReceiptItem, _ way: Offers.Way, until day: Int
  ) async throws(ErrorItem) -> ReceiptItem {
    let (item, kept) = (way.listed.edition.item, try await kept())
    try await desked { () throws(DeskError) in
      try await house.desk.keep(notBefore: day, for: HeldItem(way.account.id, item))
    }
    let steps = try await pacing(mostReady: kept.mostReady).filter {
      $0.step.account == way.account.id && $0.step.item == item
    }
    let done = await carriedOut(steps)
    if let trouble = done.compactMap(\.trouble).first { throw trouble }
    guard done.contains(where: { $0.step == "suspend" && $0.result == "done" }) else {
      return receipt
    }
    var told = receipt
    told.result = .suspended
    told.hold = try await held().first {
      $0.account.id == way.account.id && $0.kept.hold.item == item
    }?.item
    return told
  }
}

extension House {
  /// Counted from 1970, where this machine stands.
  var today: Int { day(of: time.now()) }

  func day(of moment: Timestamp) -> Int { Int(LocalTime.day(of: moment).number) }
}

extension PacedHold.Standing {
  fileprivate var isResting: Bool { if case .resting = self { true } else { false } }
}

extension PacedHold {
  fileprivate init(_ held: HeldTitle, _ kept: KeptPace, canRest: Bool, _ house: House) {
    let hold = held.kept.hold
    let name = HeldItem(held.account.id, hold.item)
    let standing: PacedHold.Standing =
      switch hold.status {
      case .waiting: .waiting
      case .ready: .ready
      case .expired: .expired
      case .suspended(let end): .resting(until: end.flatMap { house.day(of: $0) })
      }
    self.init(
      account: held.account.id, item: hold.item, standing: standing,
      soonest: held.item.estimate?.lowDays, notBefore: kept.notBefore[name], canRest: canRest,
      isOurs: kept.rests.contains(name))
  }
}

extension House {
  /// Nil for an end that no calendar has.
  fileprivate func day(of date: Date) -> Int? {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map {
      day(of: Timestamp(millisecondsSinceEpoch: $0))
    }
  }
}

extension PaceItem {
  fileprivate init(_ step: PaceStep, _ hold: HoldItem) {
    let (word, days): (String, Int?) =
      switch step.deed {
      case .suspend(let days): ("suspend", days)
      case .resume: ("resume", nil)
      case .leave: ("leave", nil)
      }
    self.init(
      title: hold.title, account: hold.account, item: hold.item, step: word, days: days,
      reason: step.reason)
  }
}
