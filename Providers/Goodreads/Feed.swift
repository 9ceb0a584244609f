import Circulation
import ProviderKit

/// One page of a shelf as RSS (§7).
struct Feed: Sendable, Hashable {
  /// What the channel's title says it is of; nil where it says nothing.
  let shelf: String?
  let items: [FeedItem]

  init(_ answer: Answer, _ operation: Circulation.Operation) throws(CirculationError) {
    let channel = try answer.payload(["rss"], operation)["channel"]
    guard let channel else { throw Documents.malformed("a channel", operation) }
    let title = channel.words("title") ?? ""
    shelf = title.start(afterLast: ": ").map { String(title[$0...]) }.flatMap {
      $0.isEmpty ? nil : $0
    }
    let elements = channel.all("item")
    items = elements.compactMap(FeedItem.init)
    guard items.count == elements.count else {
      throw Documents.malformed("books with numbers", operation)
    }
  }

  /// Names this page: two pages that hold the same have the same.
  var mark: String {
    "\(items.first?.review ?? "")-\(items.last?.review ?? "")-\(items.count)"
  }
}

struct FeedItem: Sendable, Hashable {
  let review: String
  let book: String
  let title: String
  let author: String?
  let isbn: String?
  let rating: Int?
  let readAt: String?
  let added: String?
  let text: String?
  /// What it says: the exclusive shelf unless that is the one of books read, and the others.
  let shelves: [String]
  let published: Int?
  let link: String?

  init?(_ xml: WireXML) {
    // The number at the end of `…/review/show/9000000001?utm_medium=api`.
    let guid = (xml.words("guid") ?? xml.words("link") ?? "").prefix { $0 != "?" }
    let number = guid.split(separator: "/").last ?? ""
    guard let book = xml.number("book_id"), !number.isEmpty,
      number.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    (review, self.book) = (String(number), book)
    title = WireBook.squeezed(xml.words("title") ?? "")
    author = xml.words("author_name").map { WireBook.squeezed($0) }
    isbn = xml.words("isbn")
    rating = xml.whole("user_rating")
    readAt = xml.words("user_read_at")
    // When it came to this shelf moves; when it came at all is what the page shows.
    added = xml.words("user_date_created") ?? xml.words("user_date_added")
    text = xml.words("user_review")
    shelves = (xml.words("user_shelves") ?? "").words(at: ",")
    published = xml.whole("book_published")
    link = (xml.words("link") ?? xml.words("guid")).map { String($0.prefix { $0 != "?" }) }
  }

  /// As it stands on the shelf that was asked for: nothing else says which of its shelves excludes
  /// others.
  func entry(on shelf: String?) -> ListEntry {
    var entry = ListEntry(item: ItemID(book), title: title)
    entry.record = review
    entry.authors = [author].compactMap(\.self)
    entry.isbns = [isbn.flatMap { ISBN($0) }].compactMap(\.self)
    entry.identifiers = [ForeignIdentifier(scheme: "goodreads", value: book)]
    entry.published = published.map { PartialDate(year: $0) }
    entry.rating = rating.flatMap { (1...5).contains($0) ? Double($0) : nil }
    entry.review = text
    if let day = WireReview.day(readAt) { entry.readings = [.init(finished: day)] }
    entry.addedAt = WireReview.instant(added)
    entry.lists = ([shelf].compactMap(\.self) + shelves).distinct.map { ListID($0) }
    let states = entry.lists.compactMap { Shelves.states[$0.rawValue] }
    entry.state = states.first ?? (shelves.isEmpty ? .read : nil)
    entry.link = link
    return entry
  }
}

extension String {
  /// Where what follows the last of these begins.
  fileprivate func start(afterLast mark: String) -> String.Index? {
    ranges(of: mark).last?.upperBound ?? (hasSuffix(":") ? endIndex : nil)
  }
}
