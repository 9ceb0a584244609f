import Circulation
import FoundationEssentials
import ReadingLists

extension Layout {
  /// One row for each shelf that a book stands on.
  static let bookWyrm = Layout(
    columns: [
      "title", "author_text", "remote_id", "openlibrary_key", "inventaire_id", "librarything_key",
      "goodreads_key", "bnf_id", "viaf", "wikidata", "asin", "aasin", "isfdb", "isbn_10",
      "isbn_13", "oclc_number", "start_date", "finish_date", "stopped_date", "rating",
      "review_name", "review_cw", "review_content", "review_published", "shelf", "shelf_name",
      "shelf_date",
    ],
    signs: [["author_text", "shelf"], ["remote_id", "title"]], rowMark: "shelf_date ",
    parse: { .book(BookWyrmRow.parse(&$0)) }, render: BookWyrmRow.render)
}

private enum BookWyrmRow {
  static let schemes = [
    ("openlibrary_key", "open-library"), ("inventaire_id", "inventaire"),
    ("librarything_key", "librarything"), ("goodreads_key", "goodreads"), ("bnf_id", "bnf"),
    ("viaf", "viaf"), ("wikidata", "wikidata"), ("asin", "asin"), ("aasin", "aasin"),
    ("isfdb", "isfdb"), ("oclc_number", "oclc"),
  ]

  static func parse(_ cells: inout Cells) -> KeptEntry {
    let address = cells.take("remote_id")
    var entry = ListEntry.of("bookwyrm", address, title: cells.take("title") ?? "")
    entry.link = address
    entry.authors = cells.names("author_text")
    for (column, scheme) in schemes {
      if let value = cells.take(column) {
        entry.identifiers.append(ForeignIdentifier(scheme: scheme, value: value))
      }
    }
    entry.isbns = [cells.isbn("isbn_10"), cells.isbn("isbn_13")].compactMap { $0 }.distinct
    let started = cells.date("start_date")
    let finished = cells.date("finish_date")
    if started != nil || finished != nil {
      entry.readings = [.init(started: started, finished: finished)]
    }
    entry.rating = cells.rating("rating")
    entry.review = cells.text("review_content")
    return shelved(entry, &cells)
  }

  private static func shelved(_ entry: ListEntry, _ cells: inout Cells) -> KeptEntry {
    var entry = entry
    guard let shelf = cells.take("shelf") else { return KeptEntry(entry) }
    entry.lists = [ListID(shelf)]
    if let state = state(shelf) {
      entry.state = state
      entry.addedAt = cells.take("shelf_date") { FileDate.read($0)?.instant }
      _ = cells.take("shelf_name") { $0 == name(shelf) ? $0 : nil }
      return KeptEntry(entry)
    }
    var kept = KeptEntry(entry, shelves: [cells.take("shelf_name") ?? shelf])
    kept.extras["shelf_date \(shelf)"] = cells.take("shelf_date")
    return kept
  }

  static func render(_ kept: KeptEntry) -> [[Layout.Cell]] {
    let entry = kept.entry
    var shelves: [(slug: String, name: String, date: String)] = []
    if let state = entry.state {
      shelves.append((slug(state), name(slug(state)), entry.addedAt?.day.description ?? ""))
    }
    // A list from elsewhere has names and no slugs.
    let slugs = entry.lists.map(\.rawValue).filter { self.state($0) == nil }
    for (place, shelf) in kept.shelves.enumerated() {
      let slug = slugs.count == kept.shelves.count ? slugs[place] : self.slug(of: shelf)
      shelves.append((slug, shelf, kept.extras["shelf_date \(slug)"] ?? ""))
    }
    if shelves.isEmpty { shelves = [("", "", "")] }
    let reading = entry.readings.last
    let book: [Layout.Cell] =
      [
        ("title", entry.title), ("author_text", Written.names(entry.authors)),
        ("remote_id", entry.number("bookwyrm")),
        ("isbn_10", entry.isbns.lazy.compactMap(\.short).first ?? ""),
        ("isbn_13", entry.isbns.last?.digits ?? ""),
        ("start_date", reading?.started?.description ?? ""),
        ("finish_date", reading?.finished?.description ?? ""),
        ("rating", Written.rating(entry.rating)), ("review_content", entry.review ?? ""),
      ] + schemes.map { ($0.0, entry.number($0.1)) }
    return shelves.map { shelf in
      book + [
        ("shelf", shelf.slug), ("shelf_name", shelf.name),
        ("shelf_date", shelf.date),
      ]
    }
  }

  private static func state(_ slug: String) -> ReadingState? {
    switch slug {
    case "to-read": .wanted
    case "reading": .reading
    case "read": .read
    case "stopped-reading": .stopped
    default: nil
    }
  }

  private static func slug(_ state: ReadingState) -> String {
    switch state {
    case .wanted: "to-read"
    case .reading: "reading"
    case .read: "read"
    case .stopped: "stopped-reading"
    case .other(let name): slug(of: name)
    }
  }

  private static func slug(of name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  private static func name(_ slug: String) -> String {
    switch slug {
    case "to-read": "To Read"
    case "reading": "Currently Reading"
    case "read": "Read"
    case "stopped-reading": "Stopped Reading"
    default: slug
    }
  }
}
