import Arguments
import Items
import Setup
import TextSafety

struct SaveCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "save", "Save a title for later.",
    discussion: """
      A saved title is on the list of your books and changes nothing at any library.
      """,
    examples: [
      .init("carrel save 2", "The second title of the last list."),
      .init("carrel save emma", "By words of its title."),
    ],
    exits: MyBookText.exits, parameters: [title])

  static let schemas = [MyBookText.schema("saved-book", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let book = try await MyBookText.carryOut(.save, try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        book.isUnchanged
          ? "'\(book.title)' is saved already.\n"
          : "Saved '\(book.title)'. Undo with: \(command: "carrel unsave \(book.name)")\n"
      })
  }
}
