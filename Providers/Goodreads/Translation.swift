import Circulation
import FoundationEssentials
import ProviderKit

// What the wire means in our words.

enum Shelves {
  /// Those that everybody has, and names that many give to one of their own (§9).
  static let states: [String: ReadingState] = [
    "to-read": .wanted, "currently-reading": .reading, "read": .read,
  ]
  private static let stopped: Set = ["did-not-finish", "dnf", "abandoned", "dropped"]

  static func state(_ slug: String, isExclusive: Bool) -> ReadingState? {
    if let known = states[slug] { return known }
    guard isExclusive else { return nil }
    return stopped.contains(slug) ? .stopped : .other(slug)
  }
}

extension WireShelf {
  func list(as id: ListID? = nil) -> ReadingList {
    ReadingList(
      id: id ?? ListID(name), name: name, count: bookCount, isExclusive: isExclusive,
      state: Shelves.state(name, isExclusive: isExclusive))
  }
}

extension WireReview {
  func entry(on shelf: Shelf) -> ListEntry {
    var entry = book.entry()
    entry.record = id
    entry.rating = rating.flatMap { (1...5).contains($0) ? Double($0) : nil }
    entry.review = body
    // Lists clip long texts and say so by nothing but this.
    entry.isReviewCut = body.map { $0.hasSuffix("...") || $0.hasSuffix("…") } ?? false
    let (started, finished) = (Self.day(startedAt), Self.day(readAt))
    if started != nil || finished != nil {
      entry.readings = [.init(started: started, finished: finished)]
    }
    entry.readCount = readCount
    entry.addedAt = Self.instant(dateAdded)
    entry.changedAt = Self.instant(dateUpdated)
    // The same name twice occurs.
    entry.lists = shelves.map(\.name).distinct.map(shelf.id)
    entry.state = state
    entry.link = link
    return entry
  }

  /// The exclusive shelf it stands on; old answers do not say which that is.
  var state: ReadingState? {
    for shelf in shelves {
      if let state = Shelves.state(shelf.name, isExclusive: shelf.isExclusive ?? false) {
        return state
      }
    }
    return nil
  }

  /// The time of day is noise, and the day is the one that was written.
  static func day(_ text: String?) -> PartialDate? {
    text.flatMap { WireDate.named($0)?.day ?? WireDate.calendar($0) }
  }

  static func instant(_ text: String?) -> Date? {
    text.flatMap { WireDate.named($0)?.instant ?? WireDate.instant($0) }
  }
}

extension WireBook {
  func entry() -> ListEntry {
    var entry = ListEntry(item: ItemID(id), title: title)
    entry.authors = authors.distinct
    entry.isbns = isbns.compactMap { ISBN($0) }.distinct
    entry.identifiers = [ForeignIdentifier(scheme: "goodreads", value: id)]
    if let workID {
      entry.identifiers.append(ForeignIdentifier(scheme: "goodreads_work", value: workID))
    }
    entry.published = published
    entry.link = link
    return entry
  }
}
