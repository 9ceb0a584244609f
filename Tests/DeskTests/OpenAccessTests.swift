import Circulation
import Desk
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A title that is free for everybody` {
  /// Lends nothing, and has no shelf to tell of.
  private struct Commons: CirculationProvider {
    static let capabilities: Set<Capability> = [.availability, .fulfilment]

    func describe() -> ProviderDescription {
      ProviderDescription(provider: "commons", availabilityBatch: 25)
    }

    func availability(of items: [ItemID], in call: Call)
      async throws(CirculationError) -> [ItemID: Availability]
    {
      let now = Date(timeIntervalSince1970: 0)
      return Dictionary(
        items.map { item in
          (item, Availability(item == "none" ? .unknownToProvider : .openAccess, asOf: now))
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Lends to those it knows, and lists what is free to all beside it.
  private struct Library: CirculationProvider {
    static let capabilities: Set<Capability> = [.availability, .shelf, .lending, .earlyReturn]
    let lent: [ItemID]

    func describe() -> ProviderDescription {
      ProviderDescription(provider: "library", availabilityBatch: 25)
    }

    func availability(of items: [ItemID], in call: Call)
      async throws(CirculationError) -> [ItemID: Availability]
    {
      let now = Date(timeIntervalSince1970: 0)
      return Dictionary(
        items.map {
          ($0, Availability($0 == "emma" ? .openAccess : .available(.init()), asOf: now))
        },
        uniquingKeysWith: { first, _ in first })
    }

    func shelf(in call: Call) async throws(CirculationError) -> Shelf {
      Shelf(loans: lent.map { Loan(item: $0, until: nil) })
    }

    func checkOut(_ item: ItemID, as format: Format?, in call: Call)
      async throws(CirculationError) -> BorrowOutcome
    {
      .borrowed(Loan(item: item, until: nil))
    }
  }

  @Test(arguments: Engine.allCases)
  func `an open-access title at a lending library stays a loan when the shelf omits it`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let gateway = try await house.gateway()
      let clock = house.clock
      let desk = Desk(
        store: gateway.store, now: { clock.now }, open: { _, _ in Library(lent: ["dune"]) })
      let ada = Reader(desk: desk, account: "ada")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(await ada.perform(.borrow, "emma") == "had")
      for _ in 0..<2 {
        let shelf = try await ada.sync().result.get()
        #expect(Set(shelf.loans.map(\.item)) == ["dune", "emma"])
      }
      #expect(await ada.perform(.giveBack, "emma") == "done")
      #expect(try await ada.sync().result.get().loans.map(\.item) == ["dune"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an open-access title is borrowed, kept over syncs and returned without the library`(
    engine: Engine
  )
    async throws
  {
    try await withHouse(engine) { house in
      let gateway = try await house.gateway()
      let clock = house.clock
      let desk = Desk(store: gateway.store, now: { clock.now }, open: { _, _ in Commons() })
      let ada = Reader(desk: desk, account: "ada")
      #expect(await ada.foresee("emma") == "would borrow")
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(await ada.perform(.borrow, "emma") == "had")
      let loans = try await gateway.desk.loans(of: ["ada"])
      #expect(loans.map(\.loan.item) == ["emma"])
      #expect(loans.first?.loan.until == nil)
      let shelf = try await ada.sync().result.get()
      #expect(shelf.loans.map(\.item) == ["emma"])
      #expect(try await desk.freshness(of: ["ada"]).map(\.trouble) == [nil])
      #expect(await ada.perform(.giveBack, "emma") == "done")
      #expect(await ada.perform(.giveBack, "emma") == "not_borrowed")
      #expect(await ada.perform(.borrow, "none") == "title_gone")
      #expect(await ada.perform(.placeHold, "emma") == "unsupported")
    }
  }
}
