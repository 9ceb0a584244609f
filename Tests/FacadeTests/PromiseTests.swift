import Catalog
import Circulation
import Database
import FoundationEssentials
import FrontDesk
import HTTP
import OPDS
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Facade

@Suite struct `A borrow link` {
  @Test func `a borrow of a title without known availability places no hold, then offers one`()
    async throws
  {
    try await LendingRoom.open { room in
      room.lendToOthers("unasked")
      let link = try await room.book("Unasked").acquisitions[0].link.href
      let refused = try await room.ask(link)
      #expect(refused.status == 403 && refused.code == "no_copies_available")
      #expect(room.lender.commands.isEmpty)
      room.clock.withLock { $0.instant += .seconds(2) }
      let offered = try await room.book("Unasked").acquisitions[0]
      #expect(offered.availability?.state == .unavailable)
      #expect(try await room.ask(offered.link.href).status == 201)
      #expect(room.lender.commands == ["hold unasked"])
    }
  }

  @Test func `A borrow link of a copy that was kept ready queues nobody anew`() async throws {
    try await LendingRoom.open { room in
      room.lender.change(room.ada.id) {
        $0.holds = [Hold(item: ItemID("out"), status: .ready(until: nil))]
      }
      try await room.sync(room.ada)
      let ready = try await room.book("Out").acquisitions[0]
      #expect(ready.availability?.state == .ready)
      // The time to take it is over, and the library went on to the next reader.
      room.lender.change(room.ada.id) { $0.holds = [] }
      #expect(try await room.ask(ready.link.href).code == "no_copies_available")
      #expect(room.lender.commands.isEmpty)
    }
  }
}

@Suite struct `A slip that borrows` {
  @Test func `A slip that borrows queues nobody, whatever the catalogue has heard meanwhile`()
    async throws
  {
    try await LendingRoom.open { room in
      let page = try await room.actions("Here")
      let slip = try #require(page.navigation.first { $0.title.hasPrefix("Borrow") }?.target)
      room.lendToOthers("here")
      try await room.note()
      let told = try await room.ask(slip.href, LendingRoom.downloader)
      #expect(told.feed?.title == "All copies at Town are out.")
      #expect(room.lender.commands.isEmpty)
      let next = try await room.actions("Here")
      #expect(next.navigation.first?.title.hasPrefix("Hold at Town") == true)
    }
  }
}

@Suite struct `Two cards at one library` {
  @Test(arguments: Engine.allCases)
  func `a loan on a second card that only the shelf lists can be downloaded and returned`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let second = try await room.secondCard()
      room.lender.change(second.id) {
        var loan = Loan(item: ItemID("rare"), until: nil)
        (loan.title, loan.formats) = ("A Rare Book", [plainEPUB])
        $0.loans = [loan]
      }
      try await room.sync(second)
      let shelf = try #require(try await room.ask("/opds/shelf").feed)
      let book = try #require(shelf.publications.first)
      #expect(book.title == "A Rare Book")
      let file = try #require(book.acquisitions.first { $0.has(.acquisition) })
      #expect(try await room.ask(file.link.href).text == "file of https://lender.example/rare")
      let revoke = try #require(book.links.first(.revoke))
      #expect(try await room.ask(revoke.href).status == 200)
      #expect(room.lender.commands == ["return rare"])
    }
  }

  @Test func `Two cards at one library lend by the one that has room`() async throws {
    try await LendingRoom.open { room in
      let second = try await room.secondCard()
      room.lender.change(room.ada.id) { $0.loans = [Loan(item: ItemID("gone"), until: nil)] }
      try await room.sync(room.ada)
      try await room.registry.record(loanLimit: 1, holdLimit: 5, of: room.ada.id)
      try await room.registry.record(loanLimit: 3, holdLimit: 5, of: second.id)
      room.watch.forget()
      let borrow = try await room.book("Here").acquisitions[0].link.href
      #expect(try await room.ask(borrow).status == 201)
      #expect(room.lender.shelf(second.id).loans.map(\.item) == [ItemID("here")])
      #expect(room.lender.shelf(room.ada.id).loans.map(\.item) == [ItemID("gone")])
    }
  }
}

@Suite struct `A loan of what its library lists no more` {
  @Test(arguments: Engine.allCases)
  func `a loan whose edition left the catalog stays on the shelf, readable and returnable`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      try await room.addTwin()
      let works = try await room.catalog.works(
        for: [(town, ItemID("here")), (town, ItemID("twin")), (town, ItemID("none"))])
      #expect(works[0] != nil && works[0] == works[1] && works[2] == nil)
      room.lender.change(room.ada.id) {
        var loan = Loan(item: ItemID("twin"), until: nil)
        loan.formats = [plainEPUB]
        $0.loans = [loan]
      }
      try await room.sync(room.ada)
      let gone = 2
      try await room.store.write { tx throws(DatabaseError) in
        _ = try tx.execute("UPDATE catalog_edition SET state = \(gone) WHERE item = 'twin'")
      }
      let book = try #require(try await room.ask("/opds/shelf").feed?.publications.first)
      let file = try #require(book.acquisitions.first { $0.has(.acquisition) })
      #expect(try await room.ask(file.link.href).text == "file of https://lender.example/twin")
      let revoke = try #require(book.links.first(.revoke))
      #expect(try await room.ask(revoke.href).status == 200)
      #expect(room.lender.commands == ["return twin"])
    }
  }
}

private let plainEPUB = Format(id: "epub", content: .epub, protection: .none)
