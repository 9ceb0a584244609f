import Circulation

/// What rows of a file do to the books of a list.
struct Plan {
  private(set) var new: [ListedBook] = []
  private(set) var changed: [(id: String, book: ListedBook)] = []
  let tally: ReadingLists.Tally

  var isIdle: Bool { new.isEmpty && changed.isEmpty }

  /// `room` is how many more entries the patron may have.
  init(_ rows: [KeptEntry], beside there: [ListMember], room: Int = ReadingLists.mostBooks) {
    let matches = Found(there).matches(of: rows) { row, member in
      Self.book(row, instead: member.book) == member.book
    }
    var outcomes: [ReadingLists.Tally.Outcome] = []
    outcomes.reserveCapacity(rows.count)
    for (row, match) in zip(rows, matches) {
      let member = match.map { there[$0] }
      let book: ListedBook
      do throws(ListError) {
        book = try ReadingLists.checked(Self.book(row, instead: member?.book))
      } catch {
        outcomes.append(.refused("it is too long"))
        continue
      }
      if let member {
        outcomes.append(book == member.book ? .same : .changed)
        if book != member.book { changed.append((member.id, book)) }
      } else if new.count >= room {
        outcomes.append(.refused("your lists have as many entries as this gateway stores"))
      } else if there.count + new.count < ReadingLists.mostBooks {
        outcomes.append(.new)
        new.append(book)
      } else {
        outcomes.append(.refused("the list is full"))
      }
    }
    tally = ReadingLists.Tally(outcomes: outcomes)
  }

  private static func book(_ row: KeptEntry, instead old: ListedBook?) -> ListedBook {
    var kept = row
    if let older = old?.entry, !row.replaces(older) { kept = older.joined(with: row) }
    let entry = kept.entry
    var title = entry.title
    // A list of numbers has no titles; the book may have got one since.
    if title.isEmpty { title = old?.title ?? entry.isbns.first.map { "ISBN \($0)" } ?? "" }
    // As the table will give them back, or the same names would look changed for ever.
    let named = Words.parts(Words.lines(entry.authors.map(Words.clean)))
    let authors = named.isEmpty ? old?.authors ?? [] : named
    let isbns = entry.isbns.isEmpty ? old?.isbns ?? [] : entry.isbns
    var book = ListedBook(
      work: nil, title: title, authors: authors, isbns: isbns, note: old?.note, entry: kept)
    if let old, isSame(old, book) { book.work = old.work }
    return book
  }

  /// A row that was corrected may be another book now, and then the work is not its work.
  private static func isSame(_ old: ListedBook, _ new: ListedBook) -> Bool {
    Words.folded(old.title) == Words.folded(new.title)
      || !Set(old.isbns).isDisjoint(with: new.isbns)
  }
}
