package import JSON

/// What became of a file of books. Each row is in one of the counts.
package struct ShelfIntakeItem: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }

    package var json: JSONValue { ["line": .integer(line), "reason": .string(reason)] }
  }

  package var list: String
  package var format: String
  package var encoding: String
  package var rows = 0
  package var new = 0
  package var changed = 0
  package var unchanged = 0
  /// Further rows of a book that has a row for each of its shelves, or stands there twice.
  package var joined = 0
  /// Left out on purpose.
  package var passed: [Row] = []
  package var rejected: [Row] = []
  /// The rejected rows as they were, to be put right and read again.
  package var again: [UInt8] = []

  package init(list: String, format: String, encoding: String) {
    (self.list, self.format, self.encoding) = (list, format, encoding)
  }

  package var json: JSONValue {
    [
      "list": .string(list), "format": .string(format), "encoding": .string(encoding),
      "rows": .integer(rows), "new": .integer(new), "changed": .integer(changed),
      "unchanged": .integer(unchanged), "joined": .integer(joined),
      "passed": .array(passed.map(\.json)), "rejected": .array(rejected.map(\.json)),
    ]
  }
}

/// A list as a file.
package struct ShelfOutputItem: Sendable {
  package let list: String
  package let format: String
  package let books: Int
  /// What that form has no place for, and of how many books.
  package let losses: [(what: String, books: Int)]
  package let text: String

  package init(
    list: String, format: String, books: Int, losses: [(what: String, books: Int)], text: String
  ) {
    (self.list, self.format, self.books) = (list, format, books)
    (self.losses, self.text) = (losses, text)
  }

  package var json: JSONValue {
    [
      "list": .string(list), "format": .string(format), "books": .integer(books),
      "losses": .array(
        losses.map { ["what": .string($0.what), "books": .integer($0.books)] }),
      "text": .string(text),
    ]
  }
}
