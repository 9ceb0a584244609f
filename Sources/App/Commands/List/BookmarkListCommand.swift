import Arguments
import Setup
import TextSafety

struct BookmarkListCommand: Command {
  static let spec = CommandSpec(
    "bookmark ls", "List your bookmarks.",
    discussion: """
      Bookmarks outlive the file they were put into. Given another file of the book, each is looked \
      for there, and those that only stand near their old place say so.
      """,
    examples: [
      .init("carrel bookmark ls", "Those in all books."),
      .init("carrel bookmark ls book.epub", "Those in one, looked for in this file."),
    ],
    exits: AnnotationWork.exits,
    parameters: [AnnotationWork.some, BookArgument.passphraseFile])

  static let schemas = [ReportSchema("bookmarks", "Bookmarks.", AnnotationWork.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    try await AnnotationWork.list(
      try AnnotationWork.choice([.bookmark], input), Self.schemas[0],
      empty: "There are no bookmarks here.\ntry: carrel bookmark add FILE --at 45%\n", input,
      in: app)
  }
}
