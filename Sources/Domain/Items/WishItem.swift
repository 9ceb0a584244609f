package import JSON

/// A book that a reader wishes for, and how far that has come.
package struct WishItem: Sendable, Hashable {
  /// The wish, as long as the book is on its list.
  package let id: String
  package let list: String
  package let title: String
  package let authors: [String]
  package let isbns: [String]
  package let addedAt: String
  /// tell, hold or borrow.
  package let rule: String
  package var work: String?
  /// matched, unsure or none.
  package var match = "none"
  /// Whether the reader said so.
  package var isDecided = false
  package var choices: [WishChoiceItem] = []
  /// available, waiting, unavailable, on_loan, on_hold, not_asked, not_held or unsure.
  package var state = "not_held"
  package var since: String?
  package var toldAt: String?
  /// What was done by its rule: borrowed or held.
  package var deed: String?
  package var offers: [OfferItem] = []
  /// What a file or a service told of the book.
  package var told = ListedBookItem.Told()

  package init(
    id: String, list: String, title: String, authors: [String], isbns: [String], addedAt: String,
    rule: String
  ) {
    (self.id, self.list, self.title) = (id, list, title)
    (self.authors, self.isbns) = (authors, isbns)
    (self.addedAt, self.rule) = (addedAt, rule)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "list": .string(list), "title": .string(title),
      "authors": .texts(authors), "isbns": .texts(isbns), "work": JSONValue(work),
      "added_at": .string(addedAt), "match": .string(match), "decided": .bool(isDecided),
      "choices": .array(choices.map(\.json)), "rule": .string(rule), "state": .string(state),
      "since": JSONValue(since), "told_at": JSONValue(toldAt), "deed": JSONValue(deed),
      "offers": .array(offers.map(\.json)), "rating": told.rating.map { JSONValue($0) } ?? .null,
      "review": JSONValue(told.review), "read_at": .texts(told.readAt),
      "shelves": .texts(told.shelves),
    ]
  }
}

/// A work that a wish may be.
package struct WishChoiceItem: Sendable, Hashable {
  package let work: String
  package let title: String
  package let authors: [String]
  package let score: Double
  package let why: String

  package init(work: String, title: String, authors: [String], score: Double, why: String) {
    (self.work, self.title, self.authors) = (work, title, authors)
    (self.score, self.why) = (score, why)
  }

  package var json: JSONValue {
    [
      "work": .string(work), "title": .string(title), "authors": .texts(authors),
      "score": JSONValue(score), "why": .string(why),
    ]
  }
}
