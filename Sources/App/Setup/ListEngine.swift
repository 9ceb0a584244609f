package import Items

/// The part of the engine that keeps lists in step with other services.
package protocol ListEngine: Sendable {
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
