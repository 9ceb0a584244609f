import Circulation
import FoundationEssentials
import ReadingLists

extension Layout {
  /// Any table with titles or ISBNs, by the words that people put over their columns.
  static let generic = Layout(
    columns: [
      "title", "author", "isbn", "isbn13", "shelf", "rating", "review", "date added", "date read",
      "date started", "tags", "note",
    ],
    synonyms: [
      "name": "title", "book": "title", "book title": "title", "titel": "title",
      "authors": "author", "author_text": "author", "primary author": "author",
      "creator": "author", "autor": "author", "writer": "author",
      "isbn/uid": "isbn", "isbn10": "isbn", "isbn_10": "isbn", "ean": "isbn13",
      "isbn_13": "isbn13", "status": "shelf", "read status": "shelf", "exclusive shelf": "shelf",
      "bookshelf": "shelf", "my rating": "rating", "star rating": "rating", "stars": "rating",
      "my review": "review", "added": "date added", "shelf_date": "date added",
      "finished": "date read", "last date read": "date read", "finish_date": "date read",
      "date finished": "date read", "started": "date started", "start_date": "date started",
      "bookshelves": "tags", "shelves": "tags",
    ],
    signs: [["title"], ["isbn"], ["isbn13"]],
    parse: { cells in
      var entry = ListEntry.of("file", nil, title: cells.take("title") ?? "")
      entry.authors = cells.take("author").map(GenericRow.authors) ?? []
      entry.isbns = [cells.isbn("isbn"), cells.isbn("isbn13")].compactMap { $0 }.distinct
      entry.rating = cells.rating("rating")
      entry.review = cells.text("review")
      entry.addedAt = cells.take("date added") { FileDate.read($0)?.instant }
      let started = cells.date("date started")
      let finished = cells.date("date read")
      if started != nil || finished != nil {
        entry.readings = [.init(started: started, finished: finished)]
      }
      entry.state = cells.take("shelf").map(GenericRow.state) ?? (finished == nil ? nil : .read)
      return .book(KeptEntry(entry, shelves: cells.names("tags")))
    })
}

private enum GenericRow {
  /// Several names have a semicolon or an ampersand between them; a comma may be inside of one.
  static func authors(_ text: String) -> [String] {
    for separator in [";", "|", "&"] as [Character] where text.contains(separator) {
      return Cells.names(text, between: separator)
    }
    let parts = Cells.names(text)
    // `Last, First` has one comma and one word in front of it.
    if parts.count == 2, !parts[0].contains(" ") { return ["\(parts[1]) \(parts[0])"] }
    return parts
  }

  static func state(_ word: String) -> ReadingState {
    switch Header.folded(word) {
    case "toread", "wanttoread", "wanted", "planned", "wishlist", "tbr": .wanted
    case "currentlyreading", "reading", "inprogress": .reading
    case "read", "finished", "alreadyread", "done", "completed": .read
    case "didnotfinish", "dnf", "stopped", "stoppedreading", "unfinished", "abandoned": .stopped
    default: .other(word)
    }
  }
}
