import Arguments
import Setup

struct BookmarkRemoveCommand: Command {
  static let spec = CommandSpec(
    "bookmark rm", "Take a bookmark out.",
    examples: [
      .init("carrel bookmark rm 5f0c", "By the beginning of its name; see carrel bookmark ls."),
      .init("carrel bookmark rm 5f0c --json", "The same for programs."),
    ],
    exits: AnnotationWork.exits, parameters: [AnnotationWork.name])

  static let schemas = [
    ReportSchema("bookmark-removed", "The bookmark that is gone.", AnnotationWork.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await AnnotationWork.remove(input, Self.schemas[0], in: app)
  }
}
