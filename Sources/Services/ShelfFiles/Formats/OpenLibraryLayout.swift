import Circulation
import FoundationEssentials
import ReadingLists

extension Layout {
  /// The reading log of Open Library, which takes no such file back.
  static let openLibrary = Layout(
    columns: [
      "Work ID", "Title", "Authors", "First Publish Year", "Edition ID", "Bookshelf",
      "My Ratings",
    ],
    signs: [["Work ID", "Bookshelf"]],
    parse: { cells in
      let number = cells.take("Work ID")
      var entry = ListEntry.of("open-library", number, title: cells.take("Title") ?? "")
      entry.authors = cells.names("Authors", between: "|")
      entry.published = cells.date("First Publish Year")
      if let edition = cells.take("Edition ID") {
        let scheme = "open-library-edition"
        entry.identifiers.append(ForeignIdentifier(scheme: scheme, value: edition))
      }
      entry.state = cells.take("Bookshelf").map { shelf in
        switch shelf.lowercased() {
        case "want to read": .wanted
        case "currently reading": .reading
        case "already read": .read
        case "stopped reading": .stopped
        default: .other(shelf)
        }
      }
      entry.rating = cells.rating("My Ratings")
      return .book(KeptEntry(entry))
    })

  /// The app Openreads.
  static let openreads = Layout(
    columns: [
      "title", "subtitle", "author", "description", "status", "favourite", "deleted", "rating",
      "pages", "publication_year", "isbn", "olid", "tags", "my_review", "notes", "book_format",
      "readings", "date_added", "date_modified",
    ],
    signs: [["title", "readings", "status"], ["olid", "book_format"]],
    parse: { cells in
      if cells.peek("deleted")?.lowercased() == "true" { return .passed("it was deleted there") }
      var entry = ListEntry.of("openreads", nil, title: cells.take("title") ?? "")
      entry.authors = cells.names("author")
      entry.published = cells.date("publication_year")
      entry.isbns = cells.isbn("isbn").map { [$0] } ?? []
      if let edition = cells.take("olid") {
        let scheme = "open-library-edition"
        entry.identifiers.append(ForeignIdentifier(scheme: scheme, value: edition))
      }
      entry.state = cells.take("status").map { word in
        switch word {
        case "planned": .wanted
        case "in_progress": .reading
        case "finished": .read
        case "unfinished": .stopped
        default: .other(word)
        }
      }
      entry.rating = cells.rating("rating")
      entry.review = cells.text("my_review")
      entry.addedAt = cells.take("date_added") { FileDate.read($0)?.instant }
      if let text = cells.peek("readings") { entry.readings = OpenreadsRow.readings(text) }
      let tags = cells.names("tags", between: "|")
      return .book(KeptEntry(entry, shelves: tags))
    })

  /// A catalogue of calibre.
  static let calibre = Layout(
    columns: [
      "uuid", "title", "authors", "rating", "identifiers", "isbn", "pubdate", "tags", "timestamp",
    ],
    signs: [["identifiers", "authors", "title"], ["title_sort", "author_sort"]],
    parse: { cells in
      var entry = ListEntry.of("calibre", cells.take("uuid"), title: cells.take("title") ?? "")
      entry.authors = cells.names("authors", between: "&")
      entry.rating = cells.rating("rating")
      let pairs = cells.take("identifiers")?.split(separator: ",") ?? []
      for pair in pairs {
        let parts = pair.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2 else { continue }
        if parts[0] == "isbn", let isbn = ISBN(parts[1]) { entry.isbns.append(isbn) }
        entry.identifiers.append(ForeignIdentifier(scheme: parts[0].lowercased(), value: parts[1]))
      }
      entry.isbns = (entry.isbns + [cells.isbn("isbn")].compactMap { $0 }).distinct
      // The year 101 is how it spells that nobody knows.
      entry.published = cells.take("pubdate") { text in
        FileDate.read(text).flatMap { $0.year <= 101 ? nil : $0 }
      }
      entry.addedAt = cells.take("timestamp") { FileDate.read($0)?.instant }
      return .book(KeptEntry(entry, shelves: cells.names("tags")))
    })
}

private enum OpenreadsRow {
  /// `start|finish|minutes` and a semicolon; any part may be missing.
  static func readings(_ text: String) -> [ListEntry.Reading] {
    text.split(separator: ";").compactMap { part in
      let ends = part.split(separator: "|", omittingEmptySubsequences: false)
      let dates = ends.prefix(2).map { FileDate.read(String($0)) }
      guard dates.contains(where: { $0 != nil }) else { return nil }
      return .init(started: dates[0], finished: dates.count > 1 ? dates[1] : nil)
    }
  }
}
