/// The forms that lists of books have in files.
package enum ShelfFormat: String, Sendable, Hashable, CaseIterable {
  case goodreads, storygraph, bookwyrm, librarything
  case openLibrary = "open-library"
  case openreads, calibre
  /// Any table with titles or ISBNs.
  case generic
  /// Numbers alone, one a line.
  case isbn
  /// Our own, with everything.
  case json

  /// How the forms are told apart when a file does not say what it is: the more telling first.
  static let tables: [ShelfFormat] = [
    .storygraph, .bookwyrm, .librarything, .openLibrary, .openreads, .calibre, .goodreads, .generic,
  ]

  package static let written: [ShelfFormat] = [
    .goodreads, .storygraph, .bookwyrm, .librarything, .json, .isbn,
  ]

  /// Nil where it is no table with names over its columns.
  var layout: Layout? {
    switch self {
    case .goodreads: .goodreads
    case .storygraph: .storyGraph
    case .bookwyrm: .bookWyrm
    case .librarything: .libraryThing
    case .openLibrary: .openLibrary
    case .openreads: .openreads
    case .calibre: .calibre
    case .generic: .generic
    case .isbn, .json: nil
    }
  }
}

extension ShelfFormat {
  /// As people call it.
  package var title: String {
    switch self {
    case .goodreads: "Goodreads"
    case .storygraph: "StoryGraph"
    case .bookwyrm: "BookWyrm"
    case .librarything: "LibraryThing"
    case .openLibrary: "Open Library"
    case .openreads: "Openreads"
    case .calibre: "calibre"
    case .generic: "Table"
    case .isbn: "ISBNs alone"
    case .json: "JSON, with everything"
    }
  }

  /// Of a file of it.
  package var ending: String {
    switch self {
    case .json: "json"
    case .isbn: "txt"
    default: "csv"
    }
  }
}
