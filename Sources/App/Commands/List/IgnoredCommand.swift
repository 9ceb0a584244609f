import Arguments
import Setup
import TextSafety

struct IgnoredCommand: Command {
  static let spec = CommandSpec(
    "ignored", "List what lanes and searches leave out.",
    examples: [
      .init("carrel ignored", "With a number for each, for carrel unignore."),
      .init("carrel ignored --json", "The same for programs."),
    ],
    exits: [10])

  static let schemas = [MyBookText.schema("ignored-books", "Titles you do not want to see.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await MyBookText.list(
      .ignored, Self.schemas[0], empty: "Nothing is ignored: lanes and searches show all books.\n",
      in: app)
  }
}
