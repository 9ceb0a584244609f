import Circulation
import LibraryDeskMock
import MockKit
import Secrets
import Testing

@testable import LibraryDesk

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Holds are kept over SIP2` {
  private static let placing = SIP2Dialect.makers.filter { !["evergreen", "folio"].contains($0) }

  @Test(arguments: placing)
  func `the SIP2 client places a hold at a branch, lists it and cancels it`(
    _ maker: String
  ) async throws {
    try await SIP2House.open(maker) { open in
      let desk = try open.desk("23000000000004", "44440044")
      // Everything is out, so that whoever asks has to wait.
      open.change { library, now in
        for number in 0..<SIP2House.titles {
          let title = "\(8000 + number)"
          for reader in Scenario.crowd(3, into: &library.lending) {
            _ = try? library.lending.borrow(title, by: reader, at: now)
          }
        }
      }
      let hold = try await desk.placeHold(
        on: open.item(4), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      #expect(hold.pickup == BranchID("MTH") && !hold.isReady)
      #expect(open.holds == ["8004 23000000000004"])
      let again = await failure { () async throws(CirculationError) in
        _ = try await desk.placeHold(
          on: open.item(4), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      }
      #expect(again?.reason == .alreadyOnHold)
      #expect(open.asked("hold") == 1)
      #expect(try await desk.shelf(in: open.call).holds.map(\.item) == [open.item(4)])
      try await desk.cancelHold(on: open.item(4), in: open.call)
      #expect(open.holds.isEmpty)
      let twice = await failure { () async throws(CirculationError) in
        try await desk.cancelHold(on: open.item(4), in: open.call)
      }
      #expect(twice?.reason == .notOnHold)
    }
  }

  @Test(arguments: SIP2Dialect.makers.filter { $0 != "folio" })
  func `the SIP2 client lists holds placed at the library and shows which are ready`(
    _ maker: String
  ) async throws {
    try await SIP2House.open(maker) { open in
      open.change { library, now in
        for title in ["8007", "8008"] {
          _ = try? library.lending.placeHold(on: title, by: "23000000000004", at: now)
        }
        try? library.lending.putAside("8008", for: "23000000000004", arrived: true, at: now)
      }
      let holds = try await open.desk("23000000000004", "44440044").shelf(in: open.call).holds
      #expect(Set(holds.map(\.item)) == [open.item(7), open.item(8)])
      #expect(holds.filter(\.isReady).map(\.item) == [open.item(8)])
      #expect(holds.allSatisfy { $0.title?.isEmpty == false })
    }
  }

  @Test func `the SIP2 client lists loans with their due dates and renews them`() async throws {
    try await SIP2House.open("sierra") { open in
      open.change { library, now in
        library.lending.rules.renewalWindow = 365 * LendingRules.day
        _ = try? library.lending.borrow("8002", by: "23000000000004", at: now)
      }
      let desk = try open.desk("23000000000004", "44440044")
      let loan = try #require(try await desk.shelf(in: open.call).loans.first)
      #expect(loan.item == open.item(2) && loan.isRenewable && loan.title != nil)
      let end = try #require(loan.until)
      let outcome = try await desk.renew(open.item(2), in: open.call)
      guard case .borrowed(let renewed) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(try #require(renewed.until) > end)
      let error = await failure { () async throws(CirculationError) in
        _ = try await desk.renew(open.item(3), in: open.call)
      }
      #expect(error?.reason == .notBorrowed)
    }
  }

  @Test func `a SIP2 hold at an unknown branch is refused and not kept`() async throws {
    try await SIP2House.open("koha") { open in
      let desk = try open.desk()
      let error = await failure { () async throws(CirculationError) in
        _ = try await desk.placeHold(
          on: open.item(1), options: HoldOptions(pickup: BranchID("NOWHERE")), in: open.call)
      }
      #expect(error?.reason == .branchRefused)
      #expect(open.holds.isEmpty)
    }
  }

  @Test func `a SIP2 hold on an unknown item is reported as a title that is gone`() async throws {
    try await SIP2House.open("koha") { open in
      let desk = try open.desk()
      let error = await failure { () async throws(CirculationError) in
        _ = try await desk.placeHold(
          on: ItemID("copy-4711"), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      }
      #expect(error?.reason == .titleGone)
    }
  }

  @Test func `the SIP2 client moves a hold to another branch where the server supports it`()
    async throws
  {
    try await SIP2House.open("polaris", ["sip2_hold_modes": "+-*"]) { open in
      let desk = try open.desk()
      _ = try await desk.placeHold(
        on: open.item(1), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
      let moved = try await desk.placeHold(
        on: open.item(1), options: HoldOptions(pickup: BranchID("CPL")), in: open.call)
      #expect(moved.pickup == BranchID("CPL"))
      #expect(open.asked("move_hold") == 1 && open.holds.count == 1)
    }
  }

  @Test
  func `the SIP2 client reports holds as unsupported where the server takes none`() async throws {
    for maker in ["evergreen", "folio"] {
      try await SIP2House.open(maker) { open in
        let desk = try open.desk()
        let error = await failure { () async throws(CirculationError) in
          _ = try await desk.placeHold(
            on: open.item(1), options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
        }
        #expect(error?.reason == .unsupported(.holds))
        #expect(open.asked("hold") == 0)
        #expect(
          try await desk.checkAccount(in: open.call).withheld.isSuperset(of: [.holds]))
      }
    }
  }
}
