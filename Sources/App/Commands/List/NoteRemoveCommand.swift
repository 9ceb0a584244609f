import Arguments
import Setup

struct NoteRemoveCommand: Command {
  static let spec = CommandSpec(
    "note rm", "Take a note or a highlight out.",
    examples: [
      .init("carrel note rm 5f0c", "By the beginning of its name; see carrel note ls."),
      .init("carrel note rm 5f0c --json", "The same for programs."),
    ],
    exits: AnnotationWork.exits, parameters: [AnnotationWork.name])

  static let schemas = [
    ReportSchema("note-removed", "The note that is gone.", AnnotationWork.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await AnnotationWork.remove(input, Self.schemas[0], in: app)
  }
}
