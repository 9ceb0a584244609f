import Arguments
import Items
import Setup
import TextSafety

struct UnignoreCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "unignore", "Let a title be seen again.",
    discussion: """
      carrel ignored lists those that are left out.
      """,
    examples: [
      .init("carrel unignore 1", "The first title of the last list."),
      .init("carrel unignore emma", "By words of its title."),
    ],
    exits: MyBookText.exits, parameters: [title])

  static let schemas = [MyBookText.schema("unignored-book", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let book = try await MyBookText.carryOut(.unignore, try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        book.isUnchanged
          ? "'\(book.title)' was not ignored.\n" : "'\(book.title)' is shown again.\n"
      })
  }
}
