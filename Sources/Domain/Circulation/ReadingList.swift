package import FoundationEssentials

/// A list of books at a service where readers keep them.
package struct ReadingList: Sendable, Hashable {
  package let id: ListID
  package var name: String
  /// As the service counts; some count what they do not show.
  package var count: Int?
  /// A book can stand in only one of the service's exclusive lists.
  package var isExclusive: Bool
  /// What standing here says of a book; nil for lists that are no more than a name.
  package var state: ReadingState?
  /// Whether readers put books here; some lists are filled by the service alone.
  package var isOpen: Bool
  /// When something came or went last, where the service tells.
  package var changedAt: Date?

  package init(
    id: ListID, name: String, count: Int? = nil, isExclusive: Bool = false,
    state: ReadingState? = nil, isOpen: Bool = true, changedAt: Date? = nil
  ) {
    (self.id, self.name, self.count, self.isExclusive) = (id, name, count, isExclusive)
    (self.state, self.isOpen, self.changedAt) = (state, isOpen, changedAt)
  }
}

/// How far a reader is with a book.
package enum ReadingState: Sendable, Hashable {
  case wanted, reading, read, stopped
  /// One of the reader's own making, under the name it has at the service.
  case other(String)

  package var word: String {
    switch self {
    case .wanted: "wanted"
    case .reading: "reading"
    case .read: "read"
    case .stopped: "stopped"
    case .other(let name): name
    }
  }
}

package struct ListPage: Sendable, Hashable {
  package let entries: [ListEntry]
  package var next: String?

  package init(entries: [ListEntry], next: String? = nil) {
    (self.entries, self.next) = (entries.map(\.limited), next)
  }
}

/// A book on a list with what the reader said of it there.
package struct ListEntry: Sendable, Hashable {
  package let item: ItemID
  /// What the service calls this reader's dealings with the book; lost when it leaves the last list.
  package var record: String?
  package var title: String
  package var authors: [String]
  package var isbns: [ISBN]
  package var identifiers: [ForeignIdentifier]
  package var published: PartialDate?
  /// One to five; halves exist. Nil is "not rated", which a service may spell as 0.
  package var rating: Double?
  package var review: String?
  /// The review goes on where this ends.
  package var isReviewCut: Bool
  /// Every time it was read, oldest first. Nothing is invented: an unknown date is left out.
  package var readings: [Reading]
  /// How often it was read, as the service counts: more than it has dates for, as a rule.
  package var readCount: Int?
  package var addedAt: Date?
  /// When anything about it changed, in the service's eyes: votes of others may count.
  package var changedAt: Date?
  /// All lists that it stands on, as far as the service tells here.
  package var lists: [ListID]
  package var state: ReadingState?
  /// From 1, on a list that has an order of the reader's making.
  package var position: Int?
  /// As it came, for the page that shows it and links back.
  package var link: String?

  package init(item: ItemID, title: String) {
    self.item = item
    self.title = title
    authors = []
    isbns = []
    identifiers = []
    isReviewCut = false
    readings = []
    lists = []
  }

  /// As a service's entries are taken in; what a patron's own file says is refused where it is too long.
  fileprivate var limited: ListEntry {
    var entry = self
    entry.title = title.limited(to: TextLimit.title)
    entry.authors = authors.limited(to: TextLimit.name)
    return entry
  }

  /// One time through a book, as far as anybody knows when.
  package struct Reading: Sendable, Hashable {
    package var started: PartialDate?
    package var finished: PartialDate?

    package init(started: PartialDate? = nil, finished: PartialDate? = nil) {
      (self.started, self.finished) = (started, finished)
    }
  }

  /// What a reader says of a book, part by part.
  package enum Part: String, Sendable, Hashable, CaseIterable { case rating, review, readings }
}

/// A book that is looked for at a service, to be put on a list there.
package struct SoughtBook: Sendable, Hashable {
  package var numbers: BookNumbers
  package var title: String?
  package var author: String?

  package init(numbers: BookNumbers = BookNumbers(), title: String? = nil, author: String? = nil) {
    (self.numbers, self.title, self.author) = (numbers, title, author)
  }
}

/// What a service has for it.
package struct FoundBook: Sendable, Hashable {
  package let entry: ListEntry
  /// It has a number that was asked for. What was only found by words is for the reader to judge.
  package let isSure: Bool

  package init(_ entry: ListEntry, isSure: Bool) { (self.entry, self.isSure) = (entry, isSure) }
}

package struct ReadingFriend: Sendable, Hashable {
  package let id: String
  package let name: String

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

/// Something that a friend did with a book.
package struct FriendNews: Sendable, Hashable {
  package let friend: ReadingFriend
  /// With the friend's rating, review and state, as far as they are told.
  package let entry: ListEntry
  package let at: Date?

  package init(_ friend: ReadingFriend, _ entry: ListEntry, at: Date?) {
    (self.friend, self.entry, self.at) = (friend, entry, at)
  }
}
