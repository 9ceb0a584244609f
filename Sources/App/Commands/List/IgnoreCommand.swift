import Arguments
import Items
import Setup
import TextSafety

struct IgnoreCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "ignore", "Leave a title out of lanes and searches.",
    discussion: """
      What you have of the book stays: a loan is on the shelf as before.
      """,
    examples: [
      .init("carrel ignore 2", "The second title of the last list."),
      .init("carrel ignore w17", "By its work."),
    ],
    exits: MyBookText.exits, parameters: [title])

  static let schemas = [MyBookText.schema("ignored-book", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let book = try await MyBookText.carryOut(.ignore, try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        book.isUnchanged
          ? "'\(book.title)' is ignored already.\n"
          : "'\(book.title)' is left out of lanes and searches. Undo with: \(command: "carrel unignore \(book.name)")\n"
      })
  }
}
