/// A service where readers keep lists of books: what stands on which, what they said of it, and who
/// is whose friend. The books themselves are the library's titles. Like the lending desk a value
/// without a clock, and without any service's words.
package struct ReadingRoom: Sendable {
  package struct List: Sendable, Hashable {
    package let id: String
    package var name: String
    package var number: Int
    /// A book stands on one of these at a time.
    package var isExclusive: Bool
    /// Whether readers may put books on it.
    package var isOpen: Bool
    /// In their order, the newest first unless a reader moved them.
    package internal(set) var books: [String] = []
    package internal(set) var changed = Moment.usualStart

    package init(
      _ id: String, named name: String? = nil, number: Int, isExclusive: Bool = false,
      isOpen: Bool = true
    ) {
      (self.id, self.name, self.number) = (id, name ?? id, number)
      (self.isExclusive, self.isOpen) = (isExclusive, isOpen)
    }
  }

  /// A reader's dealings with one book.
  package struct Entry: Sendable, Hashable {
    package let number: Int
    package let book: String
    /// The lists that it stands on, and since when.
    package internal(set) var since: [String: Moment] = [:]
    /// 0 is none.
    package var rating = 0
    package var review = ""
    /// As the reader wrote them: `2024`, `2024-03`, `2024-03-01`.
    package var started: String?
    package var finished: String?
    package var timesRead = 0
    package var note = ""
    /// An edition that the reader named, where the book is a work.
    package var edition: String?
    package let added: Moment
    package internal(set) var changed: Moment
  }

  package struct Reader: Sendable {
    package let card: String
    package var name: String
    package internal(set) var lists: [List]
    package internal(set) var entries: [String: Entry] = [:]
    package var friends: [String] = []
    package var isPrivate = false
  }

  package private(set) var readers: [String: Reader] = [:]
  private var last: Int

  package init(numbersFrom first: Int = 9_000_000_000) { last = first }
}

// MARK: - Who keeps lists

extension ReadingRoom {
  package mutating func join(_ card: String, name: String, lists: [List], friends: [String] = []) {
    readers[card] = Reader(card: card, name: name, lists: lists)
    readers[card]?.friends = friends
  }

  package mutating func change(_ card: String, _ edit: (inout Reader) -> Void) {
    guard var reader = readers[card] else { return }
    edit(&reader)
    readers[card] = reader
  }

  /// Nil when there is one of that name already.
  package mutating func open(_ list: List, for card: String) -> List? {
    guard readers[card]?.lists.contains(where: { $0.id == list.id }) == false else { return nil }
    readers[card]?.lists.append(list)
    return list
  }

  /// The list goes; books that stood nowhere else go with it.
  package mutating func close(_ id: String, of card: String) {
    for book in list(id, of: card)?.books ?? [] { take(book, off: id, of: card, at: .usualStart) }
    readers[card]?.lists.removeAll { $0.id == id }
  }

  package mutating func number() -> Int {
    last += 1
    return last
  }
}

// MARK: - What stands where

extension ReadingRoom {
  package func list(_ id: String, of card: String) -> List? {
    readers[card]?.lists.first { $0.id == id }
  }

  package func entry(of book: String, by card: String) -> Entry? { readers[card]?.entries[book] }

  /// In the list's order.
  package func entries(on id: String, of card: String) -> [Entry] {
    guard let reader = readers[card], let list = reader.lists.first(where: { $0.id == id }) else {
      return []
    }
    return list.books.compactMap { reader.entries[$0] }
  }

  package func entries(of card: String) -> [Entry] {
    (readers[card]?.entries.values.map(\.self) ?? []).sorted {
      ($0.added, $0.number) > ($1.added, $1.number)
    }
  }

  /// Whether there is such a list.
  @discardableResult
  package mutating func put(_ book: String, on id: String, of card: String, at now: Moment) -> Bool
  {
    guard var reader = readers[card], let at = reader.lists.firstIndex(where: { $0.id == id })
    else { return false }
    if reader.entries[book]?.since[id] != nil { return true }
    var entry =
      reader.entries[book] ?? Entry(number: number(), book: book, added: now, changed: now)
    if reader.lists[at].isExclusive {
      for index in reader.lists.indices where reader.lists[index].isExclusive {
        let other = reader.lists[index].id
        guard entry.since.removeValue(forKey: other) != nil else { continue }
        reader.lists[index].books.removeAll { $0 == book }
        reader.lists[index].changed = now
      }
    }
    entry.since[id] = now
    entry.changed = now
    reader.lists[at].books.insert(book, at: 0)
    reader.lists[at].changed = now
    reader.entries[book] = entry
    readers[card] = reader
    return true
  }

  /// What stands on no list any more is forgotten, with everything that was said of it.
  package mutating func take(_ book: String, off id: String, of card: String, at now: Moment) {
    guard var reader = readers[card], let at = reader.lists.firstIndex(where: { $0.id == id }),
      var entry = reader.entries[book], entry.since.removeValue(forKey: id) != nil
    else { return }
    reader.lists[at].books.removeAll { $0 == book }
    reader.lists[at].changed = now
    entry.changed = now
    reader.entries[book] = entry.since.isEmpty ? nil : entry
    readers[card] = reader
  }

  /// Off every list.
  package mutating func forget(_ book: String, by card: String, at now: Moment) {
    for id in (entry(of: book, by: card)?.since ?? [:]).keys {
      take(book, off: id, of: card, at: now)
    }
  }

  /// To a place in the list's order, from 0.
  package mutating func arrange(
    _ book: String, on id: String, of card: String, at place: Int, _ now: Moment
  ) -> Bool {
    guard var reader = readers[card], let at = reader.lists.firstIndex(where: { $0.id == id }),
      let old = reader.lists[at].books.firstIndex(of: book)
    else { return false }
    reader.lists[at].books.remove(at: old)
    reader.lists[at].books.insert(book, at: min(max(place, 0), reader.lists[at].books.count))
    reader.lists[at].changed = now
    readers[card] = reader
    return true
  }

  /// Whether the reader has to do with that book.
  @discardableResult
  package mutating func edit(
    _ book: String, by card: String, at now: Moment, _ change: (inout Entry) -> Void
  ) -> Bool {
    guard var entry = readers[card]?.entries[book] else { return false }
    change(&entry)
    entry.changed = now
    readers[card]?.entries[book] = entry
    return true
  }
}
