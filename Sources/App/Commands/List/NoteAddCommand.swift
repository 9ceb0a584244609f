import Arguments
import Setup

struct NoteAddCommand: Command {
  static let words = Argument(list: "words", Kind<String>.word, "The note; none only marks.")
  static let tags = Option(
    list: "tag", Kind<String>.word.called("WORD"), "A word of yours to find it by.", common: true)

  static let spec = CommandSpec(
    "note add", "Write a note in a book file, or mark words in it.",
    examples: [
      .init(
        "carrel note add book.epub --quote Ishmael The first name", "About this word."
      ),
      .init("carrel note add book.epub --quote whale --tag whales", "Only mark them."),
    ],
    exits: AnnotationWork.exits,
    parameters: [
      AnnotationWork.file, words, AnnotationWork.at, AnnotationWork.quote, tags,
      BookArgument.passphraseFile,
    ])

  static let schemas = [ReportSchema("note-added", "The note.", AnnotationWork.properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let words = try input[Self.words].joined(separator: " ")
    var order = AnnotationOrder(
      words.isEmpty ? .highlight : .note, in: .file(try input[AnnotationWork.file]),
      at: try AnnotationWork.place(input))
    order.note = words.isEmpty ? nil : words
    order.tags = try input[Self.tags]
    try await AnnotationWork.add(order, Self.schemas[0], input, in: app)
  }
}
