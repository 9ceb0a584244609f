import EPUB
import JSON
package import Machine

/// What readers take along: their own words and those they marked, in the forms other programs read.
package enum AnnotationFormat: String, Sendable, Hashable, CaseIterable {
  case markdown = "md"
  case html
  case json
  /// Web Annotations as reading systems exchange them.
  case w3c
  /// Evernote's.
  case enex
  /// Readwise's.
  case csv
  case bibtex
}

package struct AnnotationExport: Sendable {
  /// One book and what was written in it, in the order of the book.
  struct Notebook: Sendable {
    let book: AnnotatedBook
    let entries: [Annotation]

    var title: String { book.title?.onOneLine ?? "Untitled" }
    var authors: String { book.authors.map(\.onOneLine).joined(separator: ", ") }
  }

  let books: [Notebook]
  let moment: Timestamp

  package init(_ annotations: [Annotation], at moment: Timestamp) {
    self.moment = moment
    var order: [AnnotatedBook] = []
    var entries: [String: [Annotation]] = [:]
    for one in annotations {
      if entries[one.book.digest] == nil { order.append(one.book) }
      entries[one.book.digest, default: []].append(one)
    }
    books = order.map { book in
      Notebook(
        book: book, entries: (entries[book.digest] ?? []).sorted { $0.isBefore($1) })
    }
  }

  package func text(_ format: AnnotationFormat) -> String {
    switch format {
    case .markdown: markdown
    case .html: html
    case .json: json.text() + "\n"
    case .w3c: webAnnotations.text() + "\n"
    case .enex: enex
    case .csv: csv
    case .bibtex: bibtex
    }
  }

  static func time(_ milliseconds: Int64) -> String {
    Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339()
  }
}

extension Annotation {
  /// In the order of the book; of two at one place the older.
  fileprivate func isBefore(_ other: Annotation) -> Bool {
    func order(_ one: Annotation) -> (Int, Double, Int64, String) {
      (
        one.locator.spine ?? one.locator.position ?? 0,
        one.locator.progression ?? one.locator.totalProgression ?? 0, one.made, one.id
      )
    }
    return order(self) < order(other)
  }

  /// Where it stands, for people: `page 17, 3%`.
  var standing: String {
    let page = locator.position.map { "page \($0)" }
    let percent = locator.totalProgression.map { "\(Int(($0 * 100).rounded(.down)))%" }
    return [page, percent].compactMap(\.self).joined(separator: ", ")
  }

  var day: String { String(AnnotationExport.time(made).prefix(10)) }
}

extension String {
  var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
