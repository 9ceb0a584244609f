import Arguments
import Setup
import TextSafety

struct BooksCommand: Command {
  static let saved = Flag("saved", "Only what you saved for later.", common: true)

  static let spec = CommandSpec(
    "books", "List your books, each with its state.",
    discussion: """
      Everything you borrowed, wait for or saved, over all cards, with loans that were made in other \
      apps. What is on loan comes first, and of these what ends first. A state allows certain \
      commands and no others; --json lists them for each book.
      """,
    examples: [
      .init("carrel books", "All of them."),
      .init("carrel books --saved", "What is saved for later."),
    ],
    exits: [10], parameters: [saved])

  static let schemas = [MyBookText.schema("books", "Your books.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let onlySaved = try input[Self.saved]
    try await MyBookText.list(
      onlySaved ? .saved : .all, Self.schemas[0],
      empty: onlySaved
        ? "Nothing is saved. carrel save TITLE keeps one for later.\n"
        : "You have no books yet. carrel search WORDS finds some.\n",
      in: app)
  }
}
