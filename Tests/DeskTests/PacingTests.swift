import Circulation
import Testing

@testable import Desk

private let account = AccountID("city")

private func hold(
  _ item: String, _ standing: PacedHold.Standing = .waiting, soonest: Int? = nil,
  notBefore: Int? = nil, canRest: Bool = true, isOurs: Bool = false
) -> PacedHold {
  PacedHold(
    account: account, item: ItemID(item), standing: standing, soonest: soonest,
    notBefore: notBefore, canRest: canRest, isOurs: isOurs)
}

private func deeds(_ most: Int?, _ holds: [PacedHold], today: Int = 1_000) -> [PaceStep.Deed] {
  Pacing(PaceRules(mostReady: most), today: today).steps(for: holds).map(\.deed)
}

@Suite struct `The pace of holds` {
  @Test func `The pace of holds leaves everything alone without rules`() {
    let holds = [
      hold("a"), hold("b", .ready), hold("c", .resting(until: nil)), hold("d", .expired),
    ]
    #expect(deeds(nil, holds) == [.leave, .leave, .leave, .leave])
  }

  @Test func `The pace of holds lets those rest for which there is no room, the last ones first`() {
    let holds = [hold("a", soonest: 9), hold("b", soonest: 2), hold("c"), hold("d", soonest: 40)]
    #expect(deeds(1, holds) == [.suspend(days: 14), .leave, .suspend(days: 14), .leave])
    #expect(deeds(2, holds) == [.leave, .leave, .suspend(days: 14), .leave])
  }

  @Test func `The pace of holds counts what is ready, and what cannot be kept from coming`() {
    #expect(deeds(1, [hold("a", .ready), hold("b")]) == [.leave, .suspend(days: 14)])
    let holds = [hold("a", canRest: false), hold("b"), hold("c")]
    #expect(deeds(2, holds) == [.leave, .leave, .suspend(days: 14)])
  }

  @Test func `The pace of holds wakes its own rests when there is room, and nobody else's`() {
    let holds = [
      hold("a", .resting(until: 1_010), isOurs: true), hold("b", .resting(until: nil)),
    ]
    #expect(deeds(1, holds) == [.resume, .leave])
    #expect(deeds(nil, holds) == [.resume, .leave])
    #expect(deeds(1, holds + [hold("c")]) == [.leave, .leave, .leave])
  }

  @Test func `The pace of holds keeps a book away until its day, where it could come before`() {
    #expect(deeds(nil, [hold("a", notBefore: 1_005)]) == [.suspend(days: 5)])
    #expect(deeds(nil, [hold("a", notBefore: 2_000)]) == [.suspend(days: 366)])
    #expect(deeds(nil, [hold("a", soonest: 5, notBefore: 1_005)]) == [.leave])
    #expect(deeds(nil, [hold("a", notBefore: 1_000)]) == [.leave])
    let rest = PacedHold.Standing.resting(until: 1_005)
    #expect(deeds(nil, [hold("a", rest, notBefore: 1_005, isOurs: true)]) == [.leave])
    let over = [hold("a", rest, notBefore: 1_005, isOurs: true)]
    #expect(deeds(nil, over, today: 1_005) == [.resume])
  }

  @Test func `The pace of holds makes a rest longer that ends too early`() {
    let ending = hold("a", .resting(until: 1_001), notBefore: 1_020, isOurs: true)
    #expect(deeds(nil, [ending]) == [.suspend(days: 20)])
    let full = [hold("b", .ready), hold("a", .resting(until: 1_001), isOurs: true)]
    #expect(deeds(1, full) == [.leave, .suspend(days: 14)])
  }

  @Test func `The pace of holds says of each why`() {
    let holds = [
      hold("a", .ready), hold("b"), hold("c", notBefore: 1_001), hold("d", .resting(until: nil)),
      hold("e", notBefore: 1_002, canRest: false), hold("f", soonest: 99),
    ]
    let reasons = Pacing(PaceRules(mostReady: 1), today: 1_000).steps(for: holds).map(\.reason)
    #expect(
      reasons == [
        "it is ready to be borrowed", "no more than 1 shall be ready at a time",
        "it is not wanted for 1 day", "you let it rest yourself",
        "its library cannot let a hold rest: it may come before its day",
        "it takes 99 days at least",
      ])
  }
}

@Suite struct `Any pace of any holds` {
  @Test(arguments: 0..<40)
  func `Any pace of any holds: keeps its promises`(seed: UInt64) {
    var chance = Dice(seed: seed)
    for _ in 0..<250 {
      let today = chance.number(1...20_000)
      let rules = PaceRules(mostReady: chance.number(0...3) == 0 ? nil : chance.number(0...4))
      let holds = (0..<chance.number(0...9)).map { arbitrary("h\($0)", today, &chance) }
      let steps = Pacing(rules, today: today).steps(for: holds)
      #expect(steps.map(\.item) == holds.map(\.item))
      let after = zip(holds, steps).map { applied($1.deed, to: $0, today) }
      check(rules, today, holds, steps, after)
    }
  }

  private func check(
    _ rules: PaceRules, _ today: Int, _ before: [PacedHold], _ steps: [PaceStep],
    _ after: [PacedHold]
  ) {
    // Done once, there is nothing left to do.
    let again = Pacing(rules, today: today).steps(for: after)
    #expect(again.allSatisfy { $0.deed == .leave }, "\(before) \(after)")
    for (hold, step) in zip(before, steps) {
      // Nobody's own rest is ended, and nothing is asked of a lender that cannot.
      if !hold.isOurs { #expect(step.deed != .resume) }
      if !hold.canRest { #expect(step.deed == .leave) }
      if let day = hold.notBefore, day > today { #expect(step.deed != .resume) }
    }
    func isSoon(_ hold: PacedHold) -> Bool { hold.soonest.map { $0 <= rules.horizon } ?? true }
    for hold in after where hold.standing == .waiting && hold.canRest {
      guard let day = hold.notBefore, day > today else { continue }
      #expect((hold.soonest ?? 0) >= day - today, "before its day: \(hold)")
    }
    let coming = after.count { $0.standing == .ready || ($0.standing == .waiting && isSoon($0)) }
    let early = { (hold: PacedHold) in hold.notBefore.map { $0 > today } ?? false }
    let forRoom = after.filter { hold in
      guard case .resting = hold.standing else { return false }
      return hold.isOurs && hold.canRest && !early(hold)
    }
    // As few rest as will do: none while there is room, and none that could not come anyway.
    if let most = rules.mostReady {
      if !forRoom.isEmpty { #expect(uncounted(after, today, isSoon) + coming >= most) }
      let mayRest = after.count {
        $0.standing == .waiting && isSoon($0) && $0.canRest && !early($0)
      }
      #expect(mayRest == 0 || coming - earlyAwake(after, today, isSoon) <= most)
    } else {
      #expect(forRoom.isEmpty)
    }
    #expect(forRoom.allSatisfy(isSoon))
  }

  private func uncounted(
    _ holds: [PacedHold], _ today: Int, _ isSoon: (PacedHold) -> Bool
  ) -> Int {
    -earlyAwake(holds, today, isSoon)
  }

  /// Those that wait for a day of their own and cannot come before it take up no room.
  private func earlyAwake(
    _ holds: [PacedHold], _ today: Int, _ isSoon: (PacedHold) -> Bool
  ) -> Int {
    holds.count { hold in
      hold.standing == .waiting && isSoon(hold) && hold.canRest
        && (hold.notBefore.map { $0 > today } ?? false)
    }
  }

  private func applied(_ deed: PaceStep.Deed, to hold: PacedHold, _ today: Int) -> PacedHold {
    var hold = hold
    switch deed {
    case .leave: break
    case .resume: (hold.standing, hold.isOurs) = (.waiting, false)
    case .suspend(let days): (hold.standing, hold.isOurs) = (.resting(until: today + days), true)
    }
    return hold
  }

  private func arbitrary(_ item: String, _ today: Int, _ chance: inout Dice) -> PacedHold {
    var standing = PacedHold.Standing.waiting
    switch chance.number(0...5) {
    case 0: standing = .ready
    case 1: standing = .expired
    case 2: standing = .resting(until: nil)
    case 3: standing = .resting(until: today + chance.number(-3...20))
    default: break
    }
    return hold(
      item, standing, soonest: chance.number(0...2) == 0 ? nil : chance.number(0...40),
      notBefore: chance.number(0...2) == 0 ? today + chance.number(-10...500) : nil,
      canRest: chance.number(0...4) != 0, isOurs: chance.number(0...1) == 0)
  }
}

extension Dice {
  fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + roll(range.count)
  }
}
