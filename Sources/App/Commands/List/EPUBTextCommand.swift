import Arguments
import Items
import Setup
import TextSafety

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
    exits: [6, 13], parameters: [BookArgument.file, BookArgument.passphraseFile, item])

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

  /// What is kept back before it is written, where it is written as it comes.
  private static let piece = 1 << 16

  func run(_ input: Input, in app: App) async throws {
    let item = try input[Self.item]
    if app.output.mode == .human {
      try await write(item, input, app)
      return
    }
    var texts: [BookTextItem] = []
    try await BookArgument.answer(input, app) { books, source throws(ErrorItem) in
      try await books.text(of: source, item: item) { texts.append($0) }
    }
    try app.output.show(Report(Self.schemas[0], texts.map(\.json)))
  }

  /// What comes from the engine is tame already, and a whole book is not looked through twice.
  private func write(_ item: Int?, _ input: Input, _ app: App) async throws {
    let isWrittenAtOnce = app.output.file == nil
    var (bytes, isFirst): ([UInt8], Bool) = ([], true)
    var trouble: CommandError?
    do {
      try await BookArgument.answer(input, app) { books, source throws(ErrorItem) in
        try await books.text(of: source, item: item) { text throws(ErrorItem) in
          guard !text.text.isEmpty else { return }
          if !isFirst { bytes.append(0x0A) }
          isFirst = false
          bytes += text.text
          guard isWrittenAtOnce, bytes.count >= Self.piece else { return }
          do throws(CommandError) { try app.output.write(document: bytes) } catch {
            trouble = error
            throw ErrorItem(error.code.rawValue)
          }
          bytes.removeAll(keepingCapacity: true)
        }
      }
    } catch {
      throw trouble ?? error
    }
    try app.output.write(document: bytes)
  }
}
