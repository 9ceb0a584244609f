import Circulation
import Desk
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A reader at the desk` {
  @Test(arguments: Engine.allCases)
  func `A reader at the desk borrows, has, renews and gives back`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      #expect(await ada.foresee("emma") == "would borrow")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      #expect(await ada.perform(.borrow, "emma") == "had")
      #expect(await ada.foresee("emma") == "had")
      #expect(await ada.perform(.renew, "emma") == "done")
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      #expect(await ada.perform(.giveBack, "emma") == "done")
      #expect(await ada.perform(.giveBack, "emma") == "already")
      #expect(try await gateway.shelf(of: "ada") == Shelf())
      #expect(house.town.effects.map(\.verb) == ["borrow", "renew", "give_back"])
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `the desk tells that all copies are out and places a hold only when asked`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.stock("gone", copies: 0)
      #expect(await gateway.reader("bob").perform(.borrow, "emma") == "lent")
      #expect(await ada.perform(.borrow, "emma") == "all out, a queue")
      #expect(await ada.perform(.borrow, "gone") == "all out, no queue")
      #expect(await ada.perform(.borrow, "nothing") == "title_gone")
      #expect(house.town.shelf(of: "ada") == Shelf())
      #expect(await ada.perform(.placeHold, "emma") == "done")
      #expect(await ada.perform(.placeHold, "emma") == "already")
      #expect(await ada.perform(.borrow, "emma") == "waiting")
      #expect(await ada.perform(.suspendHold, "emma") == "done")
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
      #expect(await ada.perform(.resumeHold, "emma") == "done")
      #expect(await ada.perform(.cancelHold, "emma") == "done")
      #expect(await ada.perform(.cancelHold, "emma") == "already")
      #expect(await ada.perform(.suspendHold, "emma") == "not_on_hold")
      #expect(try await gateway.shelf(of: "ada") == Shelf())
    }
  }

  @Test(arguments: Engine.allCases)
  func `the desk finds a loan's file and the pickup branches without recording a command`(
    engine: Engine
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      let call = Reader.call("fulfil")
      func fault(_ body: () async throws -> Void) async -> String? {
        do { try await body() } catch DeskError.provider(let error) {
          return error.reason.code
        } catch { return "\(error)" }
        return nil
      }
      #expect(
        await fault { _ = try await gateway.desk.fulfil("emma", on: "ada", in: call) }
          == "not_borrowed")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      let format = Format(id: "pdf", content: .pdf, protection: .none)
      let file = try await gateway.desk.fulfil("emma", as: format, on: "ada", in: call)
      #expect(file.link.address == "https://town.example/emma.pdf")
      #expect(try await gateway.desk.branches(on: "ada", in: call).map(\.id) == ["north"])
      house.town.plan(.fulfil, .fail(.providerUnavailable))
      house.town.plan(.branches, .fail(.networkFailure))
      #expect(
        await fault { _ = try await gateway.desk.fulfil("emma", on: "ada", in: call) }
          == "provider_unavailable")
      #expect(
        await fault { _ = try await gateway.desk.branches(on: "ada", in: call) }
          == "network_failure")
      #expect(try await gateway.states(of: "ada").count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A reader at the desk borrows what is kept ready, and the hold is gone`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.change("ada") { $0.holds = [Hold(item: "emma", status: .ready(until: nil))] }
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada").holds.count == 1)
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(try await gateway.shelf(of: "ada") == house.town.shelf(of: "ada"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `A reader at the desk hears a clear refusal as it is, and nothing stays open`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      house.town.plan(.checkOut, .fail(.loanLimitReached(limit: 3)), .fail(.alreadyBorrowed))
      #expect(await ada.perform(.borrow, "emma") == "loan_limit_reached")
      // The library is wrong about it: the shelf has the last word.
      #expect(await ada.perform(.borrow, "emma") == "already_borrowed")
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
      #expect(await ada.perform(.borrow, "emma") == "lent")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A reader at the desk has formats, authors and titles kept as they were told`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      let odd = Format(
        id: "a\tb\\n\nc", content: .audiobook, protection: .vendorApp, locksLoan: true)
      let plain = Format(id: "epub-open", content: .epub, protection: .none)
      var loan = Loan(item: "emma", until: Date(timeIntervalSince1970: 2_000_000_000.125))
      loan.since = Date(timeIntervalSince1970: 1_600_000_000)
      (loan.formats, loan.lockedFormat) = ([odd, plain], odd)
      loan.authors = ["Jane\r\nAusten", "\r", "", "Ł\u{301}"]
      (loan.title, loan.isReturnable, loan.isRenewable) = ("Emma \\ 1", false, true)
      var hold = Hold(item: "persuasion", status: .suspended(until: loan.until))
      (hold.pickup, hold.authors, hold.title) = ("main\nhall", ["x\ny"], "P")
      let shelf = Shelf(loans: [loan], holds: [hold])
      house.town.change("ada") { $0 = shelf }
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == shelf)
      await ada.sync()
      #expect(try await gateway.shelf(of: "ada") == shelf)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A reader at the desk loses nothing to a zero byte in what a library says`(engine: Engine)
    async throws
  {
    try await withReader(engine) { house, gateway, ada async throws in
      var loan = Loan(item: "emma", until: Date(timeIntervalSince1970: .nan))
      (loan.title, loan.authors) = ("Em\0ma", ["Jane\0"])
      house.town.change("ada") { $0.loans = [loan] }
      #expect(await ada.sync().word == "good")
      #expect(try await gateway.shelf(of: "ada").loans.first?.title == "Emma")
      house.town.change("ada") { $0.loans.append(Loan(item: "a\0b", until: nil)) }
      #expect(await ada.sync().word == "malformed_response")
      #expect(try await gateway.shelf(of: "ada").loans.count == 1)
      #expect(
        try await gateway.desk.freshness(of: ["ada"]).map(\.trouble) == ["malformed_response"])
    }
  }
}
