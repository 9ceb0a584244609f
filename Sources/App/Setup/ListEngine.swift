package import Items

/// The part of the engine that keeps lists of books: the reader's own, those at other services, and
/// the wishes on them.
package protocol ListEngine: Sendable {
  /// The reader's own lists of books.
  func lists(at seat: Seat) async throws(ErrorItem) -> [ReadingListItem]
  func books(on list: String, at seat: Seat) async throws(ErrorItem) -> [ListedBookItem]
  /// Tells the list as it is afterwards, or as it was before it went.
  func keep(_ order: ListOrder, at seat: Seat) async throws(ErrorItem) -> ReadingListItem
  func keep(_ order: ListBookOrder, at seat: Seat) async throws(ErrorItem) -> ListedBookItem
  /// Puts the books of a file on a list, or counts what that would do.
  func take(
    _ order: ShelfFileOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> ShelfIntakeItem
  /// A list as a file for somebody else's program.
  func write(_ list: String, as format: String, at seat: Seat)
    async throws(ErrorItem) -> ShelfOutputItem

  func wishes(_ query: WishQuery, at seat: Seat) async throws(ErrorItem) -> [WishItem]
  /// Tells the wishes it is about, as they are afterwards, or as they were before they went.
  func wish(_ order: WishOrder, at seat: Seat) async throws(ErrorItem) -> [WishItem]

  func syncLists(
    _ order: ListSyncOrder, at seat: Seat,
    progress: @escaping @Sendable (ListSyncProgress) -> Void
  ) async throws(ErrorItem) -> [ListSyncItem]
  /// What was written at the services, the latest first.
  func listWrites(at seat: Seat) async throws(ErrorItem) -> [ListWriteItem]
  func undoListWrite(_ id: Int, at seat: Seat) async throws(ErrorItem) -> ListWriteItem
  /// Says what is carried to which service; an order changes that first.
  func carried(_ order: ListCarryOrder?, at seat: Seat) async throws(ErrorItem) -> [ListCarryItem]
}

package struct ListSyncOrder: Sendable, Hashable {
  /// An account, or a list of one; nil for all.
  package let name: String?
  /// Also what the service says did not change.
  package let isWhole: Bool
  package let isRehearsal: Bool

  package init(_ name: String?, isWhole: Bool, isRehearsal: Bool) {
    (self.name, self.isWhole, self.isRehearsal) = (name, isWhole, isRehearsal)
  }
}

package enum ListSyncProgress: Sendable, Hashable {
  case read(account: String, pages: Int)
  case written(account: String, done: Int, of: Int)
}

package struct ListCarryOrder: Sendable, Hashable {
  package let account: String
  package let carried: Set<String>

  package init(_ account: String, carried: Set<String>) {
    (self.account, self.carried) = (account, carried)
  }
}
