import Arguments
import Items
import Setup
import TextSafety

struct UnsaveCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "unsave", "Take a title off what you saved.",
    discussion: """
      Borrowing a saved title takes it off as well.
      """,
    examples: [
      .init("carrel unsave 2", "The second title of the last list."),
      .init("carrel unsave emma", "By words of its title."),
    ],
    exits: MyBookText.exits, parameters: [title])

  static let schemas = [MyBookText.schema("unsaved-book", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let book = try await MyBookText.carryOut(.unsave, try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        book.isUnchanged
          ? "'\(book.title)' was not saved.\n"
          : "'\(book.title)' is not saved any more. Undo with: \(command: "carrel save \(book.name)")\n"
      })
  }
}
