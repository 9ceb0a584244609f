import Arguments
import Items
import Setup
import TextSafety

struct NoteExportCommand: Command {
  static let format = Option(
    "format",
    Kind<String>.choice(
      "FORMAT", of: ["md", "html", "json", "w3c", "enex", "csv", "bibtex"]),
    default: "md", "The form to print them in.", common: true)

  static let spec = CommandSpec(
    "note export", "Print your bookmarks, highlights and notes for other programs.",
    discussion: """
      md and html are to be read; json has everything; w3c is what reading apps exchange; enex is \
      Evernote's, csv Readwise's, bibtex for papers. All stand in the order of the book.
      """,
    examples: [
      .init("carrel note export book.epub", "Of one book, as Markdown."),
      .init("carrel note export --format csv -o notes.csv", "Of all books, for Readwise."),
    ],
    exits: AnnotationWork.exits,
    parameters: [
      AnnotationWork.some, format, AnnotationWork.tag, BookArgument.passphraseFile,
    ])

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    var choice = try AnnotationWork.choice(Set(AnnotationOrder.Kind.allCases), input)
    choice.tag = try input[AnnotationWork.tag]
    let (wanted, format) = (choice, try input[Self.format])
    let text = try await AnnotationWork.unlocked(input, app) {
      engine, seat, key throws(ErrorItem) in
      var choice = wanted
      choice.key = key
      return try await engine.exportAnnotations(choice, as: format, at: seat)
    }
    try app.output.write(document: Array(text.utf8))
  }
}
