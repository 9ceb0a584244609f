import Circulation
import FrontDesk
import Registry
import Synchronization
import Testing

@testable import Facade

@Suite struct `Watching the house` {
  @Test func `Watching the house keeps no shelf that was looked at before something was done`()
    async throws
  {
    try await ReadingRoom.open { room in
      let looks = Mutex(0)
      let (began, beginning) = AsyncStream<Void>.makeStream()
      let (gate, opening) = AsyncStream<Void>.makeStream()
      let watch = room.watch { _ throws(StockError) in
        let number = looks.withLock { looks in
          looks += 1
          return looks
        }
        guard number == 1 else {
          return ReaderShelf(accounts: [ReadingRoom.account], loans: [], holds: [], stale: [])
        }
        beginning.yield()
        for await _ in gate { break }
        return ReaderShelf(accounts: [], loans: [], holds: [], stale: [])
      }
      let reader = PatronID("ada")
      async let early = watch.shelf(of: reader)
      for await _ in began { break }
      watch.forget()
      opening.yield()
      let before = try await early
      let after = try await watch.shelf(of: reader)
      let again = try await watch.shelf(of: reader)
      #expect(before.shelf.accounts.isEmpty)
      #expect(after.shelf.accounts.count == 1 && again.shelf.accounts.count == 1)
      #expect(looks.withLock { $0 } == 2)
    }
  }
}

extension ReadingRoom {
  /// A watch over this house, but for how its shelves are read. Its clock stands still.
  fileprivate func watch(
    _ shelf: @escaping @Sendable (PatronID) async throws(StockError) -> ReaderShelf
  ) -> Watch {
    var stock = facade.stock
    stock.shelf = shelf
    let instant = ContinuousClock.now
    return Watch(stock, clock: { instant })
  }
}
