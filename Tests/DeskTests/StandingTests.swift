import Circulation
import Desk
import Testing

@Suite struct `Ways to a title` {
  private func way(
    _ name: String, _ status: Availability.Status?, readable: Bool = true, days: Int? = nil,
    loans: (Int, Int?) = (0, nil), holds: (Int, Int?) = (0, nil), mine: Standing.Mine? = nil
  ) -> Standing {
    Standing(
      mine: mine, status: status, isReadableHere: readable,
      wait: days.map { Wait(behind: $0, copies: 1, period: Wait.Period(term: 1)) },
      loans: Standing.Room(used: loans.0, limit: loans.1),
      holds: Standing.Room(used: holds.0, limit: holds.1), name: name)
  }

  private func paper(_ status: Availability.Status?, mine: Standing.Mine? = nil) -> Standing {
    Standing(
      mine: mine, status: status, isReadableHere: false, isPaper: true, wait: nil,
      loans: Standing.Room(used: 0, limit: nil), holds: Standing.Room(used: 0, limit: nil),
      name: "paper")
  }

  private func offered(_ ways: [Standing], _ rule: PaperRule) -> [String] {
    Standing.offered(ways.map { ($0, $0) }, paper: rule).map(\.standing.name)
  }

  @Test
  func `print copies are offered where no file is available, if set to always, or if on hold`() {
    let shelf = paper(.available(copies))
    for file in [way("file", .available(copies)), way("file", .queued(copies)), way("file", nil)] {
      #expect(offered([file, shelf], .otherwise) == ["file"])
      #expect(offered([file, shelf], .always) == ["file", "paper"])
      #expect(
        offered([file, paper(.queued(copies), mine: .hold)], .otherwise) == ["file", "paper"])
    }
    for gone in [way("gone", .unavailable(copies)), way("gone", .unknownToProvider)] {
      #expect(offered([gone, shelf], .otherwise) == ["gone", "paper"])
      #expect(order([gone, shelf]) == ["paper", "gone"])
    }
    #expect(offered([shelf], .otherwise) == ["paper"])
    #expect(order([way("app", .available(copies), readable: false), shelf]) == ["app", "paper"])
  }

  private func order(_ ways: [Standing]) -> [String] { ways.shuffled().sorted().map(\.name) }

  private let copies = Availability.Copies(total: 3, available: 1, holds: 0)

  @Test func `offers of a title are ranked by own loans, availability, wait and cost`() {
    let ways = [
      way("mine", nil, mine: .loan), way("ready", .queued(copies), mine: .ready),
      way("free", .openAccess), way("here", .available(copies)),
      way("elsewhere", .available(copies), readable: false),
      way("soon", .queued(copies), days: 2), way("late", .queued(copies), days: 20),
      way("unasked", nil), way("none", .unavailable(copies)), way("gone", .unknownToProvider),
    ]
    #expect(order(ways) == ways.map(\.name))
  }

  @Test func `a card at its loan limit ranks after one with room and gives that reason`() {
    let full = way("a", .available(copies), loans: (5, 5))
    let roomy = way("b", .available(copies), loans: (1, 5))
    #expect(order([full, roomy]) == ["b", "a"])
    #expect(full.reasons.contains("the card is at its limit of 5 loans"))
    #expect(roomy.reasons.contains("4 of 5 loans left on the card"))
  }

  @Test func `Ways to a title of a card that may wait for no more come after a longer queue`() {
    let full = way("a", .queued(copies), days: 2, holds: (3, 3))
    let roomy = way("b", .queued(copies), days: 9, holds: (0, 3))
    #expect(order([full, roomy]) == ["b", "a"])
    #expect(full.isAtLimit && !roomy.isAtLimit)
  }

  @Test
  func `an open-access copy ranks before loans, and a card with more room before a fuller one`() {
    let ways = [
      way("free", .openAccess), way("much", .available(copies), loans: (0, 9)),
      way("little", .available(copies), loans: (8, 9)),
    ]
    #expect(order(ways) == ["free", "much", "little"])
  }

  @Test func `a title on hold does not count as at the limit when the card's holds are full`() {
    let waiting = way("a", .queued(copies), days: 3, holds: (3, 3), mine: .hold)
    #expect(!waiting.isAtLimit)
    #expect(waiting.reasons.contains("you wait in this queue already"))
  }
}

@Suite struct `A guess at a wait` {
  @Test func `A guess at a wait is made of readers, copies and the term where nothing was seen`() {
    let wait = Wait(behind: 6, copies: 2, period: Wait.Period(term: 14))
    #expect((wait.lowDays, wait.highDays) == (18, 56))
    #expect(wait.basis == "6 readers before you, 2 copies, loans of 6 to 14 days")
  }

  @Test func `A guess at a wait follows the queue where it was seen to move`() {
    // Ten days, ten readers served: one a day, whatever the copies say.
    let seen = Movement((0...10).map { (Double($0) * 86_400, 30 - $0) })
    #expect((seen.served, seen.days) == (10, 10))
    let wait = Wait(behind: 20, copies: 1, movement: seen)
    #expect((wait.lowDays, wait.highDays) == (14, 26))
    #expect(wait.basis == "20 readers before you, 1 copy, 10 served in 10 days")
  }

  @Test func `A guess at a wait does not follow a queue that was hardly watched`() {
    let chance = Movement([(0, 9), (86_400, 8)])
    #expect(!chance.isTelling)
    #expect(Wait(behind: 8, copies: 1, movement: chance) == Wait(behind: 8, copies: 1))
  }

  @Test func `A guess at a wait counts those who were served also when others joined`() {
    let seen = Movement([(0, 5), (3 * 86_400, 2), (6 * 86_400, 7), (9 * 86_400, 4)])
    #expect(seen.served == 6)
  }

  @Test func `the estimated wait for the first in the queue is at most one loan period`() {
    let wait = Wait(behind: 0, copies: 1)
    #expect((wait.lowDays, wait.highDays) == (0, 21))
  }
}
