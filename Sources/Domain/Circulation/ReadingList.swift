package import FoundationEssentials

/// A list of books at a service where readers keep them.
package struct ReadingList: Sendable, Hashable {
  package let id: ListID
  package var name: String
  package var count: Int?
  /// A book can stand in only one of the service's exclusive lists.
  package var isExclusive: Bool

  package init(id: ListID, name: String, count: Int? = nil, isExclusive: Bool = false) {
    (self.id, self.name, self.count, self.isExclusive) = (id, name, count, isExclusive)
  }
}

package struct ListPage: Sendable, Hashable {
  package var entries: [ListEntry]
  package var next: String?

  package init(entries: [ListEntry], next: String? = nil) {
    (self.entries, self.next) = (entries, next)
  }
}

/// A book on a list with what the reader said of it there.
package struct ListEntry: Sendable, Hashable {
  package let item: ItemID
  package var title: String
  package var authors: [String]
  package var isbns: [ISBN]
  package var identifiers: [ForeignIdentifier]
  package var published: PartialDate?
  /// One to five; halves exist. Nil is "not rated", which a service may spell as 0.
  package var rating: Double?
  package var review: String?
  /// Every time it was read, oldest first. Nothing is invented: an unknown date is left out.
  package var readAt: [PartialDate]
  package var addedAt: Date?
  package var shelves: [String]

  package init(item: ItemID, title: String) {
    (self.item, self.title) = (item, title)
    authors = []
    isbns = []
    identifiers = []
    readAt = []
    shelves = []
  }
}

package struct ReadingFriend: Sendable, Hashable {
  package let id: String
  package let name: String

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}
