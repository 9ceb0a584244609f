import Arguments
import Items
import Setup

struct EPUBTextCommand: Command {
  static let item = Option(
    "item", .integer(0...1_000_000),
    "Only this document: its place in reading order, from 0, as carrel epub toc tells it.")

  static let spec = CommandSpec(
    "epub text", "Print the text of a book file.",
    discussion: """
      Paragraphs have an empty line between them, rows of tables and items of lists a line each. \
      What the book hides is left out.
      """,
    examples: [
      .init("carrel epub text book.epub", "All of it."),
      .init("carrel epub text book.epub --item 3", "The fourth document."),
    ],
    exits: [6, 13], parameters: [BookArgument.file, item])

  static let schemas = [
    ReportSchema(
      "epub_text", "The text of a book file, document by document.",
      [
        .init("item", .integer, "The place in reading order, from 0."),
        .init("href", .string, "The entry of the archive."),
        .init("title", .nullable(.string), "What the document calls itself."),
        .init("text", .string, "Its paragraphs."),
      ])
  ]

  static func opensBook(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let item = try input[Self.item]
    let texts = try await BookArgument.answer(input, app) { books, source throws(ErrorItem) in
      try await books.text(of: source, item: item)
    }
    // What comes from the engine is tame already, and a whole book is not looked through twice.
    switch app.output.mode {
    case .human:
      try app.output.write(texts.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n"))
    default: try app.output.show(Report(Self.schemas[0], texts.map(\.json)))
    }
  }
}
