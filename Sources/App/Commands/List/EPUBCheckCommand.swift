import Arguments
import Items
import Setup
import TextSafety

struct EPUBCheckCommand: Command {
  static let spec = CommandSpec(
    "epub check", "Read all of a book file and list what is wrong with it.",
    discussion: """
      A book that opens ends with 0, however much is wrong with it; one that does not ends with 6. \
      It is no validator: what it finds is what readers of the book would notice.
      """,
    examples: [
      .init("carrel epub check book.epub", "One line for each thing."),
      .init("carrel epub check book.epub --json", "The same for programs."),
    ],
    exits: [6, 13], parameters: [BookArgument.file, BookArgument.passphraseFile])

  static let schemas = [
    ReportSchema("epub_faults", "What is wrong with a book file.", FaultProperties.all)
  ]

  static func opensBook(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let faults = try await BookArgument.answer(input, app) { books, source throws(ErrorItem) in
      try books.examine(source)
    }
    try app.output.show(
      Report(Self.schemas[0], faults.map(\.json)) { _ in
        faults.isEmpty ? "Nothing is wrong.\n" : BookText.faults(faults)
      })
  }
}
