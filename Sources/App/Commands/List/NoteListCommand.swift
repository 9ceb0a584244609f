import Arguments
import Setup
import TextSafety

struct NoteListCommand: Command {
  static let spec = CommandSpec(
    "note ls", "List your notes and highlights.",
    discussion: """
      Notes outlive the loan and the file. Given another file of the book, each is looked for there \
      by its words, and those whose words are not in it say that they are lost.
      """,
    examples: [
      .init("carrel note ls", "Those in all books."),
      .init("carrel note ls whale --tag ships", "Those with a tag, in books called so."),
    ],
    exits: AnnotationWork.exits,
    parameters: [AnnotationWork.some, AnnotationWork.tag, BookArgument.passphraseFile])

  static let schemas = [
    ReportSchema("annotations", "Notes and highlights.", AnnotationWork.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var choice = try AnnotationWork.choice([.note, .highlight], input)
    choice.tag = try input[AnnotationWork.tag]
    try await AnnotationWork.list(
      choice, Self.schemas[0],
      empty: "There are no notes here.\ntry: carrel note add FILE --quote WORDS NOTE\n", input,
      in: app)
  }
}
