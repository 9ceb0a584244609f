package import FoundationEssentials

/// One copy of a title that stands somewhere, or should.
package struct Copy: Sendable, Hashable {
  /// Where it is now, as far as the library knows; a branch that nobody named has its code for a
  /// name.
  package let branch: Branch?
  package var barcode: String?
  /// The shelving place within the branch.
  package var place: String?
  package var callNumber: String?
  package var state: State
  /// When it should come back.
  package var due: Date?

  package init(at branch: Branch?, _ state: State) {
    (self.branch, self.state) = (branch, state)
  }

  package enum State: String, Sendable, Hashable, CaseIterable {
    /// On the shelf, for whoever comes first.
    case available
    case out
    case onOrder = "on_order"
    case inTransit = "in_transit"
    /// Put aside for somebody.
    case onHoldShelf = "on_hold_shelf"
    /// Not for loan.
    case reference
    /// Lost, damaged, withdrawn.
    case missing
    case unknown

    /// Whether a hold can ever be served by it.
    package var canBeLent: Bool { self != .reference && self != .missing }
  }
}

/// The copies of one title, and where a reader may have one put aside.
package struct CopyList: Sendable, Hashable {
  package var copies: [Copy]
  /// In the library's order; empty where holds are not taken.
  package var pickups: [Branch]

  package init(copies: [Copy] = [], pickups: [Branch] = []) {
    (self.copies, self.pickups) = (copies, pickups)
  }

  /// How many stand on the shelf there now.
  package func onShelf(at branch: BranchID) -> Int {
    copies.count { $0.branch?.id == branch && $0.state == .available }
  }

  /// Counted as a title is: those that can be lent, and those of them that are on the shelf.
  package func counted(holds: Int?) -> Availability.Copies {
    Availability.Copies(
      total: copies.count(where: \.state.canBeLent),
      available: copies.count { $0.state == .available }, holds: holds)
  }
}
