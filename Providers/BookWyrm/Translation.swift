import Circulation
import HTTP
import ProviderKit

// What the wire means in our words.

/// The shelves that everybody has; a book stands on one of them.
enum State {
  static let slugs = ["to-read", "reading", "read", "stopped-reading"]

  static func of(_ slug: String) -> ReadingState? {
    switch slug {
    case "to-read": .wanted
    case "reading": .reading
    case "read": .read
    case "stopped-reading": .stopped
    default: nil
    }
  }
}

extension WireShelf {
  func list(_ slug: String) -> ReadingList {
    ReadingList(
      id: ListID(slug), name: name ?? slug, count: total, isExclusive: State.of(slug) != nil,
      state: State.of(slug), isOpen: false)
  }
}

extension WireEdition {
  func entry(on list: ListID, by authors: [String]) -> ListEntry {
    // Without a title there is still the end of its address to tell it by.
    let last = id.path.split(separator: "/").last.map(String.init) ?? id.authority
    var entry = ListEntry(item: ItemID(id.text), title: title ?? last)
    entry.authors = authors
    entry.isbns = isbns
    entry.identifiers = identifiers
    entry.published = published
    entry.lists = [list]
    entry.state = State.of(list.rawValue)
    entry.link = id.text
    return entry
  }
}
