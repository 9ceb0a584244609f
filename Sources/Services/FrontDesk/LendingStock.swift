package import Circulation
package import Desk
package import HTTP
package import HTTPServer
package import Reading
package import ReadingLists
package import Registry
package import Slips

/// What stands behind everything that a reader does by a feed. The house gives it.
package struct LendingStock: Sendable {
  package var desk: Desk
  package var slips: SlipBox
  package var lists: ReadingLists
  package var positions: Positions
  package var doorkeeper: Doorkeeper
  /// What the readers of this gateway are called.
  package var readers: @Sendable () async throws(StockError) -> [PatronID: String]
  /// One request of one reader; its end is fixed here and nowhere later.
  package var call: @Sendable (PatronID?, Request) -> Call
  /// For whoever has no card there: what is free for everybody.
  package var fulfilFree:
    @Sendable (LibraryID, ItemID, Format?, Call) async throws(DeskError) -> Fulfilment
  /// Fetches what a loan at a library turned into, so that the provider's address and its token stay here.
  package var fetch: @Sendable (Fulfilment.Link, LibraryID) async throws(Problem) -> FetchedFile
  /// What Adobe's programs of a reader sign in with at these libraries.
  package var licensors: @Sendable (PatronID, [LibraryID]) async -> [LoanKeys.Licensor] = {
    _, _ in []
  }
  /// A library said something of the card itself.
  package var note: @Sendable (CirculationError.Reason, Account) async -> Void

  package init(
    desk: Desk, slips: SlipBox, lists: ReadingLists, positions: Positions,
    doorkeeper: Doorkeeper,
    readers: @escaping @Sendable () async throws(StockError) -> [PatronID: String],
    call: @escaping @Sendable (PatronID?, Request) -> Call,
    fulfilFree:
      @escaping @Sendable (LibraryID, ItemID, Format?, Call)
      async throws(DeskError) -> Fulfilment,
    fetch:
      @escaping @Sendable (Fulfilment.Link, LibraryID) async throws(Problem) -> FetchedFile,
    note: @escaping @Sendable (CirculationError.Reason, Account) async -> Void
  ) {
    (self.desk, self.slips, self.lists, self.positions) = (desk, slips, lists, positions)
    (self.doorkeeper, self.readers, self.call) = (doorkeeper, readers, call)
    (self.fulfilFree, self.fetch) = (fulfilFree, fetch)
    self.note = note
  }
}

/// A file on its way through the gateway. On the disk it has no name any more: what was lent goes when
/// the answer has gone.
package struct FetchedFile: Sendable {
  package let file: FileBody

  package init(file: FileBody) { self.file = file }
}
