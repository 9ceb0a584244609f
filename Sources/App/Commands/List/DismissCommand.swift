import Arguments
import Items
import Setup
import TextSafety

struct DismissCommand: Command {
  static let title = TitleArgument.title

  static let spec = CommandSpec(
    "dismiss", "Put away a loan or an offer that went by.",
    discussion: """
      A loan that ended and an offer that was missed are shown until you have seen them. Borrowing the title again puts them away as well.
      """,
    examples: [
      .init("carrel dismiss 1", "The first title of the last list."),
      .init("carrel dismiss emma", "By words of its title."),
    ],
    exits: MyBookText.exits, parameters: [title])

  static let schemas = [MyBookText.schema("dismissed", "The book as it stands now.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let book = try await MyBookText.carryOut(.dismiss, try input[Self.title], in: app)
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { _ in
        book.isUnchanged
          ? "There was nothing to put away of '\(book.title)'.\n"
          : "'\(book.title)' is put away. Borrow it again with: \(command: "carrel borrow \(book.name)")\n"
      })
  }
}
