import HTTP
import HTTPServer
import MockKit

/// Shelves and reviews.
extension Visit {
  func whoAmI() throws(Refusal) -> Response {
    guard let reader = library.reading.readers[try me()] else { throw .noUser }
    let id = Furnishing.userID(of: reader.card)
    return envelope(
      XML.wrap(
        "user",
        XML.element("name", reader.name)
          + XML.cdata("link", "http://www.goodreads.com/user/show/\(id)?utm_medium=api"),
        "id=\"\(id)\""))
  }

  func shelves() throws(Refusal) -> Response {
    let reader = try shown(request.query["user_id"])
    let (part, span) = slice(reader.lists, perPage: 100)
    let more = has(.countsMore) ? 15 : 0
    let shelves = part.map { list in
      XML.wrap(
        "user_shelf",
        XML.number("id", list.number) + XML.element("name", list.id)
          + XML.number("book_count", list.books.count + more)
          + XML.element("exclusive_flag", String(list.isExclusive), "type=\"boolean\"")
          + "<description nil=\"true\"/>\n<sort nil=\"true\"/>\n<order nil=\"true\"/>\n"
          + "<per_page type=\"integer\" nil=\"true\"/>\n<display_fields/>\n"
          + "<featured type=\"boolean\">true</featured>\n<sticky type=\"boolean\" nil=\"true\"/>\n")
    }
    return envelope(XML.wrap("shelves", shelves.joined(), span))
  }

  func reviews(_ user: String?) throws(Refusal) -> Response {
    let reader = try shown(user ?? request.query["id"])
    var entries = library.reading.entries(of: reader.card)
    // A shelf that nobody has holds nothing.
    if let shelf = request.query["shelf"] { entries = entries.filter { $0.stands(on: shelf) } }
    let words = request.query["search[query]"]?.lowercased() ?? ""
    if !words.isEmpty {
      entries = entries.filter {
        library.lending.titles[$0.book]?.name.lowercased().contains(words) == true
      }
    }
    switch request.query["sort"] {
    case "date_updated": entries.sort { ($0.changed, $0.number) < ($1.changed, $1.number) }
    case "rating": entries.sort { ($0.rating, $0.number) < ($1.rating, $1.number) }
    default: entries.sort { ($0.added, $0.number) < ($1.added, $1.number) }
    }
    if request.query["order"] != "a" { entries.reverse() }
    let asked = request.query["per_page"].flatMap { Int($0) } ?? 20
    let (part, span) = slice(entries, perPage: min(max(asked, 1), 200))
    let writer = ReviewWriter(self, reader)
    return envelope(XML.wrap("reviews", part.map { writer.review($0) }.joined(), span))
  }

  func review() throws(Refusal) -> Response {
    let id = request.query["id"] ?? ""
    for reader in library.reading.readers.values {
      guard let found = reader.entries.values.first(where: { String($0.number) == id }) else {
        continue
      }
      return envelope(
        ReviewWriter(self, try shown(Furnishing.userID(of: reader.card))).review(
          found, isWhole: true))
    }
    throw .noReview
  }

  func reviewByBook() throws(Refusal) -> Response {
    let reader = try shown(request.query["user_id"])
    let book = try title(request.query["book_id"] ?? "").id
    let onWork = request.query["include_review_on_work"] == "true"
    guard let found = entry(of: book, by: reader.card, onWork: onWork) else { throw .noReview }
    return envelope(ReviewWriter(self, reader).review(found, isWhole: true))
  }
}

extension ReadingRoom.Entry {
  func stands(on shelf: String) -> Bool { since[shelf] != nil }
}

/// A review as the service writes it, of one reader.
struct ReviewWriter {
  private let visit: Visit
  private let reader: ReadingRoom.Reader

  init(_ visit: Visit, _ reader: ReadingRoom.Reader) { (self.visit, self.reader) = (visit, reader) }

  func review(_ entry: ReadingRoom.Entry, isWhole: Bool = false) -> String {
    XML.wrap("review", inner(entry, isWhole: isWhole))
  }

  private func inner(_ entry: ReadingRoom.Entry, isWhole: Bool) -> String {
    let address = "http://www.goodreads.com/review/show/\(entry.number)"
    let book = visit.library.lending.titles[entry.book].map { BookWriter.book($0) }
    var text = entry.review.replacing("\n", with: "<br/>")
    if visit.has(.clipped), !isWhole, text.count > 20 { text = text.prefix(20) + "..." }
    return XML.element("id", String(entry.number)) + (book ?? "")
      + XML.element("rating", String(entry.rating)) + "<votes>0</votes>\n"
      + "<spoiler_flag>false</spoiler_flag>\n" + shelves(entry)
      + "<recommended_for><![CDATA[]]></recommended_for>\n"
      + XML.element("started_at", XML.stamp(day: entry.started))
      + XML.element("read_at", XML.stamp(day: entry.finished))
      + XML.element("date_added", XML.stamp(entry.added))
      + XML.element("date_updated", XML.stamp(entry.changed))
      + XML.element("read_count", entry.timesRead == 0 ? "" : String(entry.timesRead))
      + XML.cdata("body", text) + "<comments_count>0</comments_count>\n"
      + XML.cdata("url", address) + XML.cdata("link", address) + "<owned>0</owned>\n"
  }

  func shelves(_ entry: ReadingRoom.Entry) -> String {
    var standing = reader.lists.filter { entry.since[$0.id] != nil }
    if visit.has(.doubledShelves), let last = standing.last { standing.append(last) }
    let written = standing.map { list in
      visit.has(.oldShelves)
        ? "<shelf name=\"\(list.id)\" />\n"
        : "<shelf name=\"\(list.id)\" exclusive=\"\(list.isExclusive)\" id=\"\(list.number)\""
          + " review_shelf_id=\"\" sortable=\"false\"/>\n"
    }
    return XML.wrap("shelves", written.joined())
  }
}

/// An edition, and what all editions of its work share.
enum BookWriter {
  static func book(_ title: Title, within name: String = "book") -> String {
    let parts = title.published.split(separator: "-").map { Int($0) ?? 0 }
    let series = title.series.map { " (\($0), #\(title.seriesPosition ?? "1"))" } ?? ""
    var out = XML.number("id", Int(title.id) ?? 0)
    out += title.isbn.isEmpty ? "<isbn nil=\"true\"/>\n" : XML.element("isbn", short(title.isbn))
    out += title.isbn.isEmpty ? "<isbn13></isbn13>\n" : XML.element("isbn13", title.isbn)
    out += XML.cdata("title", title.name + series)
    out += XML.element("title_without_series", title.name)
    out += XML.element("image_url", "https://s.gr-assets.com/assets/nophoto/book/111x148.png")
    out += XML.element("link", "https://www.goodreads.com/book/show/\(title.id)")
    out += XML.element("publisher", title.publisher)
    out += XML.element("publication_day", parts.count > 2 ? String(parts[2]) : "")
    out += XML.element("publication_year", parts.first.map { String($0) })
    out += XML.element("publication_month", parts.count > 1 ? String(parts[1]) : "")
    out += "<description>\n  <![CDATA[A tale of <b>ink</b> & paper]]>\n</description>\n"
    // Names have runs of blanks.
    let authors = title.authors.enumerated().map { index, name in
      XML.wrap(
        "author",
        XML.element("id", String(9000 + index))
          + XML.element("name", name.replacing(" ", with: "  ")) + "<role></role>\n")
    }
    let translator = XML.wrap(
      "author",
      XML.element("id", "8999") + XML.element("name", "Ina  Trell")
        + XML.element("role", "Translator"))
    out += XML.wrap("authors", authors.joined() + translator)
    out += XML.element("published", parts.first.map { String($0) })
    out += XML.wrap("work", XML.element("id", Furnishing.workID(of: title.id)))
    return XML.wrap(name, out)
  }

  /// Ten digits, where there are such; nothing where there are not.
  static func short(_ isbn: String) -> String {
    guard isbn.hasPrefix("978"), isbn.count == 13 else { return "" }
    let body = isbn.dropFirst(3).dropLast()
    let sum = zip(body, stride(from: 10, through: 2, by: -1))
      .reduce(0) { $0 + ($1.0.wholeNumberValue ?? 0) * $1.1 }
    let check = (11 - sum % 11) % 11
    return body + (check == 10 ? "X" : String(check))
  }
}
