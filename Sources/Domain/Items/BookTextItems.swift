package import JSON

/// The text of one document of a book.
package struct BookTextItem: Sendable, Hashable {
  /// Its place in reading order, from 0.
  package let item: Int
  package let href: String
  package var title: String?
  /// Paragraphs with an empty line between, in UTF-8: a whole book of them is written as it is.
  package let text: [UInt8]

  package init(item: Int, href: String, title: String?, text: [UInt8]) {
    (self.item, self.href, self.title, self.text) = (item, href, title, text)
  }

  package var json: JSONValue {
    [
      "item": .integer(item), "href": .string(href), "title": JSONValue(title),
      "text": .string(String(decoding: text, as: UTF8.self)),
    ]
  }
}

/// What is searched for in a book.
package struct ContentOrder: Sendable, Hashable {
  package let words: String
  /// More are counted, and not told of.
  package var limit = 200
  package var matchesCase = false
  package var wholeWords = false

  package init(words: String) { self.words = words }
}

/// Where words were found.
package struct ContentHitItem: Sendable, Hashable {
  /// The document's place in reading order, from 0.
  package let item: Int
  package let href: String
  package var chapter: String?
  /// Of the words, through the document and through the book, from 0 to 1.
  package let progression: Double
  package let total: Double
  package let position: Int
  package let cfi: String
  package let before: String
  package let match: String
  package let after: String

  package init(
    item: Int, href: String, chapter: String?, progression: Double, total: Double, position: Int,
    cfi: String, before: String, match: String, after: String
  ) {
    (self.item, self.href, self.chapter) = (item, href, chapter)
    (self.progression, self.total, self.position) = (progression, total, position)
    (self.cfi, self.before, self.match, self.after) = (cfi, before, match, after)
  }

  package var json: JSONValue {
    [
      "item": .integer(item), "href": .string(href), "chapter": JSONValue(chapter),
      "progression": JSONValue(progression), "total_progression": JSONValue(total),
      "position": .integer(position), "cfi": .string(cfi), "before": .string(before),
      "match": .string(match), "after": .string(after),
    ]
  }
}
