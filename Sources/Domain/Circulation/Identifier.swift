/// A name that stays the same, typed by what it names, so that an item is never handed in where an
/// account is wanted. Made once at the edge; bare strings do not travel inside.
package struct Identifier<Named>: RawRepresentable, Hashable, Sendable, Comparable,
  CustomStringConvertible
{
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(_ rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }

  package static func < (one: Identifier, other: Identifier) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// What the identifiers name. Never made: they only keep the names apart.
package enum ProviderKind {}
package enum LibraryKind {}
package enum AccountKind {}
package enum PatronKind {}
package enum ItemKind {}
package enum WorkKind {}
package enum BranchKind {}
package enum ListKind {}

/// A kind of remote service with one wire API, as it is spelled on the command line.
package typealias ProviderID = Identifier<ProviderKind>
package typealias LibraryID = Identifier<LibraryKind>
package typealias AccountID = Identifier<AccountKind>
package typealias PatronID = Identifier<PatronKind>
/// What the provider calls one edition. Compared as the adapter made it: where a service changes
/// the case of its ids from call to call, the adapter settles on one.
package typealias ItemID = Identifier<ItemKind>
/// Ours, for the editions of one work at all libraries: `w` and a number that is never given twice.
package typealias WorkID = Identifier<WorkKind>
package typealias BranchID = Identifier<BranchKind>
package typealias ListID = Identifier<ListKind>

extension LibraryID {
  /// Whether a patron gave it: the address of a catalog. One in the settings has a name without a colon.
  package var isAddress: Bool { rawValue.contains("://") }
}
