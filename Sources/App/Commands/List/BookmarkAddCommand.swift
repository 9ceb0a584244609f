import Arguments
import Setup

struct BookmarkAddCommand: Command {
  static let spec = CommandSpec(
    "bookmark add", "Put a bookmark into a book file.",
    examples: [
      .init("carrel bookmark add book.epub --at 45%", "Nearly in the middle."),
      .init("carrel bookmark add book.epub --quote Ishmael", "Where this word is."),
    ],
    exits: AnnotationWork.exits,
    parameters: [
      AnnotationWork.file, AnnotationWork.at, AnnotationWork.quote, BookArgument.passphraseFile,
    ])

  static let schemas = [
    ReportSchema("bookmark-added", "The bookmark.", AnnotationWork.properties)
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let order = AnnotationOrder(
      .bookmark, in: .file(try input[AnnotationWork.file]), at: try AnnotationWork.place(input))
    try await AnnotationWork.add(order, Self.schemas[0], input, in: app)
  }
}
