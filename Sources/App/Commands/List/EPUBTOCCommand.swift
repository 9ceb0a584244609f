import Arguments
import Items
import Setup
import TextSafety

struct EPUBTOCCommand: Command {
  static let spec = CommandSpec(
    "epub toc", "Print the table of contents of a book file.",
    discussion: """
      Where the book has none, its landmarks or its files stand in.
      """,
    examples: [
      .init("carrel epub toc book.epub", "Chapters, indented by what they are in."),
      .init("carrel epub toc book.epub --json", "With where each one leads."),
    ],
    exits: [6, 13], parameters: [BookArgument.file, BookArgument.passphraseFile])

  static let schemas = [
    ReportSchema(
      "epub_toc", "The table of contents of a book file.",
      [
        .init("title", .string, "The entry's label."),
        .init("depth", .integer, "How many entries it is in."),
        .init("href", .nullable(.string), "The entry of the archive it leads to."),
        .init("spine", .nullable(.integer), "The place of that in reading order, from 0."),
      ])
  ]

  static func opensBook(_ input: Input) -> Bool { true }

  func answerAtOnce(_ input: Input, in app: App) throws -> Bool {
    guard try BookArgument.isFile(input) else { return false }
    try show(input, app)
    return true
  }

  func run(_ input: Input, in app: App) async throws { try show(input, app) }

  private func show(_ input: Input, _ app: App) throws {
    let contents = try BookArgument.answerAtOnce(input, app) { books, source throws(ErrorItem) in
      try books.contents(of: source)
    }
    try app.output.show(
      Report(Self.schemas[0], contents.map(\.json)) { _ in
        contents.map { entry in
          "\(String(repeating: "  ", count: entry.depth))\(entry.title)\n"
        }.joined()
      })
  }
}
