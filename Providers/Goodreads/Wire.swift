import Circulation
import ProviderKit

// The shapes of the wire, under the wire's own names. Types are known by the field and not by the
// attribute, which many lack (§2).

/// Where a page stands in its list: from 1, both ends in. Past the end it says 0.
struct Span: Sendable, Hashable {
  let end: Int?
  let total: Int?

  init(_ xml: WireXML) {
    end = xml.attribute("end").flatMap { Int($0) }
    total = xml.attribute("total").flatMap { Int($0) }
  }

  /// Nothing follows by what it says itself; a page without these words is not the last.
  var isLast: Bool {
    guard let end, let total else { return false }
    return end >= total || end == 0
  }
}

struct WireShelf: Sendable, Hashable {
  let name: String
  let bookCount: Int?
  let isExclusive: Bool

  init?(_ xml: WireXML) {
    guard let name = xml.words("name") else { return nil }
    self.name = name
    bookCount = xml.whole("book_count")
    isExclusive = xml.flag("exclusive_flag") ?? (Shelves.states[name] != nil)
  }
}

struct ReviewPage: Sendable, Hashable {
  let reviews: [WireReview]
  let total: Int?
  let isLast: Bool

  init(_ xml: WireXML, _ operation: Circulation.Operation) throws(CirculationError) {
    let elements = xml.all("review")
    reviews = elements.compactMap(WireReview.init)
    // Half a shelf must not pass for a whole one.
    guard reviews.count == elements.count else {
      throw Documents.malformed("reviews with numbers", operation)
    }
    let span = Span(xml)
    total = span.total
    isLast = span.isLast || reviews.isEmpty
  }
}

struct WireReview: Sendable, Hashable {
  let id: String
  let book: WireBook
  let rating: Int?
  let shelves: [Standing]
  let startedAt: String?
  let readAt: String?
  let dateAdded: String?
  let dateUpdated: String?
  let readCount: Int?
  let body: String?
  let link: String?

  init?(_ xml: WireXML) {
    // What answers a write names the book by its number alone.
    let told = xml["book"].flatMap(WireBook.init) ?? xml.number("book_id").map { WireBook(id: $0) }
    guard let id = xml.number("id"), let book = told else { return nil }
    (self.id, self.book) = (id, book)
    rating = xml.whole("rating")
    shelves = xml.list("shelf", in: "shelves").compactMap { shelf in
      shelf.attribute("name").map {
        Standing(name: $0, isExclusive: shelf.attribute("exclusive").map { $0 == "true" })
      }
    }
    startedAt = xml.words("started_at")
    readAt = xml.words("read_at")
    dateAdded = xml.words("date_added")
    dateUpdated = xml.words("date_updated")
    readCount = xml.whole("read_count")
    body = xml.words("body")
    link = xml.words("link") ?? xml.words("url")
  }

  struct Standing: Sendable, Hashable {
    let name: String
    /// Nil in old documents, which do not say.
    let isExclusive: Bool?
  }
}

/// An edition; `workID` is what all editions of a book share.
struct WireBook: Sendable, Hashable {
  let id: String
  let title: String
  let authors: [String]
  let isbns: [String]
  let workID: String?
  let published: PartialDate?
  let link: String?

  init?(_ xml: WireXML) {
    guard let id = xml.number("id") else { return nil }
    self.id = id
    title = xml.words("title").map { WireBook.squeezed($0) } ?? ""
    // Whoever has a role beside the author's is no author (§4).
    let people = xml.list("author", in: "authors") + xml.all("author")
    let writers = people.filter { $0.words("role") == nil }
    authors = (writers.isEmpty ? people : writers).compactMap { $0.words("name") }
      .map { WireBook.squeezed($0) }
    isbns = [xml.words("isbn13"), xml.words("isbn")].compactMap(\.self)
    workID = xml["work"]?.number("id")
    let year = xml.whole("publication_year") ?? xml.whole("published")
    published = year.map { year in
      let month = xml.whole("publication_month").flatMap { (1...12).contains($0) ? $0 : nil }
      let day = xml.whole("publication_day").flatMap { (1...31).contains($0) ? $0 : nil }
      return PartialDate(year: year, month: month, day: day)
    }
    link = xml.words("link")
  }

  init(id: String) {
    (self.id, title, authors, isbns) = (id, "", [], [])
    (workID, published, link) = (nil, nil, nil)
  }

  /// Names come with runs of blanks, and texts with what their pages needed.
  static func squeezed(_ text: String) -> String {
    Entities.decoded(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}

extension WireXML {
  /// Ids are numbers; whatever else stands there is not one.
  func number(_ name: String) -> String? {
    words(name).flatMap { text in
      text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count < 20 ? text : nil
    }
  }
}
