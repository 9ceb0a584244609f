import Arguments
import Items
import Setup
import TextSafety

struct EPUBInspectCommand: Command {
  static let spec = CommandSpec(
    "epub inspect", "Tell what a book file is: title, authors, contents, layout.",
    discussion: """
      The file is read where it lies and no chapter is touched. What is wrong with a book that \
      opens all the same is listed; carrel epub check looks further.
      """,
    examples: [
      .init("carrel epub inspect book.epub", "For people."),
      .init("carrel epub inspect book.epub --json", "The same for programs."),
    ],
    exits: [6, 13], parameters: [BookArgument.file, BookArgument.passphraseFile])

  static let schemas = [
    ReportSchema(
      "epub", "What a book file says of itself.",
      [
        .init("version", .string, "The version of EPUB, as written."),
        .init("title", .nullable(.string), "The first title."),
        .init("subtitle", .nullable(.string), "What is marked as one."),
        .init("creators", .list(.string), "Who made it, in the book's order."),
        .init("language", .nullable(.string), "The first language."),
        .init("identifier", .nullable(.string), "The book's name for itself."),
        .init("published", .nullable(.string), "When, as written."),
        .init("modified", .nullable(.string), "When the file was last changed, as written."),
        .init("publisher", .nullable(.string), "The first one."),
        .init(
          "series",
          .nullable(
            .object([
              .init("name", .string, "Its name."),
              .init("position", .nullable(.string), "The place in it, as written."),
            ])), "The series it belongs to."),
        .init("spine_length", .integer, "Documents in reading order."),
        .init("toc_entries", .integer, "Entries of the table of contents."),
        .init("toc_top_level", .integer, "Those that are in no other."),
        .init("toc_source", .string, "nav, ncx, landmarks, guide or spine."),
        .init("page_list", .integer, "Pages of the printed edition that are marked."),
        .init("landmarks", .integer, "Places with a role."),
        .init("cover", .nullable(.string), "The entry with the picture of the cover."),
        .init("page_progression", .string, "ltr or rtl."),
        .init("fixed_layout", .boolean, "Whether its pages are laid out already."),
        .init("media_overlays", .integer, "Documents that are read aloud."),
        .init("positions", .integer, "Places of a kilobyte, or fixed pages."),
        .init("remote_resources", .list(.string), "What lies elsewhere; never fetched by itself."),
        .init("obfuscated_fonts", .integer, "Veiled fonts, which are shown all the same."),
        .init("warnings", .list(.string), "The codes of what is wrong, each once."),
        .init("faults", .list(.object(FaultProperties.all)), "What is wrong, one by one."),
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
    let book = try BookArgument.answerAtOnce(input, app) { books, source throws(ErrorItem) in
      try books.inspect(source)
    }
    try app.output.show(
      Report(Self.schemas[0], [book.json]) { layout in BookText.page(book, layout) })
  }
}

/// Of one thing that is wrong.
enum FaultProperties {
  static let all: [ReportSchema.Property] = [
    .init("code", .string, "What is wrong, in one word."),
    .init("subject", .string, "The entry, id or address it is about; may be empty."),
  ]
}
