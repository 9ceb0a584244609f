import Arguments
import Items
import Setup
import TextSafety

struct ListShowCommand: Command {
  static let spec = CommandSpec(
    "list show", "Show the books on a list.",
    discussion: "Its numbers go for other commands: carrel borrow 2 borrows the second one.",
    examples: [
      .init("carrel list show later", "In the order of the list."),
      .init("carrel list show later --json", "The same for programs."),
    ],
    exits: [5, 10], parameters: [ListText.list])

  static let schemas = [ReportSchema("list-books", "Books on a list.", ListText.bookProperties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let name = try input[ListText.list]
    let books = try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.books(on: name, at: seat)
    }
    app.remember(books.map { $0.work ?? $0.id })
    try app.output.show(
      Report(Self.schemas[0], books.map(\.json)) { layout in
        books.isEmpty
          ? "Nothing stands on it yet.\ntry: \(command: "carrel list add \(name) TITLE")\n"
          : Grid(rows: books.enumerated().map(Self.row), yielding: 1).text(layout)
      })
  }

  private static func row(_ index: Int, _ book: ListedBookItem) -> [String] {
    [
      "\(index + 1)", book.title, book.authors.prefix(2).joined(separator: ", "), said(book),
      book.work == nil ? (book.isUnsure ? "which one?" : "in no library") : "", book.note ?? "",
    ]
  }

  /// What the reader said of it where it came from: `4 of 5, 2025-08-17`.
  private static func said(_ book: ListedBookItem) -> String {
    let rating = book.told.rating.map { rating in
      "\(rating == rating.rounded() ? "\(Int(rating))" : "\(rating)") of 5"
    }
    return [rating, book.told.readAt.last].compactMap(\.self).joined(separator: ", ")
  }
}
